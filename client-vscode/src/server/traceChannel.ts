/**
 * `detour.trace.server` as people know it. The language client looks at the log level of a channel instead; this one's
 * level follows the setting, and the channel itself is only made when something is traced.
 */
import type * as vscode from 'vscode';
import type { Editor } from '../editor';

type Parts = Pick<Editor, 'window' | 'EventEmitter' | 'LogLevel'>;

export class TraceChannel implements vscode.Disposable {
  private channel: vscode.OutputChannel | undefined;
  private readonly emitter: vscode.EventEmitter<vscode.LogLevel>;
  readonly output: vscode.LogOutputChannel;

  constructor(private readonly parts: Parts, private readonly enabled: () => boolean) {
    this.emitter = new parts.EventEmitter<vscode.LogLevel>();
    const write = (message: unknown, ...args: unknown[]): void => {
      if (!this.enabled()) return;
      this.channel ??= parts.window.createOutputChannel('Detour Trace');
      this.channel.appendLine([new Date().toISOString(), message, ...args].map(String).join(' '));
    };
    const level = (): vscode.LogLevel => this.level();
    this.output = {
      name: 'Detour Trace',
      get logLevel() { return level(); },
      onDidChangeLogLevel: this.emitter.event,
      trace: write, debug: write, info: write, warn: write, error: write,
      append: write, appendLine: write, replace: write,
      clear: () => { this.channel?.clear(); },
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- only one of its overloads is, and the type has both
      show: (): void => { this.channel?.show(true); },
      hide: () => { this.channel?.hide(); },
      dispose: () => { this.dispose(); },
    };
  }

  /** The setting has changed. */
  refresh(): void {
    this.emitter.fire(this.level());
  }

  dispose(): void {
    this.channel?.dispose();
    this.channel = undefined;
    this.emitter.dispose();
  }

  private level(): vscode.LogLevel {
    return this.enabled() ? this.parts.LogLevel.Trace : this.parts.LogLevel.Info;
  }
}
