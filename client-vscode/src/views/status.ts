/** The language status item (the braces beside the language name) and the context that the view's welcome text uses. */
import type * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { ServerStatus } from '../protocol';
import type { ServerCommand } from '../server/resolve';
import type { Translate } from './translate';

export type State = 'starting' | 'ready' | 'error';

export class Status implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;
  private command: ServerCommand | undefined;

  constructor(private readonly parts: Pick<Editor, 'languages' | 'commands' | 'LanguageStatusSeverity'>, private readonly t: Translate) {
    this.item = parts.languages.createLanguageStatusItem('detour.status', [{ language: 'python' }, { language: 'log' }, { notebookType: 'jupyter-notebook' }]);
    this.item.name = 'Detour';
    this.starting();
  }

  dispose(): void {
    this.item.dispose();
  }

  starting(): void {
    this.show('starting', this.t('Detour: starting'), '', true);
    this.item.command = { command: 'detour.showClientLog', title: this.t('Show Log') };
  }

  started(command: ServerCommand): void {
    this.command = command;
    this.show('ready', 'Detour', this.where(), false);
    this.item.command = { command: 'detour.restart', title: this.t('Restart') };
  }

  told(status: ServerStatus): void {
    if (status.state === 'error') {
      this.failed(status.message);
      return;
    }
    const known = status.records > 0 ? this.t('{0} records', status.records) : '';
    const detail = [status.message, this.where()].filter((part) => part !== '').join(' · ');
    this.show('ready', known === '' ? 'Detour' : `Detour: ${known}`, detail, status.state === 'scanning');
    this.item.command = { command: 'detour.restart', title: this.t('Restart') };
  }

  failed(reason: string): void {
    this.show('error', this.t('Detour: not running'), reason, false);
    this.item.command = { command: 'detour.debugInfo', title: this.t('Show Debug Information') };
  }

  private where(): string {
    if (!this.command) return '';
    return this.command.origin === 'bundled' ? this.t('server of the extension') : this.t('server of your environment');
  }

  private show(state: State, text: string, detail: string, busy: boolean): void {
    this.item.text = text;
    this.item.detail = detail;
    this.item.busy = busy;
    this.item.severity = state === 'error' ? this.parts.LanguageStatusSeverity.Error : this.parts.LanguageStatusSeverity.Information;
    void this.parts.commands.executeCommand('setContext', 'detour.state', state);
  }
}
