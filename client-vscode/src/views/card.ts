/** A whole card, shown by VS Code's own Markdown preview, and kept up to date while it is open. */
import type * as vscode from 'vscode';
import type { Editor } from '../editor';
import { method, type Server } from '../protocol';
import type { Translate } from './translate';

export interface CardTarget {
  readonly record?: string;
  readonly key?: string;
}

export const CARD_SCHEME = 'detour-card';

/** The title of the preview is the path's last part. */
export function cardPath({ record, key }: CardTarget): string {
  return `/${(record ?? key ?? 'card').replaceAll(/[^\w.-]+/g, ' ').trim()}.md`;
}

/** Commands arrive from links, code lenses, trees and other people's keybindings, each with its own shape. */
export function cardTarget(argument: unknown): CardTarget | undefined {
  if (typeof argument === 'string' && argument !== '') return argument.includes('/') ? { record: argument } : { key: argument };
  if (Array.isArray(argument)) return cardTarget(argument[0]);
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { record, key, incident } = argument as { record?: unknown; key?: unknown; incident?: unknown };
  if (incident !== undefined) return cardTarget(incident);
  const target: { record?: string; key?: string } = {};
  if (typeof record === 'string') target.record = record;
  if (typeof key === 'string') target.key = key;
  return target.record === undefined && target.key === undefined ? undefined : target;
}

export class Cards implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter: vscode.EventEmitter<vscode.Uri>;
  private readonly shown = new Map<string, vscode.Uri>();
  private readonly disposables: vscode.Disposable[];
  readonly onDidChange: vscode.Event<vscode.Uri>;

  constructor(
    private readonly parts: Pick<Editor, 'EventEmitter' | 'Uri' | 'commands' | 'workspace' | 'window'>,
    private readonly server: () => Server | undefined,
    private readonly locale: () => string | undefined,
    private readonly t: Translate,
  ) {
    this.emitter = new parts.EventEmitter<vscode.Uri>();
    this.onDidChange = this.emitter.event;
    this.disposables = [
      this.emitter,
      parts.workspace.registerTextDocumentContentProvider(CARD_SCHEME, this),
      parts.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  /** What is known may have changed: a new server, another language. */
  refresh(): void {
    for (const uri of this.shown.values()) this.emitter.fire(uri);
  }

  async show(target: CardTarget): Promise<void> {
    const uri = this.parts.Uri.from({ scheme: CARD_SCHEME, path: cardPath(target), query: JSON.stringify(target) });
    this.shown.set(uri.toString(), uri);
    this.emitter.fire(uri);
    try {
      await this.parts.commands.executeCommand('markdown.showPreviewToSide', uri);
    } catch {
      // The Markdown extension can be disabled: then the card is read as it is written.
      await this.parts.window.showTextDocument(await this.parts.workspace.openTextDocument(uri), { preview: true });
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const server = this.server();
    if (!server) return this.t('The server of Detour does not run. Start it with the command "Detour: Restart Server".');
    const locale = this.locale();
    const { markdown } = await server.request<{ markdown: string | null }>(method.card, {
      ...(JSON.parse(uri.query) as CardTarget),
      ...(locale === undefined ? {} : { locale }),
    });
    return markdown ?? this.t('Detour has no card for {0}: the error was cleared, or the record is not loaded.', uri.path.slice(1));
  }
}
