import { MS_PER_DAY } from './data/instants.ts';

/**
 * Two clocks. The server's clock is the machine's plus a skew; it is sent as `Date` and used for the JWT check without
 * tolerance (docs/service.md, "SSH-JWT"). The data's clock stays at noon of a fixed day until a test advances it
 * through the control address, so that the same seed gives the same data on any day.
 */
export class SandboxClock {
  private skewMs = 0;
  private advancedDays = 0;
  private editMs = 0;
  readonly today: number;

  constructor(today: number) {
    this.today = today;
  }

  /** The server's clock, in milliseconds. */
  serverNowMs(): number {
    return Date.now() + this.skewMs;
  }

  setSkewSeconds(seconds: number): void {
    this.skewMs = Math.round(seconds * 1000);
  }

  get skewSeconds(): number {
    return this.skewMs / 1000;
  }

  /** The data's clock, in milliseconds. */
  dataNowMs(): number {
    return (this.today + this.advancedDays) * MS_PER_DAY + MS_PER_DAY / 2 + this.editMs;
  }

  get days(): number {
    return this.advancedDays;
  }

  advanceDays(days: number): void {
    this.advancedDays += days;
  }

  /** Advances the data's clock by one millisecond, so that each edit has a different time. */
  tickEdit(): number {
    this.editMs += 1;
    return this.dataNowMs();
  }
}
