/**
 * What programs print in terminals with shell integration. `read()` must be called in the start event
 * itself (later, what was printed before is gone), and the output of very fast commands can be lost in VS Code:
 * such a run "ended without data", which means unknown, not silent.
 */
import type * as vscode from 'vscode';
import type { Outbox } from '../outbox';
import { hasText, nextExecutionId } from './runs';

type Window = Pick<typeof vscode.window, 'onDidStartTerminalShellExecution' | 'onDidEndTerminalShellExecution' | 'onDidCloseTerminal'>;

export interface TerminalOptions {
  /** Read at each run, so that a changed setting counts at once. */
  enabled(kind: 'terminal' | 'task'): boolean;
  /** The task that runs in a terminal, if one does. */
  taskOf(terminal: vscode.Terminal): Promise<string | undefined>;
  /** A run ended whose output nobody saw. */
  unseen(run: { terminal: vscode.Terminal; commandLine: string; exitCode: number | undefined }): void;
  /** A run was seen; earlier notes about this terminal are out of date. */
  seen(terminal: vscode.Terminal): void;
  log(text: string): void;
}

interface Run {
  readonly ended: Promise<number | undefined>;
  readonly end: (exitCode: number | undefined) => void;
}

/** The end event comes after the last chunk; should it never come, the run is closed all the same. */
const PATIENCE_MS = 3000;

export class TerminalSource implements vscode.Disposable {
  private readonly runs = new WeakMap<vscode.TerminalShellExecution, Run>();
  private readonly ids = new WeakMap<vscode.Terminal, string>();
  private readonly closed = new WeakSet<vscode.Terminal>();
  private readonly disposables: vscode.Disposable[];
  private terminals = 0;

  constructor(window: Window, private readonly outbox: Outbox, private readonly options: TerminalOptions) {
    this.disposables = [
      window.onDidStartTerminalShellExecution((event) => { this.started(event); }),
      window.onDidEndTerminalShellExecution((event) => { this.runs.get(event.execution)?.end(event.exitCode); }),
      window.onDidCloseTerminal((terminal) => { this.closed.add(terminal); }),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private started({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    // An empty Enter and a subshell look the same: no command line, no data.
    if (execution.commandLine.value === '') return;
    const chunks = execution.read();
    let end: Run['end'] = () => undefined;
    const ended = new Promise<number | undefined>((resolve) => { end = resolve; });
    this.runs.set(execution, { ended, end });
    this.follow(terminal, execution, chunks, ended).catch((error: unknown) => {
      this.options.log(`terminal: ${execution.commandLine.value}: ${String(error)}`);
    });
  }

  private async follow(
    terminal: vscode.Terminal,
    execution: vscode.TerminalShellExecution,
    chunks: AsyncIterable<string>,
    ended: Promise<number | undefined>,
  ): Promise<void> {
    const task = await this.options.taskOf(terminal);
    const enabled = this.options.enabled(task === undefined ? 'terminal' : 'task');
    const run = {
      terminalId: task === undefined ? this.idOf(terminal) : `task:${task}`,
      executionId: nextExecutionId(),
      commandLine: execution.commandLine.value,
      cwd: execution.cwd?.fsPath ?? null,
    };
    let text = false;
    // Read to the end even when switched off: an iterator that nobody drains keeps the data in memory.
    for await (const data of chunks) {
      text ||= hasText(data);
      if (enabled && data !== '') this.outbox.terminalData({ ...run, data });
    }
    if (!enabled) return;
    const exitCode = await withPatience(ended);
    if (text) this.options.seen(terminal);
    else if (!this.closed.has(terminal)) this.options.unseen({ terminal, commandLine: run.commandLine, exitCode });
    this.outbox.terminalEnd({ terminalId: run.terminalId, executionId: run.executionId, exitCode: exitCode ?? null, noData: !text });
  }

  private idOf(terminal: vscode.Terminal): string {
    let id = this.ids.get(terminal);
    if (id === undefined) {
      this.terminals += 1;
      id = `terminal:${this.terminals}`;
      this.ids.set(terminal, id);
    }
    return id;
  }
}

function withPatience(ended: Promise<number | undefined>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => { resolve(undefined); }, PATIENCE_MS);
    void ended.then((exitCode) => {
      clearTimeout(timer);
      resolve(exitCode);
    });
  });
}
