/**
 * Tasks print into terminals, and those with shell integration are read by the terminal source. This module
 * says which terminal belongs to which task, and notices failed tasks whose output could not be seen.
 */
import type * as vscode from 'vscode';

type Tasks = Pick<typeof vscode.tasks, 'onDidStartTaskProcess' | 'onDidEndTaskProcess'>;

export class TaskSource implements vscode.Disposable {
  private readonly names = new Map<number, string>();
  private readonly read = new Set<number>();
  private readonly processes = new WeakMap<vscode.TaskExecution, number>();
  private readonly disposables: vscode.Disposable[];

  constructor(tasks: Tasks, private readonly failedUnseen: (task: string, exitCode: number) => void) {
    this.disposables = [
      tasks.onDidStartTaskProcess(({ execution, processId }) => {
        this.names.set(processId, execution.task.name);
        this.processes.set(execution, processId);
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
    const name = this.names.get(pid);
    if (name !== undefined) this.read.add(pid);
    return name;
  }
}
