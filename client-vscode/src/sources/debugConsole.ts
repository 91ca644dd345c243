/**
 * What a debugged program prints into the debug console, and the exception at which the debugger stops:
 * then nothing has been printed yet, but the adapter knows type, message and stack.
 */
import type * as vscode from 'vscode';
import type { Outbox } from '../outbox';
import { hasText, nextExecutionId } from './runs';

/** What is read of the Debug Adapter Protocol. Adapters are other people's programs: nothing is taken for granted. */
interface DapMessage {
  readonly type?: unknown;
  readonly event?: unknown;
  readonly command?: unknown;
  readonly success?: unknown;
  readonly body?: unknown;
}

interface DapBody {
  readonly category?: unknown;
  readonly output?: unknown;
  readonly exitCode?: unknown;
  readonly exceptionId?: unknown;
  readonly description?: unknown;
  readonly details?: { readonly stackTrace?: unknown };
}

const PRINTED = new Set<unknown>(['stdout', 'stderr', 'console', 'important', undefined]);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export class DebugConsoleTracker implements vscode.DebugAdapterTracker {
  private readonly run: { terminalId: string; executionId: string; commandLine: string; cwd: string | null };
  private exitCode: number | null = null;
  private printed = false;
  private ended = false;

  constructor(session: Pick<vscode.DebugSession, 'name' | 'configuration' | 'workspaceFolder'>, private readonly outbox: Outbox) {
    const configuration = session.configuration as Record<string, unknown>;
    const cwd = text(configuration['cwd']) || session.workspaceFolder?.uri.fsPath;
    this.run = {
      terminalId: `debug:${session.name}`,
      executionId: nextExecutionId(),
      commandLine: text(configuration['program']) || text(configuration['module']) || session.name,
      cwd: cwd ?? null,
    };
  }

  onDidSendMessage(message: unknown): void {
    if (!isObject(message)) return;
    const { type, event, command, success, body } = message as DapMessage;
    if (!isObject(body)) return;
    if (type === 'event' && event === 'output') this.output(body);
    else if (type === 'event' && event === 'exited') this.exited(body);
    else if (type === 'response' && command === 'exceptionInfo' && success === true) this.stopped(body);
  }

  onWillStopSession(): void {
    this.end();
  }

  onExit(): void {
    this.end();
  }

  private output({ category, output }: DapBody): void {
    if (PRINTED.has(category)) this.send(text(output));
  }

  private exited({ exitCode }: DapBody): void {
    if (typeof exitCode === 'number') this.exitCode = exitCode;
  }

  private stopped({ exceptionId, description, details }: DapBody): void {
    const name = text(exceptionId);
    const stack = text(details?.stackTrace);
    if (name === '' || stack === '') return;
    this.send(`Traceback (most recent call last):\n${stack.trimEnd()}\n${name}: ${text(description)}\n`);
  }

  private send(data: string): void {
    if (data === '') return;
    this.printed ||= hasText(data);
    this.outbox.terminalData({ ...this.run, data });
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    // A program that printed nothing in the debug console printed in its terminal, or nothing at all.
    if (!this.printed) return;
    this.outbox.terminalEnd({ terminalId: this.run.terminalId, executionId: this.run.executionId, exitCode: this.exitCode, noData: false });
  }
}

export class DebugConsoleSource implements vscode.DebugAdapterTrackerFactory {
  constructor(private readonly outbox: Outbox, private readonly enabled: () => boolean) {}

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    return this.enabled() ? new DebugConsoleTracker(session, this.outbox) : undefined;
  }
}
