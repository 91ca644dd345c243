/**
 * Text goes to the server through here: what is printed while the server is still starting waits, what a
 * restarted server has forgotten is told again, and a program that prints faster than the pipe takes it
 * loses its middle instead of filling the extension host's memory.
 */
import { method, type NotebookOutput, type TerminalData, type TerminalEnd } from './protocol';

export type Message =
  | { readonly method: typeof method.terminalData; readonly params: TerminalData }
  | { readonly method: typeof method.terminalEnd; readonly params: TerminalEnd }
  | { readonly method: typeof method.notebookOutput; readonly params: NotebookOutput };

export type Deliver = (message: Message) => Promise<void>;

const size = (message: Message): number => {
  if (message.method === method.terminalData) return message.params.data.length;
  if (message.method === method.notebookOutput) return message.params.outputs.reduce((sum, o) => sum + o.text.length, 0);
  return 0;
};

/** One run of one program, cell or debug session. */
const runOf = (message: Message): string =>
  message.method === method.notebookOutput ? `cell ${message.params.cellUri}` : `${message.params.terminalId} ${message.params.executionId}`;

export class Outbox {
  private deliver: Deliver | undefined;
  /** The last runs in order; what a new server is told. */
  private readonly runs = new Map<string, Message[]>();
  private remembered = 0;
  private inFlight = 0;
  private readonly dropped = new Map<string, number>();

  constructor(
    private readonly warn: (text: string) => void,
    private readonly keep = 4_000_000,
    private readonly window = 16_000_000,
  ) {}

  terminalData(params: TerminalData): void {
    this.post({ method: method.terminalData, params });
  }

  terminalEnd(params: TerminalEnd): void {
    this.post({ method: method.terminalEnd, params });
  }

  notebookOutput(params: NotebookOutput): void {
    // A cell's message holds all of its outputs, so the newest one says everything.
    const run = runOf({ method: method.notebookOutput, params });
    this.forgetRun(run);
    this.post({ method: method.notebookOutput, params });
  }

  /** A server is there: tell it what is known, then everything as it comes. */
  connect(deliver: Deliver): void {
    this.deliver = deliver;
    this.inFlight = 0;
    for (const message of [...this.runs.values()].flat()) this.send(message);
  }

  disconnect(): void {
    this.deliver = undefined;
  }

  /** After "clear", a restart must not bring the cleared incidents back. */
  forget(): void {
    this.runs.clear();
    this.remembered = 0;
  }

  private post(message: Message): void {
    this.remember(message);
    this.send(message);
  }

  private send(message: Message): void {
    const { deliver } = this;
    if (!deliver) return;
    const bytes = size(message);
    const run = runOf(message);
    if (bytes > 0 && this.inFlight + bytes > this.window) {
      if (!this.dropped.has(run)) this.warn(`output comes faster than the server takes it: a part is skipped (${run})`);
      this.dropped.set(run, (this.dropped.get(run) ?? 0) + bytes);
      return;
    }
    this.inFlight += bytes;
    deliver(message).then(
      () => { this.inFlight -= bytes; },
      (error: unknown) => {
        this.inFlight -= bytes;
        this.warn(`not delivered to the server: ${String(error)}`);
      },
    );
    if (message.method === method.terminalEnd) this.dropped.delete(run);
  }

  private remember(message: Message): void {
    const run = runOf(message);
    const messages = this.runs.get(run) ?? [];
    messages.push(message);
    this.runs.set(run, messages);
    this.remembered += size(message);
    for (const oldest of this.runs.keys()) {
      if (this.remembered <= this.keep) break;
      if (oldest !== run) {
        this.forgetRun(oldest);
        continue;
      }
      // A single run above the limit keeps its end: that is where errors stand.
      while (this.remembered > this.keep && messages.length > 1) {
        const first = messages.shift();
        if (first) this.remembered -= size(first);
      }
    }
  }

  private forgetRun(run: string): void {
    for (const message of this.runs.get(run) ?? []) this.remembered -= size(message);
    this.runs.delete(run);
  }
}
