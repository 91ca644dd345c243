/** Recognised lines in terminals are links to their card. Asked for per line under the mouse, so one cheap question each. */
import type * as vscode from 'vscode';
import { method, type LineMatch, type Server } from '../protocol';

export interface CardLink extends vscode.TerminalLink {
  readonly record: string;
  readonly text: string;
}

/** A line longer than this is data, not a message. */
const LONGEST = 4000;
const ANSWER_MS = 1000;

/** The offset of a code point in JavaScript's units, kept inside the line. */
export function utf16(line: string, codePoints: number): number {
  let units = 0;
  for (let n = 0; n < codePoints && units < line.length; n += 1) units += (line.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

export class TerminalLinks implements vscode.TerminalLinkProvider<CardLink> {
  constructor(
    private readonly server: () => Server | undefined,
    private readonly enabled: () => boolean,
    private readonly open: (record: string, text: string) => void,
  ) {}

  async provideTerminalLinks({ line }: Pick<vscode.TerminalLinkContext, 'line'>): Promise<CardLink[]> {
    const server = this.server();
    if (!server || !this.enabled() || line.trim() === '' || line.length > LONGEST) return [];
    const matches = await Promise.race([this.ask(server, line), new Promise<LineMatch[]>((resolve) => setTimeout(() => { resolve([]); }, ANSWER_MS))]);
    return matches
      .map((m) => ({ ...m, start: utf16(line, m.start), end: utf16(line, m.end) }))
      .filter((m) => m.line === 0 && m.end > m.start)
      .map((m) => ({ startIndex: m.start, length: m.end - m.start, tooltip: m.title, record: m.record, text: line.slice(m.start, m.end) }));
  }

  handleTerminalLink(link: CardLink): void {
    this.open(link.record, link.text);
  }

  private async ask(server: Server, line: string): Promise<LineMatch[]> {
    try {
      const { matches } = await server.request<{ matches: LineMatch[] }>(method.matchLines, { lines: [line] });
      return matches;
    } catch {
      // A server that is being restarted answers no question; the next mouse move asks again.
      return [];
    }
  }
}
