/**
 * Starts and stops the server, one step after the other, never two at a time: restarts are queued, and asked for
 * twice while one waits they become one. A change that leaves the same server in place restarts nothing.
 */
import { sameServer, type Resolution, type ServerCommand } from './resolve';

export interface RunningServer {
  stop(): Promise<void>;
}

export interface Hooks {
  resolve(): Promise<Resolution>;
  start(command: ServerCommand): Promise<RunningServer>;
  starting(): void;
  started(command: ServerCommand): void;
  failed(reason: string): void;
  warn(text: string): void;
}

type Step = 'restart' | 'reconsider' | 'stop';

export class Lifecycle {
  private running: RunningServer | undefined;
  private command: ServerCommand | undefined;
  private queue: Promise<void> = Promise.resolve();
  private waiting: Step | undefined;

  constructor(private readonly hooks: Hooks) {}

  get current(): ServerCommand | undefined {
    return this.running ? this.command : undefined;
  }

  /** Start, or start again, whatever runs now. */
  restart(): Promise<void> {
    return this.enqueue('restart');
  }

  /** Something that decides about the server has changed; it may still be the same one. */
  reconsider(): Promise<void> {
    return this.enqueue('reconsider');
  }

  stop(): Promise<void> {
    return this.enqueue('stop');
  }

  private enqueue(step: Step): Promise<void> {
    const rank: readonly Step[] = ['reconsider', 'restart', 'stop'];
    if (this.waiting !== undefined) {
      // The step that waits has not looked at anything yet: the stronger of the two wishes is enough.
      if (rank.indexOf(step) > rank.indexOf(this.waiting)) this.waiting = step;
      return this.queue;
    }
    this.waiting = step;
    this.queue = this.queue.then(() => this.take());
    return this.queue;
  }

  private async take(): Promise<void> {
    const step = this.waiting;
    this.waiting = undefined;
    if (step === 'stop') {
      await this.halt();
      return;
    }
    const { server, warnings } = await this.hooks.resolve();
    // The last one is why there is no server, and is said as such.
    for (const warning of server ? warnings : warnings.slice(0, -1)) this.hooks.warn(warning);
    if (step === 'reconsider' && this.running && sameServer(server, this.command)) return;
    await this.halt();
    if (!server) {
      this.hooks.failed(warnings.at(-1) ?? 'no server was found');
      return;
    }
    this.command = server;
    this.hooks.starting();
    try {
      this.running = await this.hooks.start(server);
      this.hooks.started(server);
    } catch (error) {
      this.hooks.failed(error instanceof Error ? error.message : String(error));
    }
  }

  private async halt(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    try {
      await running?.stop();
    } catch (error) {
      this.hooks.warn(`the server did not stop in order: ${String(error)}`);
    }
  }
}
