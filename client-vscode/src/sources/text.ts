/** Text that a person hands over: clipboard, a selection in an editor or a terminal, a failed test's message. */
import type * as vscode from 'vscode';
import type { Outbox } from '../outbox';
import type { Incident } from '../protocol';
import { nextExecutionId } from './runs';

export type Origin = 'clipboard' | 'selection' | 'terminal selection' | 'test';

/** The server reads in order, so the answer comes with the next lists; it need not be waited for longer than this. */
const ANSWER_MS = 5000;

export interface IncidentFeed {
  readonly incidents: readonly Incident[];
  onChange(listener: () => void): vscode.Disposable;
}

export class TextSource {
  constructor(private readonly outbox: Outbox, private readonly feed: IncidentFeed, private readonly fence: () => Promise<unknown>) {}

  /** Hands the text to the server and returns the incidents that it found in it. */
  async analyse(origin: Origin, text: string): Promise<readonly Incident[]> {
    const before = new Set(this.feed.incidents.map((i) => i.key));
    const run = { terminalId: 'clipboard:', executionId: nextExecutionId() };
    const fresh = () => this.feed.incidents.filter((i) => i.source.kind === 'text' && !before.has(i.key));
    const known = () => this.feed.incidents.filter((i) => i.source.kind === 'text');
    const changed = new Promise<void>((resolve) => {
      const timer = setTimeout(() => { subscription.dispose(); resolve(); }, ANSWER_MS);
      const subscription = this.feed.onChange(() => {
        if (known().length === 0) return;
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      });
    });
    this.outbox.terminalData({ ...run, commandLine: origin, cwd: null, data: text.endsWith('\n') ? text : `${text}\n` });
    this.outbox.terminalEnd({ ...run, exitCode: null, noData: false });
    await this.fence();
    await Promise.race([changed, new Promise((resolve) => setTimeout(resolve, ANSWER_MS / 5))]);
    const found = fresh();
    return found.length > 0 ? found : known();
  }
}

/** What the context menu of a failed test hands to a command: a message, or something that holds one. */
export function testMessageText(argument: unknown): string {
  const texts: string[] = [];
  const add = (value: unknown): void => {
    if (typeof value === 'string' && value !== '') texts.push(value);
    else if (typeof value === 'object' && value !== null && 'value' in value) add(value.value);
  };
  const message: unknown = typeof argument === 'object' && argument !== null && 'message' in argument ? argument.message : argument;
  if (typeof message === 'object' && message !== null && 'message' in message) add(message.message);
  else add(message);
  if (typeof message === 'object' && message !== null) {
    if ('actualOutput' in message) add(message.actualOutput);
  }
  return texts.join('\n');
}
