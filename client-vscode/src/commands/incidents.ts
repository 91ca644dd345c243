/** Commands on what was recognised: card, code, log, copies, clearing. */
import type * as vscode from 'vscode';
import { needServer, type App } from '../app';
import { method } from '../protocol';
import { cardTarget } from '../views/card';
import type { Node } from '../views/tree';
import { pickIncident } from './pick';

type Command = (...args: unknown[]) => unknown;

export function incidentCommands(app: App): Record<string, Command> {
  return {
    'detour.showCard': (argument) => showCard(app, argument),
    'detour.goToCode': (argument) => goToCode(app, argument),
    'detour.goToLog': (argument) => goToLog(app, argument),
    'detour.copyMessage': (argument) => copy(app, argument, 'message'),
    'detour.copyPrompt': (argument) => copy(app, argument, 'prompt'),
    'detour.clear': (argument) => clear(app, argument),
    'detour.clearAll': () => clearAll(app),
  };
}

async function showCard(app: App, argument: unknown): Promise<void> {
  const target = cardTarget(isGroup(argument) ? argument.incidents[0] : argument);
  if (target) {
    await app.cards.show(target);
    return;
  }
  const incident = await pickIncident(app, argument, app.t('Whose card?'));
  if (incident) await app.cards.show({ key: incident.key, record: incident.record });
}

async function goToCode(app: App, argument: unknown): Promise<void> {
  const incident = await pickIncident(app, argument, app.t('Go to the code of which error?'));
  if (!incident) return;
  if (!incident.frame) {
    void app.editor.window.showInformationMessage(app.t('No line of your own code is known for this error.'));
    return;
  }
  await open(app, app.editor.Uri.parse(incident.frame.uri, true), incident.frame.line);
}

async function goToLog(app: App, argument: unknown): Promise<void> {
  const incident = await pickIncident(app, argument, app.t('Go to the log of which error?'));
  if (!incident) return;
  if (incident.uri === null || incident.line === null) {
    void app.editor.window.showInformationMessage(app.t('This error was not read from a file.'));
    return;
  }
  await open(app, app.editor.Uri.parse(incident.uri, true), incident.line);
}

async function open(app: App, uri: vscode.Uri, line: number): Promise<void> {
  const { Range, NotebookRange, commands, window, workspace } = app.editor;
  const at = Math.max(0, line - 1);
  const selection = new Range(at, 0, at, 0);
  for (const notebook of workspace.notebookDocuments) {
    const cell = notebook.getCells().find(({ document }) => document.uri.toString() === uri.toString());
    if (!cell) continue;
    await window.showNotebookDocument(notebook, { selections: [new NotebookRange(cell.index, cell.index + 1)] });
    return;
  }
  // Not showTextDocument: that refuses files above 50 MB, which this command opens as well.
  await commands.executeCommand('vscode.open', uri, { selection });
}

async function copy(app: App, argument: unknown, form: 'message' | 'prompt'): Promise<void> {
  const incident = await pickIncident(app, argument, form === 'message' ? app.t('Copy which message?') : app.t('Copy a prompt about which error?'));
  const server = incident && needServer(app);
  if (!server) return;
  const { text } = await server.request<{ text: string | null }>(method.incidentText, { key: incident.key, form });
  if (text === null) {
    void app.editor.window.showInformationMessage(app.t('This error is gone.'));
    return;
  }
  await app.editor.env.clipboard.writeText(text);
  app.editor.window.setStatusBarMessage(form === 'message' ? app.t('Message copied') : app.t('Prompt copied: paste it into your assistant'), 4000);
}

async function clear(app: App, argument: unknown): Promise<void> {
  if (isGroup(argument)) {
    for (const { incident } of argument.incidents) await app.server()?.execute('detour.clear', incident.key);
    return;
  }
  const incident = await pickIncident(app, argument, app.t('Clear which error?'));
  if (incident) await needServer(app)?.execute('detour.clear', incident.key);
}

async function clearAll(app: App): Promise<void> {
  app.unseen.clear();
  app.outbox.forget();
  await app.server()?.execute('detour.clear');
}

const isGroup = (argument: unknown): argument is Extract<Node, { kind: 'group' }> =>
  typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'group';
