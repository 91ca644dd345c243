/** Runs that ended without any output that Detour could see: "unknown", which is not "nothing found". */
import type * as vscode from 'vscode';

export interface Unseen {
  readonly kind: 'unseen';
  readonly what: string;
  readonly exitCode: number | undefined;
}

export class UnseenRuns {
  private readonly runs = new Map<object | string, Unseen>();
  private readonly listeners = new Set<() => void>();

  get list(): readonly Unseen[] {
    return [...this.runs.values()];
  }

  /** A silent success is what most commands are; only a failure makes one want to know. */
  add(place: object | string, what: string, exitCode: number | undefined): void {
    if (exitCode === 0) {
      this.remove(place);
      return;
    }
    // 130 and 143: the person stopped it.
    if (exitCode === undefined || exitCode === 130 || exitCode === 143) return;
    this.runs.set(place, { kind: 'unseen', what, exitCode });
    this.tell();
  }

  remove(place: object | string): void {
    if (this.runs.delete(place)) this.tell();
  }

  clear(): void {
    if (this.runs.size === 0) return;
    this.runs.clear();
    this.tell();
  }

  onChange(listener: () => void): vscode.Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
