/** The server as the rest of the extension sees it: chosen, started, watched, restarted. */
import type * as vscode from 'vscode';
import type { Facts } from '../commands/debugInfo';
import type { Editor } from '../editor';
import type { Outbox } from '../outbox';
import { method, type Incidents, type Server, type ServerStatus } from '../protocol';
import type { Settings } from '../settings';
import type { IncidentStore } from '../views/incidentStore';
import type { Status } from '../views/status';
import type { Translate } from '../views/translate';
import { bundledFolder, findBundled } from './bundled';
import { startClient } from './client';
import { CrashBudget } from './crashes';
import { findInstalled, findWheel, installCommands, prepareInstallation, type Wheel } from './install';
import { Interpreters, PYTHON, PYTHON_ENVIRONMENTS } from './interpreters';
import { Lifecycle } from './lifecycle';
import { systemProbe } from './probe';
import { resolveServer, type Resolution, type ServerCommand } from './resolve';
import { TraceChannel } from './traceChannel';

export interface Surroundings {
  readonly editor: Editor;
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly serverLog: vscode.LogOutputChannel;
  readonly store: IncidentStore;
  readonly status: Status;
  readonly outbox: Outbox;
  readonly t: Translate;
  readonly settings: () => Settings;
  readonly locale: () => string | undefined;
}

export class ServerControl implements vscode.Disposable {
  server: Server | undefined;
  private readonly lifecycle: Lifecycle;
  private readonly interpreters: Interpreters;
  private readonly crashes = new CrashBudget();
  private readonly trace: TraceChannel;
  private readonly disposables: vscode.Disposable[];
  private readonly listeners: (() => void)[] = [];
  private version: string | undefined;

  constructor(private readonly around: Surroundings) {
    const { editor, log, status, t } = around;
    this.trace = new TraceChannel(editor, () => around.settings().trace !== 'off');
    this.interpreters = new Interpreters(editor.extensions, () => { void this.environmentChanged(); }, (text) => { log.warn(text); });
    this.lifecycle = new Lifecycle({
      resolve: () => this.resolve(),
      start: (command) => this.start(command),
      starting: () => { status.starting(); },
      started: (command) => {
        log.info(`server: ${[command.command, ...command.args].join(' ')} (${command.why})`);
        status.started(command);
      },
      failed: (reason) => {
        log.error(`the server did not start: ${reason}`);
        status.failed(reason);
        void this.offerHelp(t('The server of Detour did not start: {0}', reason));
      },
      warn: (text) => {
        log.warn(text);
        void editor.window.showWarningMessage(t('Detour: {0}', text));
      },
    });
    this.disposables = [
      this.trace,
      this.interpreters,
      editor.workspace.onDidGrantWorkspaceTrust(() => { void this.lifecycle.reconsider(); }),
    ];
  }

