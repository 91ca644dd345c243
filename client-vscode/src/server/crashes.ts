/** How often a server that dies is started again: a crash now and then is survived, a loop of crashes is not joined. */

export class CrashBudget {
  private readonly times: number[] = [];

  constructor(private readonly most = 5, private readonly withinMs = 180_000, private readonly now: () => number = Date.now) {}

  /** Notes a crash; true when one more start is in order. */
  allowRestart(): boolean {
    const at = this.now();
    this.times.push(at);
    while ((this.times[0] ?? at) < at - this.withinMs) this.times.shift();
    return this.times.length < this.most;
  }

  reset(): void {
    this.times.length = 0;
  }
}
