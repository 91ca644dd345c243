/** The settings as the client itself uses them; the server asks for its own through `workspace/configuration`. */
import type * as vscode from 'vscode';

export type ImportStrategy = 'fromEnvironment' | 'useBundled';
export type Hints = 'off' | 'gutter' | 'inline' | 'both';

export interface Settings {
  readonly importStrategy: ImportStrategy;
  readonly interpreter: readonly string[];
  readonly language: 'auto' | 'en' | 'zh';
  readonly terminals: boolean;
  readonly terminalLinks: boolean;
  readonly addToPath: boolean;
  readonly tasks: boolean;
  readonly debugConsole: boolean;
  readonly notebooks: boolean;
  readonly logFiles: readonly string[];
  readonly hints: Hints;
  readonly trace: 'off' | 'messages' | 'verbose';
}

export function readSettings(workspace: Pick<typeof vscode.workspace, 'getConfiguration'>): Settings {
  const section = workspace.getConfiguration('detour');
  const get = <T>(key: string, fallback: T): T => section.get<T>(key) ?? fallback;
  return {
    importStrategy: get<ImportStrategy>('importStrategy', 'fromEnvironment'),
    interpreter: get<string[]>('interpreter', []).filter((part) => part !== ''),
    language: get<Settings['language']>('language', 'auto'),
    terminals: get('terminals.enable', true),
    terminalLinks: get('terminals.links', true),
    addToPath: get('terminals.addToPath', true),
    tasks: get('tasks.enable', true),
    debugConsole: get('debugConsole.enable', true),
    notebooks: get('notebooks.enable', true),
    logFiles: get<string[]>('logs.files', []),
    hints: get<Hints>('hints', 'both'),
    trace: get<Settings['trace']>('trace.server', 'off'),
  };
}
