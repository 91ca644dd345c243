/** Starts every source of text and connects it to its setting. */
import type * as vscode from 'vscode';
import type { App } from '../app';
import { method } from '../protocol';
import { DebugConsoleSource } from './debugConsole';
import { LargeLogSource } from './largeLogs';
import { NotebookSource } from './notebooks';
import { TaskSource } from './tasks';
import { TerminalSource } from './terminals';

export interface Sources extends vscode.Disposable {
  /** A new server is there: what it must be told again. */
  serverRuns(): void;
}

export function startSources(app: App): Sources {
  const { window, workspace, tasks, debug } = app.editor;
  const { outbox, unseen, settings } = app;
  const taskSource = new TaskSource(tasks, (task, exitCode) => {
    if (settings().tasks) unseen.add(`task ${task}`, task, exitCode);
  });
  const terminals = new TerminalSource(window, outbox, {
    enabled: (kind) => (kind === 'task' ? settings().tasks : settings().terminals),
    taskOf: (terminal) => taskSource.nameOf(terminal),
    unseen: ({ terminal, commandLine, exitCode }) => { unseen.add(terminal, commandLine, exitCode); },
    seen: (terminal) => { unseen.remove(terminal); },
    log: (text) => { app.log.warn(text); },
  });
  const notebooks = new NotebookSource(workspace, outbox, () => settings().notebooks);
  const tracker = debug.registerDebugAdapterTrackerFactory('*', new DebugConsoleSource(outbox, () => settings().debugConsole));
  const largeLogs = new LargeLogSource({
    tabGroups: window.tabGroups,
    workspace,
    patterns: () => settings().logFiles,
    watch: async (path) => {
      const server = app.server();
      if (!server) throw new Error('no server yet');
      app.log.info(`${path} is not open as a document; the server reads it from disk`);
      await server.request(method.watchLog, { path });
    },
  });
  const closed = window.onDidCloseTerminal((terminal) => { unseen.remove(terminal); });
  const disposables = [taskSource, terminals, notebooks, tracker, largeLogs, closed];
  return {
    serverRuns: () => { largeLogs.again(); },
    dispose: () => { for (const d of disposables) d.dispose(); },
  };
}