  get command(): ServerCommand | undefined {
    return this.lifecycle.current;
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  onRunning(listener: () => void): void {
    this.listeners.push(listener);
  }

  restart(): Promise<void> {
    this.crashes.reset();
    return this.lifecycle.restart();
  }

  stop(): Promise<void> {
    return this.lifecycle.stop();
  }

  settingsChanged(event: vscode.ConfigurationChangeEvent): void {
    const affects = (...keys: string[]): boolean => keys.some((key) => event.affectsConfiguration(`detour.${key}`));
    if (affects('trace.server')) this.trace.refresh();
    if (affects('language', 'logs.files')) void this.lifecycle.restart();
    else if (affects('importStrategy', 'interpreter')) void this.lifecycle.reconsider();
  }

  /** In an untrusted workspace nobody is asked: whoever answers may run what the folder holds. */
  async interpreter(scope?: vscode.Uri): Promise<string | undefined> {
    if (!this.around.editor.workspace.isTrusted) return undefined;
    return this.interpreters.selected(scope ?? this.around.editor.workspace.workspaceFolders?.[0]?.uri);
  }

  async facts(context: vscode.ExtensionContext): Promise<Facts> {
    const { editor, store, settings } = this.around;
    const { env, extensions, version, window, workspace } = editor;
    return {
      extension: `${context.extension.id} ${(context.extension.packageJSON as { version: string }).version}`,
      editor: `${env.appName} ${version}`,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      remote: env.remoteName,
      language: env.language,
      trusted: workspace.isTrusted,
      folders: (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
      server: this.command,
      serverRuns: this.server !== undefined,
      serverVersion: this.version,
      interpreter: await this.interpreter(),
      pythonExtensions: [PYTHON_ENVIRONMENTS, PYTHON].filter((id) => extensions.getExtension(id) !== undefined),
      settings: settings(),
      incidents: store.incidents.length,
      shellIntegration: window.terminals.map((terminal) => `${terminal.name}: ${terminal.shellIntegration ? 'shell integration' : 'no shell integration'}`),
    };
  }

  private async resolve(): Promise<Resolution> {
    const { editor, context, settings } = this.around;
    const { importStrategy, interpreter } = settings();
    const trusted = editor.workspace.isTrusted;
    return resolveServer({
      trusted,
      importStrategy,
      interpreter,
      selected: interpreter.length === 0 && importStrategy === 'fromEnvironment' ? await this.interpreter() : undefined,
      bundled: (await findBundled(context.extensionPath, process.platform)) ?? (await findInstalled(await this.wheel(), process.platform)),
    }, systemProbe(bundledFolder(context.extensionPath)), this.around.t);
  }

  private start(command: ServerCommand) {
    const { editor, log, outbox, serverLog, settings, status, store, t } = this.around;
    const folders = editor.workspace.workspaceFolders ?? [];
    return startClient({
      command,
      output: serverLog,
      trace: this.trace.output,
      logFiles: settings().logFiles,
      schemes: [...new Set(['file', 'untitled', ...folders.map(({ uri }) => uri.scheme)])],
      locale: this.around.locale(),
      crashes: this.crashes,
      interpreter: (scope) => this.interpreter(scope === undefined ? undefined : this.around.editor.Uri.parse(scope)),
      notified: {
        [method.incidents]: (params) => { store.replace((params as Incidents).incidents); },
        [method.status]: (params) => {
          status.told(params as ServerStatus);
          const { state, records, message } = params as ServerStatus;
          log.info(`the server says: ${state}, ${records} records ${message}`.trimEnd());
        },
      },
      changed: () => this.tellSettings(),
      running: (server, version) => {
        this.server = server;
        this.version = version;
        status.started(command);
        outbox.connect((message) => server.notify(message.method, message.params));
        for (const listener of this.listeners) listener();
      },
      down: () => {
        this.server = undefined;
        outbox.disconnect();
        store.replace([]);
      },
      restarting: () => {
        log.warn('the server ended unexpectedly and is started again');
        status.starting();
      },
      gaveUp: () => {
        const reason = t('it ended five times within three minutes');
        log.error(`the server is not started again: ${reason}`);
        status.failed(reason);
        void this.offerHelp(t('The server of Detour is not started again: {0}.', reason));
      },
    });
  }

  /** Another environment can mean another server, and always another torch. */
  private async environmentChanged(): Promise<void> {
    const before = this.server;
    await this.lifecycle.reconsider();
    if (this.server === before) await this.tellSettings();
  }

  /** The server answers by asking for what it needs. */
  private async tellSettings(): Promise<void> {
    await this.server?.notify('workspace/didChangeConfiguration', { settings: null });
  }

  private wheel(): Promise<Wheel | undefined> {
    const { extensionPath, globalStorageUri } = this.around.context;
    return findWheel(extensionPath, globalStorageUri.fsPath);
  }

  private async offerHelp(text: string): Promise<void> {
    const { editor, log, serverLog, t } = this.around;
    const wheel = await this.wheel();
    const [install, show, restart] = [t('Install the Server…'), t('Show Log'), t('Restart Server')];
    const answer = await editor.window.showErrorMessage(text, ...(wheel ? [install] : []), show, restart);
    if (answer === show) {
      log.show(true);
      serverLog.show(true);
    } else if (answer === restart) await this.restart();
    else if (answer === install && wheel) await this.install(wheel);
  }

  private async install(wheel: Wheel): Promise<void> {
    const { window, env } = this.around.editor;
    const python = (await this.interpreter()) ?? (process.platform === 'win32' ? 'python' : 'python3');
    prepareInstallation(window, installCommands(wheel, python, env.shell, process.platform), env.shell, () => { void this.lifecycle.reconsider(); });
  }
}
