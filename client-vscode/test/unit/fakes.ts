/** Stand-ins for the parts of VS Code that the modules under test are given. */
import type * as vscode from 'vscode';
import { Outbox, type Message } from '../../src/outbox';
import type { Incident } from '../../src/protocol';

export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): vscode.Disposable => {
    const own = (value: T): unknown => listener(value);
    this.listeners.add(own);
    return { dispose: () => this.listeners.delete(own) };
  };
  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  get count(): number {
    return this.listeners.size;
  }
}

/** An outbox that is connected from the start, and what went through it. */
export function recordingOutbox(): { outbox: Outbox; sent: Message[]; warnings: string[] } {
  const sent: Message[] = [];
  const warnings: string[] = [];
  const outbox = new Outbox((text) => warnings.push(text));
  outbox.connect((message) => {
    sent.push(message);
    return Promise.resolve();
  });
  return { outbox, sent, warnings };
}

/** Output of a program that a test writes piece by piece. */
export class Pipe implements AsyncIterable<string> {
  private readonly chunks: string[] = [];
  private done = false;
  private wake: () => void = () => undefined;

  write(chunk: string): void {
    this.chunks.push(chunk);
    this.wake();
  }

  end(): void {
    this.done = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    for (;;) {
      const chunk = this.chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.done) return;
      else await new Promise<void>((resolve) => { this.wake = resolve; });
    }
  }
}

export const uri = (text: string): vscode.Uri => ({
  scheme: text.split(':')[0] ?? '',
  fsPath: decodeURIComponent(text.replace(/^[a-z-]+:\/\//, '')),
  toString: () => text,
}) as unknown as vscode.Uri;

export const tick = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(what: string, done: () => boolean, ms = 2000): Promise<void> {
  const end = Date.now() + ms;
  while (!done()) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await tick(5);
  }
}

let keys = 0;
export function incident(part: Partial<Incident> = {}): Incident {
  keys += 1;
  return {
    key: `k${keys}`,
    record: 'cuda/out-of-memory',
    tier: 'reproduced',
    level: 'error',
    title: 'CUDA out of memory',
    message: 'torch.OutOfMemoryError: CUDA out of memory.',
    file: null,
    uri: null,
    line: null,
    ranks: [],
    count: 1,
    source: { kind: 'terminal', name: 'python train.py' },
    frame: null,
    fingerprint: `f${keys}`,
    ...part,
  };
}
