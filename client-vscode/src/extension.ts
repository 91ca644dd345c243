/** Puts the parts together. Nothing here waits: the editor's start must not depend on the server's. */
import path from 'node:path';
import type * as vscode from 'vscode';
import type { App } from './app';
import { analyseCommands } from './commands/analyse';
import { helpCommands } from './commands/help';
import { incidentCommands } from './commands/incidents';
import { runFile } from './commands/run';
import { scanCommands } from './commands/scan';
import { editor } from './editor';
import { Outbox } from './outbox';
import { bundledFolder } from './server/bundled';
import { ServerControl } from './server/control';
import { readSettings } from './settings';
import { startSources } from './sources/start';
import { TextSource } from './sources/text';
import { Cards } from './views/card';
import { HintDecorations, HintSwitch } from './views/hints';
import { IncidentStore } from './views/incidentStore';
import { TerminalLinks } from './views/links';
import { Status } from './views/status';
import { IncidentTree } from './views/tree';
import { UnseenRuns } from './views/unseen';

let control: ServerControl | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const keep = <T extends vscode.Disposable>(d: T): T => {
    context.subscriptions.push(d);
    return d;
  };
  const { window, workspace, commands, l10n } = editor;
  const t = (message: string, ...args: (string | number)[]): string => l10n.t(message, ...args);
  const log = keep(window.createOutputChannel('Detour', { log: true }));
  const serverLog = keep(window.createOutputChannel('Detour Server', { log: true }));
  const settings = () => readSettings(workspace);
  const store = new IncidentStore();
  const unseen = new UnseenRuns();
  const outbox = new Outbox((text) => { log.warn(text); });
  const status = keep(new Status(editor, t));
  const locale = () => ({ auto: undefined, en: 'en', zh: 'zh-cn' })[settings().language];

  const server = keep(new ServerControl({ editor, context, log, serverLog, store, status, outbox, settings, locale, t }));
  control = server;
  const cards = keep(new Cards(editor, () => server.server, locale, t));
  const tree = keep(new IncidentTree(editor, store, unseen, t));
  const view = keep(window.createTreeView('detour.incidents', { treeDataProvider: tree, showCollapseAll: true }));
  const badge = (): void => {
    const count = store.incidents.filter((incident) => incident.level === 'error').length;
    view.badge = count > 0 ? { value: count, tooltip: t('{0} errors recognised', count) } : undefined;
  };
  keep(store.onChange(badge));
  const hints = keep(new HintDecorations(editor, context.extensionUri, store, () => settings().hints));

  const hintSwitch = new HintSwitch(() => settings().hints, (mode) => workspace.getConfiguration('detour').update('hints', mode, editor.ConfigurationTarget.Global));

  const app: App = {
    editor, t, log, serverLog, store, unseen, outbox, cards, settings,
    texts: new TextSource(outbox, store, async () => server.server?.request('detour/matchLines', { lines: [] })),
    server: () => server.server,
    serverCommand: () => server.command,
    interpreter: () => server.interpreter(),
    restart: () => server.restart(),
    toggleHints: () => hintSwitch.toggle(),
  };
  const sources = keep(startSources(app));
  server.onRunning(() => {
    sources.serverRuns();
    cards.refresh();
  });

  keep(window.registerTerminalLinkProvider(new TerminalLinks(() => server.server, () => settings().terminalLinks, (record, text) => {
    const incident = store.incidents.find((i) => i.record === record && i.message.includes(text.trim())) ?? store.incidents.find((i) => i.record === record);
    void cards.show(incident ? { key: incident.key, record } : { record });
  })));

  const all = {
    ...incidentCommands(app),
    ...analyseCommands(app),
    ...scanCommands(app),
    ...helpCommands(app, context.extension.id, () => server.facts(context)),
    'detour.runFile': () => runFile(app),
  };
  for (const [id, run] of Object.entries(all)) keep(commands.registerCommand(id, guarded(id, run, log, t)));

  offerDetourInTerminals(context, () => settings().addToPath, t);
  keep(workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration('detour')) return;
    if (event.affectsConfiguration('detour.hints')) hints.draw();
    if (event.affectsConfiguration('detour.terminals.addToPath')) offerDetourInTerminals(context, () => settings().addToPath, t);
    server.settingsChanged(event);
  }));
  void server.restart();
}

export async function deactivate(): Promise<void> {
  await control?.stop();
}

/** A command that fails says so in words, and the log has the rest. */
function guarded(id: string, run: (...args: unknown[]) => unknown, log: vscode.LogOutputChannel, t: (message: string, ...args: string[]) => string) {
  return async (...args: unknown[]): Promise<unknown> => {
    try {
      return await run(...args);
    } catch (error) {
      log.error(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      void editor.window.showErrorMessage(t('Detour: {0}', error instanceof Error ? error.message : String(error)));
      return undefined;
    }
  };
}

/** `detour` at the end of PATH, so that `detour run` works in any new terminal and a `detour` of the user's own goes first. */
function offerDetourInTerminals(context: vscode.ExtensionContext, enabled: () => boolean, t: (message: string) => string): void {
  const variables = context.environmentVariableCollection;
  variables.clear();
  if (!enabled()) return;
  variables.description = t('Makes the command "detour" available in terminals.');
  variables.append('PATH', path.delimiter + bundledFolder(context.extensionPath));
}
