/** Error and stream outputs of notebook cells, sent whenever a cell's outputs have settled. */
import type * as vscode from 'vscode';
import type { Outbox } from '../outbox';
import type { NotebookOutput } from '../protocol';
import { nextExecutionId, withoutColours } from './runs';

type Workspace = Pick<typeof vscode.workspace, 'onDidChangeNotebookDocument' | 'onDidOpenNotebookDocument' | 'notebookDocuments'>;

const ERROR = 'application/vnd.code.notebook.error';
const TEXT = new Set([
  ERROR,
  'application/vnd.code.notebook.stdout',
  'application/vnd.code.notebook.stderr',
  'text/plain',
]);

/** Outputs stream in piece by piece; one message per quarter second is enough. */
const SETTLE_MS = 250;

export function readOutputs(outputs: readonly vscode.NotebookCellOutput[]): NotebookOutput['outputs'] {
  const decoder = new TextDecoder();
  const found: { mime: string; text: string }[] = [];
  for (const output of outputs) {
    const texts = output.items.filter((item) => TEXT.has(item.mime));
    // One output carries the same thing in several mime types; the error says most.
    const best = texts.find((item) => item.mime !== 'text/plain') ?? texts[0];
    if (!best) continue;
    const text = decoder.decode(best.data);
    found.push({ mime: best.mime, text: best.mime === ERROR ? errorText(text) : text });
  }
  return found;
}

/** An error output is JSON; its stack is what a terminal would have shown, mostly with the message at its end. */
export function errorText(json: string): string {
  let error: { name?: unknown; message?: unknown; stack?: unknown } | null;
  try {
    error = JSON.parse(json) as typeof error;
  } catch {
    return json;
  }
  const part = (value: unknown): string => (typeof value === 'string' ? value : '');
  const [name, message, stack] = [part(error?.name), part(error?.message), withoutColours(part(error?.stack))];
  const last = [name, message].filter((text) => text !== '').join(': ');
  return stack !== '' && stack.includes(message) ? stack : [stack, last].filter((text) => text !== '').join('\n');
}

export class NotebookSource implements vscode.Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly executions = new Map<string, string>();
  private readonly sent = new Map<string, string>();
  private readonly disposables: vscode.Disposable[];

  constructor(workspace: Workspace, private readonly outbox: Outbox, private readonly enabled: () => boolean) {
    this.disposables = [
      workspace.onDidChangeNotebookDocument((event) => {
        for (const change of event.cellChanges) {
          if (change.outputs ?? change.executionSummary) this.changed(change.cell, change.outputs?.length === 0);
        }
        for (const { removedCells } of event.contentChanges) for (const cell of removedCells) this.removed(cell);
      }),
      workspace.onDidOpenNotebookDocument((notebook) => { this.opened(notebook); }),
    ];
    for (const notebook of workspace.notebookDocuments) this.opened(notebook);
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  /** A notebook is stored with the errors of its last run. */
  private opened(notebook: vscode.NotebookDocument): void {
    for (const cell of notebook.getCells()) if (cell.outputs.length > 0) this.changed(cell, false);
  }

  private changed(cell: vscode.NotebookCell, emptied: boolean): void {
    const uri = cell.document.uri.toString();
    // An execution begins by emptying the outputs: a new run of the same cell.
    if (emptied || !this.executions.has(uri)) this.executions.set(uri, nextExecutionId());
    clearTimeout(this.timers.get(uri));
    this.timers.set(uri, setTimeout(() => {
      this.timers.delete(uri);
      this.send(cell, readOutputs(cell.outputs));
    }, SETTLE_MS));
  }

  private removed(cell: vscode.NotebookCell): void {
    const uri = cell.document.uri.toString();
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    if (this.sent.has(uri)) this.send(cell, []);
  }

  private send(cell: vscode.NotebookCell, outputs: NotebookOutput['outputs']): void {
    if (!this.enabled()) return;
    const cellUri = cell.document.uri.toString();
    if (outputs.length === 0 && !this.sent.has(cellUri)) return;
    const executionId = this.executions.get(cellUri) ?? nextExecutionId();
    const content = JSON.stringify([executionId, outputs]);
    if (this.sent.get(cellUri) === content) return;
    this.sent.set(cellUri, content);
    this.outbox.notebookOutput({ notebookUri: cell.notebook.uri.toString(), cellUri, executionId, outputs });
  }
}
