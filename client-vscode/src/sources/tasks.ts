/**
 * Tasks print into terminals, and those with shell integration are read by the terminal source. This module
 * says which terminal belongs to which task, and notices failed tasks whose output could not be seen.
 */
import type * as vscode from 'vscode';

type Tasks = Pick<typeof vscode.tasks, 'onDidStartTaskProcess' | 'onDidEndTaskProcess' | 'taskExecutions'>;

/** The terminal can begin to run before VS Code tells which process the task is. */
const TOLD_LATE_MS = 1500;

export class TaskSource implements vscode.Disposable {
  private readonly names = new Map<number, string>();
  private readonly read = new Set<number>();
  private readonly processes = new WeakMap<vscode.TaskExecution, number>();
  private readonly disposables: vscode.Disposable[];

  private readonly waiting = new Set<() => void>();

  constructor(private readonly tasks: Tasks, private readonly failedUnseen: (task: string, exitCode: number) => void) {
    this.disposables = [
      tasks.onDidStartTaskProcess(({ execution, processId }) => {
        this.names.set(processId, execution.task.name);
        this.processes.set(execution, processId);
        for (const wake of this.waiting) wake();
      }),
      tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        const pid = this.processes.get(execution);
        if (pid === undefined) return;
        if (exitCode !== undefined && exitCode !== 0 && !this.read.has(pid)) this.failedUnseen(execution.task.name, exitCode);
        this.names.delete(pid);
        this.read.delete(pid);
      }),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  async nameOf(terminal: vscode.Terminal): Promise<string | undefined> {
    const pid = await terminal.processId;
    if (pid === undefined) return undefined;
    this.read.add(pid);
    if (!this.names.has(pid) && this.tasks.taskExecutions.some((execution) => !this.processes.has(execution))) await this.told(pid);
    return this.names.get(pid);
  }

  /** Waits until that process is known to be a task's, or for as long as the news can be late. */
  private told(pid: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const wake = (): void => { if (this.names.has(pid)) done(); };
      const timer = setTimeout(done, TOLD_LATE_MS);
      this.waiting.add(wake);
    });
  }
}
