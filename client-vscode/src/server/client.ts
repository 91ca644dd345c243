/** The language client: what is forwarded to the server, what comes back, and what happens when the server dies. */
import type * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, ExecuteCommandRequest, LanguageClient, RevealOutputChannelOn, State, TransportKind,
  type DynamicFeature, type LanguageClientOptions, type StaticFeature,
} from 'vscode-languageclient/node';
import type { Server } from '../protocol';
import type { CrashBudget } from './crashes';
import type { RunningServer } from './lifecycle';
import type { ServerCommand } from './resolve';

export interface ClientOptions {
  readonly command: ServerCommand;
  readonly output: vscode.LogOutputChannel;
  readonly trace: vscode.LogOutputChannel;
  readonly logFiles: readonly string[];
  /** `file`, and where the folders of a virtual workspace live. */
  readonly schemes: readonly string[];
  readonly locale: string | undefined;
  readonly crashes: CrashBudget;
  /** The interpreter of the user's programs: its torch decides which records and repairs apply. */
  interpreter(scope: string | undefined): Promise<string | undefined>;
  readonly notified: Readonly<Record<string, (params: unknown) => void>>;
  changed(): Promise<void>;
  running(server: Server, version: string | undefined): void;
  down(): void;
  restarting(): void;
  gaveUp(): void;
}

/** Commands that a person may follow from a hover card; no other command link works there. */
const CARD_COMMANDS = ['detour.showCard'];

type Phase = 'starting' | 'running' | 'stopping';

const STOP_MS = 3000;

/** The last line that the server wrote to standard error. */
class LastLine {
  text = '';

  add(output: string): void {
    this.text = output.trim().split('\n').at(-1)?.trim() ?? this.text;
  }
}

class Client extends LanguageClient {
  /** The transport adds `--stdio` itself. */
  constructor(command: ServerCommand, options: LanguageClientOptions, private readonly language: string | undefined) {
    super('detour', 'Detour', { command: command.command, args: command.args.filter((arg) => arg !== '--stdio'), transport: TransportKind.stdio }, options);
  }

  /** The server's commands are offered by this extension itself, with pictures, pickers and translations. */
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && feature.registrationType.method === ExecuteCommandRequest.method) return;
    super.registerFeature(feature);
  }

  protected override getLocale(): string {
    return this.language ?? super.getLocale();
  }
}

export async function startClient(options: ClientOptions): Promise<RunningServer> {
  let phase: Phase = 'starting';
  const stderr = new LastLine();
  const client = new Client(options.command, clientOptions(options, () => phase, stderr), options.locale);
  for (const [name, handler] of Object.entries(options.notified)) client.onNotification(name, handler);
  const server: Server = {
    request: (name, params) => client.sendRequest(name, params),
    execute: (command, ...args) => client.sendRequest('workspace/executeCommand', { command, arguments: args }),
    notify: (name, params) => client.sendNotification(name, params),
  };
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) options.running(server, client.initializeResult?.serverInfo?.version);
    else options.down();
  });
  try {
    await client.start();
  } catch (error) {
    phase = 'stopping';
    await client.dispose(STOP_MS).catch(() => undefined);
    // "Connection got disposed" tells nobody anything; what the process said last usually does.
    throw stderr.text === '' ? error : new Error(stderr.text, { cause: error });
  }
  phase = 'running';
  return {
    stop: async () => {
      phase = 'stopping';
      await client.dispose(STOP_MS);
    },
  };
}

function clientOptions(options: ClientOptions, phase: () => Phase, stderr: LastLine): LanguageClientOptions {
  const files = (scheme: string): { scheme: string; language?: string; pattern?: string }[] => [
    { scheme, language: 'python' },
    { scheme, language: 'log' },
    ...options.logFiles.map((pattern) => ({ scheme, pattern })),
  ];
  return {
    documentSelector: [
      ...options.schemes.flatMap(files),
      { scheme: 'vscode-notebook-cell', language: 'python' },
      { scheme: 'file', pattern: '**/record.json' },
    ],
    diagnosticCollectionName: 'detour',
    outputChannel: options.output,
    traceOutputChannel: options.trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    stdioOptions: {
      stdout: () => undefined,
      stderr: (input, output) => {
        input.setEncoding('utf8');
        input.on('data', (text: string) => {
          stderr.add(text);
          output.info(text.trimEnd());
        });
      },
    },
    initializationOptions: { clientCommands: true },
    markdown: { isTrusted: { enabledCommands: CARD_COMMANDS }, supportHtml: false },
    errorHandler: {
      error: (error, _message, count) => ({ action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown, message: error.message }),
      closed: () => {
        if (phase() !== 'running') return { action: CloseAction.DoNotRestart, handled: true };
        if (options.crashes.allowRestart()) {
          options.restarting();
          return { action: CloseAction.Restart, handled: true };
        }
        options.gaveUp();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      workspace: {
        // The server asks for what it needs, and then gets it as `configuration` below makes it.
        didChangeConfiguration: () => options.changed(),
        configuration: async (params, token, next) => {
          const answers: unknown = await next(params, token);
          if (!Array.isArray(answers)) return [];
          return Promise.all(params.items.map(async (item, i) => {
            const answer = answers[i] as Record<string, unknown> | null;
            if (item.section !== 'detour' || answer === null) return answer;
            // What starts the server is none of its business; which Python the user's programs run in, is.
            const { interpreter: _startsTheServer, ...settings } = answer;
            return { ...settings, language: options.locale?.slice(0, 2) ?? '', pythonPath: (await options.interpreter(item.scopeUri)) ?? null };
          }));
        },
      },
    },
  };
}
