import type { SandboxClock } from '../clock.ts';
import type { Connection, Realm } from './realm.ts';
import type { ConnectSettings } from './settings.ts';

/** Number of claims of a first crawl. */
export const FIRST_CLAIMS = 5;

/** A running crawl, started when the carrier accepted a login. */
type Crawl = { readonly connection: Connection; readonly realm: Realm; readonly begunMs: number };

/**
 * Runs crawls by the server's clock. docs/service.md, "Connect calls": an accepted login is `valid` before there are
 * any claims; about five arrive after a success, together with the first `last_successful_crawl_end`.
 */
export class Crawls {
  private readonly clock: SandboxClock;
  private readonly settings: () => ConnectSettings;
  private readonly running = new Map<Connection, Crawl>();
  private timer: NodeJS.Timeout | undefined;

  constructor(clock: SandboxClock, settings: () => ConnectSettings) {
    this.clock = clock;
    this.settings = settings;
  }

  /** Starts a crawl; one that still runs for the connection continues instead. */
  begin(connection: Connection, realm: Realm): void {
    if (!this.running.has(connection))
      this.running.set(connection, { connection, realm, begunMs: this.clock.serverNowMs() });
    this.clockMoved();
  }

  /** To be called when the clock or the settings changed: runs everything that is due now. */
  clockMoved(): void {
    clearTimeout(this.timer);
    const { crawlMs } = this.settings();
    const nowMs = this.clock.serverNowMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const crawl of [...this.running.values()]) {
      const dueMs = crawl.begunMs + crawlMs;
      if (dueMs <= nowMs) this.finish(crawl);
      else nextMs = Math.min(nextMs, dueMs);
    }
    if (nextMs === Number.POSITIVE_INFINITY) return;
    this.timer = setTimeout(() => this.clockMoved(), nextMs - nowMs);
    this.timer.unref();
  }

  private finish({ connection, realm }: Crawl): void {
    this.running.delete(connection);
    // A login that stopped working since then fetches nothing.
    if (connection.loginProblem !== 'valid') return;
    const { directory } = realm;
    if (directory.claimsOf(connection.id).count === 0)
      directory.addClaims(connection.id, connection.memberId, FIRST_CLAIMS);
    connection.lastCrawlEnd = directory.nowText();
  }
}
