/** The server's current list of incidents, and who wants to know when it changes. */
import type * as vscode from 'vscode';
import type { Incident } from '../protocol';

export class IncidentStore {
  private list: readonly Incident[] = [];
  private readonly listeners = new Set<() => void>();

  get incidents(): readonly Incident[] {
    return this.list;
  }

  byKey(key: string): Incident | undefined {
    return this.list.find((incident) => incident.key === key);
  }

  replace(incidents: readonly Incident[]): void {
    this.list = incidents;
    for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): vscode.Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }
}
