/** Bytes per second over the last few seconds, so that the figure neither jumps nor lags. */
const WINDOW_MS = 5_000;

export class Rate {
  private samples: { at: number; moved: number }[] = [];

  add(at: number, moved: number): void {
    this.samples.push({ at, moved });
    while (this.samples.length > 2 && at - (this.samples[1]?.at ?? at) > WINDOW_MS) this.samples.shift();
  }

  /** Null until there is half a second to judge by. */
  perSecond(): number | null {
    const first = this.samples[0];
    const last = this.samples.at(-1);
    if (!first || !last || last.at - first.at < 500) return null;
    return ((last.moved - first.moved) / (last.at - first.at)) * 1000;
  }

  clear(): void {
    this.samples = [];
  }
}
