/** The messages that Detour adds to LSP. The names and shapes are a contract with the server. */

export interface TerminalData {
  readonly terminalId: string;
  readonly executionId: string;
  readonly commandLine: string;
  readonly cwd: string | null;
  readonly data: string;
}

export interface TerminalEnd {
  readonly terminalId: string;
  readonly executionId: string;
  readonly exitCode: number | null;
  readonly noData: boolean;
}

export interface NotebookOutput {
  readonly notebookUri: string;
  readonly cellUri: string;
  readonly executionId: string;
  readonly outputs: readonly { readonly mime: string; readonly text: string }[];
}

export type SourceKind = 'terminal' | 'log' | 'notebook' | 'debug' | 'task' | 'text';

export interface Incident {
  readonly key: string;
  readonly record: string;
  readonly tier: string;
  readonly level: string;
  readonly title: string;
  readonly message: string;
  /** What the text is called; for logs on disk the path. */
  readonly file: string | null;
  /** The document that holds the text; null for terminals and other streams. */
  readonly uri: string | null;
  readonly line: number | null;
  readonly ranks: readonly number[];
  readonly count: number;
  readonly source: { readonly kind: SourceKind; readonly name: string };
  /** The line of the user's own code; lines count from 1. */
  readonly frame: { readonly uri: string; readonly line: number; readonly function: string } | null;
  readonly fingerprint: string;
}

export interface Incidents {
  readonly incidents: readonly Incident[];
}

export interface ServerStatus {
  readonly state: 'ready' | 'scanning' | 'error';
  readonly records: number;
  readonly message: string;
}

/** Offsets count Unicode code points. */
export interface LineMatch {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly record: string;
  readonly title: string;
}

export const method = {
  terminalData: 'detour/terminalData',
  terminalEnd: 'detour/terminalEnd',
  notebookOutput: 'detour/notebookOutput',
  incidents: 'detour/incidents',
  status: 'detour/status',
  matchLines: 'detour/matchLines',
  card: 'detour/card',
  incidentText: 'detour/incidentText',
  watchLog: 'detour/watchLog',
} as const;

/** What modules need of the running server; the language client is behind it. */
export interface Server {
  request<R>(method: string, params: unknown): Promise<R>;
  notify(method: string, params: unknown): Promise<void>;
  execute<R>(command: string, ...args: unknown[]): Promise<R>;
}
