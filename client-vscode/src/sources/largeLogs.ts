/**
 * Logs that VS Code shows without telling extensions (above 50 MB), or does not open at all (above 10 MB in a
 * remote window). Their tab still names the file, so the server reads it from disk.
 */
import type * as vscode from 'vscode';
import { minimatch } from 'minimatch';

interface Surroundings {
  readonly tabGroups: Pick<vscode.TabGroups, 'all' | 'onDidChangeTabs' | 'onDidChangeTabGroups'>;
  readonly workspace: Pick<typeof vscode.workspace, 'textDocuments'>;
  patterns(): readonly string[];
  watch(path: string): Promise<void>;
}

/** A document that VS Code does open is there well before this. */
const OPENING_MS = 1500;

export const isLog = (path: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => minimatch(path.replaceAll('\\', '/'), pattern, { dot: true, matchBase: true }));

/** The file of a tab that shows plain text from disk. */
function fileOf(tab: vscode.Tab): vscode.Uri | undefined {
  const input: unknown = tab.input;
  if (typeof input !== 'object' || input === null || !('uri' in input)) return undefined;
  const { uri } = input as { uri: vscode.Uri };
  return uri.scheme === 'file' ? uri : undefined;
}

export class LargeLogSource implements vscode.Disposable {
  private readonly watched = new Set<string>();
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly around: Surroundings) {
    const later = (): void => { this.later(); };
    this.disposables = [around.tabGroups.onDidChangeTabs(later), around.tabGroups.onDidChangeTabGroups(later)];
    later();
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
    clearTimeout(this.timer);
  }

  /** A new server watches nothing yet. */
  again(): void {
    this.watched.clear();
    this.later();
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.look(); }, OPENING_MS);
  }

  private look(): void {
    const open = new Set(this.around.workspace.textDocuments.map((d) => d.uri.toString()));
    const patterns = this.around.patterns();
    for (const tab of this.around.tabGroups.all.flatMap((group) => group.tabs)) {
      const uri = fileOf(tab);
      // Tabs in the background are not loaded before they are looked at.
      if (!uri || !tab.isActive || open.has(uri.toString()) || !isLog(uri.fsPath, patterns) || this.watched.has(uri.fsPath)) continue;
      this.watched.add(uri.fsPath);
      this.around.watch(uri.fsPath).catch(() => this.watched.delete(uri.fsPath));
    }
  }
}
