/** The view "Detour": incidents grouped by record, with their ranks folded, and runs that nobody saw. */
import type * as vscode from 'vscode';
import type { Editor } from '../editor';
import { firstLine, groupIncidents, incidentDescription, incidentLabel, type Group, type IncidentNode } from './incidentList';
import type { IncidentStore } from './incidentStore';
import type { Translate } from './translate';
import type { Unseen, UnseenRuns } from './unseen';

export type Node = Group | IncidentNode | Unseen;

type Parts = Pick<Editor, 'EventEmitter' | 'TreeItem' | 'TreeItemCollapsibleState' | 'ThemeIcon' | 'ThemeColor' | 'MarkdownString'>;

const ICON: Readonly<Record<string, readonly [string, string]>> = {
  error: ['error', 'list.errorForeground'],
  warning: ['warning', 'list.warningForeground'],
  symptom: ['info', 'descriptionForeground'],
};

export class IncidentTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly emitter: vscode.EventEmitter<undefined>;
  private readonly disposables: vscode.Disposable[];
  readonly onDidChangeTreeData: vscode.Event<undefined>;

  constructor(private readonly parts: Parts, private readonly store: IncidentStore, private readonly unseen: UnseenRuns, private readonly t: Translate) {
    this.emitter = new parts.EventEmitter<undefined>();
    this.onDidChangeTreeData = this.emitter.event;
    const changed = (): void => { this.emitter.fire(undefined); };
    this.disposables = [this.emitter, store.onChange(changed), unseen.onChange(changed)];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  getChildren(node?: Node): Node[] {
    if (!node) return [...groupIncidents(this.store.incidents), ...this.unseen.list];
    return node.kind === 'group' ? [...node.incidents] : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'group') return this.group(node);
    return node.kind === 'incident' ? this.incident(node) : this.unseenRun(node);
  }

  private group(group: Group): vscode.TreeItem {
    const item = new this.parts.TreeItem(group.title, this.parts.TreeItemCollapsibleState.Expanded);
    item.id = group.record;
    item.description = group.count > 1 ? this.t('{0} times', group.count) : '';
    item.iconPath = this.icon(group.level);
    item.tooltip = this.tooltip(group.title, group.record, group.incidents[0]?.incident.message ?? '');
    item.contextValue = 'group';
    return item;
  }

  private incident(node: IncidentNode): vscode.TreeItem {
    const { incident } = node;
    const item = new this.parts.TreeItem(incidentLabel(node, this.t), this.parts.TreeItemCollapsibleState.None);
    item.id = incident.key;
    item.description = incidentDescription(node, this.t);
    item.tooltip = this.tooltip(incident.title, incident.record, incident.message);
    item.contextValue = ['incident', incident.frame && 'code', incident.uri !== null && 'log'].filter(Boolean).join(' ');
    item.command = incident.frame
      ? { command: 'detour.goToCode', title: this.t('Go to Your Code'), arguments: [node] }
      : { command: 'detour.showCard', title: this.t('Show Card'), arguments: [node] };
    return item;
  }

  private unseenRun(run: Unseen): vscode.TreeItem {
    const item = new this.parts.TreeItem(this.t('Output not seen: {0}', firstLine(run.what, 60)), this.parts.TreeItemCollapsibleState.None);
    item.description = this.t('click to analyse the terminal');
    item.iconPath = new this.parts.ThemeIcon('question');
    item.tooltip = this.t('The command ended with status {0} so quickly that VS Code did not pass its output on. Whether it holds a known error is unknown. Click to analyse what is selected in the terminal, or else the output of its last command.', run.exitCode ?? '?');
    item.contextValue = 'unseen';
    item.command = { command: 'detour.analyzeTerminalSelection', title: this.t('Analyse Terminal Selection') };
    return item;
  }

  private icon(level: string): vscode.ThemeIcon {
    const [name, color] = ICON[level] ?? ['circle-outline', 'descriptionForeground'];
    return new this.parts.ThemeIcon(name, new this.parts.ThemeColor(color));
  }

  /** Log text is other people's text: it goes into a code block, never into Markdown. */
  private tooltip(title: string, record: string, message: string): vscode.MarkdownString {
    const tip = new this.parts.MarkdownString();
    tip.appendText(title);
    tip.appendCodeblock(message, 'text');
    tip.appendText(record);
    return tip;
  }
}
