/** Commands that read more than what is open: a log from disk, the workspace. */
import type * as vscode from 'vscode';
import { needServer, type App } from '../app';
import { method } from '../protocol';

type Command = (...args: unknown[]) => unknown;

export function scanCommands(app: App): Record<string, Command> {
  return {
    'detour.scanLogFile': (argument) => scanLogFile(app, argument),
    'detour.scanWorkspace': () => scanWorkspace(app),
  };
}

async function scanLogFile(app: App, argument: unknown): Promise<void> {
  const server = needServer(app);
  if (!server) return;
  const { window } = app.editor;
  const chosen = isUri(argument) ? [argument] : await window.showOpenDialog({ canSelectMany: true, openLabel: app.t('Scan'), title: app.t('Log files to scan and follow') });
  for (const uri of chosen ?? []) {
    if (uri.scheme !== 'file') {
      void window.showWarningMessage(app.t('{0} cannot be followed: {1}', uri.toString(true), app.t('it is not a file on disk')));
      continue;
    }
    const { watching, reason } = await window.withProgress({ location: { viewId: 'detour.incidents' } }, () => server.request<{ watching: boolean; reason?: string }>(method.watchLog, { path: uri.fsPath }));
    if (watching) window.setStatusBarMessage(app.t('Detour follows {0}', uri.fsPath), 5000);
    else void window.showWarningMessage(app.t('{0} cannot be followed: {1}', uri.fsPath, reason ?? ''));
  }
  if (chosen) await app.editor.commands.executeCommand('detour.incidents.focus');
}

async function scanWorkspace(app: App): Promise<void> {
  const server = needServer(app);
  if (!server) return;
  if (!app.editor.workspace.workspaceFolders?.some(({ uri }) => uri.scheme === 'file')) {
    void app.editor.window.showInformationMessage(app.t('No folder on disk is open: there is nothing to scan. Files that are open are checked all the same.'));
    return;
  }
  await app.editor.window.withProgress({ location: { viewId: 'detour.incidents' } }, () => server.execute('detour.scanWorkspace'));
}

const isUri = (value: unknown): value is vscode.Uri => typeof value === 'object' && value !== null && 'fsPath' in value;
