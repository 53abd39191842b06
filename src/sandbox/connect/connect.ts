import { randomBytes, randomUUID } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import type { SandboxClock } from '../clock.ts';
import type { World } from '../data/world.ts';
import { createDemoDirectory } from './demo-directory.ts';
import { Integrations } from './integrations.ts';
import { PatientAccess } from './patient-access.ts';
import { type Connection, Realm } from './realm.ts';
import { type ConnectBehavior, DEFAULT_SETTINGS } from './settings.ts';
import { Validations } from './validations.ts';
import { connectTenants, createWorldDirectory } from './world-directory.ts';

type TokenKind = 'access' | 'task';

type ReadToken =
  | { readonly verdict: 'good' | 'expired'; readonly id: string; readonly subject: string }
  | { readonly verdict: 'bad' };

/** docs/service.md, "Limits": one hour. The task token's ten minutes: docs/service.md, "Event stream". */
const TOKEN_SECONDS: Readonly<Record<TokenKind, number>> = { access: 3600, task: 600 };

/** Signs and reads the service's own short-lived tokens, by the server's clock. */
export class TokenMint {
  private readonly secret = randomBytes(32);
  /**
   * Number of the current generation of each kind. Tokens of an earlier one count as expired, so that a test can expire
   * all tokens of a kind at once.
   */
  private readonly generations: Record<TokenKind, number> = { access: 0, task: 0 };
  private readonly minted: Record<TokenKind, number> = { access: 0, task: 0 };

  /** @param subject what the token identifies: a public Connect token, a task */
  async mint(kind: TokenKind, subject: string, nowMs: number): Promise<string> {
    this.minted[kind] += 1;
    const now = Math.floor(nowMs / 1000);
    return new SignJWT({ generation: this.generations[kind] })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience(kind)
      .setSubject(subject)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS[kind])
      .sign(this.secret);
  }

  async read(kind: TokenKind, token: string, nowMs: number): Promise<ReadToken> {
    try {
      const { payload } = await jwtVerify(token, this.secret, {
        audience: kind,
        algorithms: ['HS256'],
        currentDate: new Date(nowMs),
      });
      const verdict = payload.generation === this.generations[kind] ? 'good' : 'expired';
      return { verdict, id: String(payload.jti), subject: String(payload.sub) };
    } catch (error) {
      if (!(error instanceof errors.JWTExpired)) return { verdict: 'bad' };
      const { jti, sub } = decodeJwt(token);
      return { verdict: 'expired', id: String(jti), subject: String(sub) };
    }
  }

  expireAll(kind: TokenKind): void {
    this.generations[kind] += 1;
  }

  get counts(): Readonly<Record<TokenKind, number>> {
    return this.minted;
  }
}

export const FIRST_CLAIMS = 5;

/** A running crawl, started when the carrier accepted a login. */
type Crawl = { readonly connection: Connection; readonly realm: Realm; readonly begunMs: number };

/**
 * Runs crawls by the server's clock. docs/service.md, "Connect calls": an accepted login is `valid` before there are
 * any claims; about five arrive after a success, together with the first `last_successful_crawl_end`.
 */
export class Crawls {
  private readonly clock: SandboxClock;
  private readonly settings: () => ConnectBehavior;
  private readonly running = new Map<Connection, Crawl>();
  private timer: NodeJS.Timeout | undefined;

  constructor(clock: SandboxClock, settings: () => ConnectBehavior) {
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

const KEPT = 5000;

/** The session cookies that replies have set, and the member of the request each was set on. */
export class CookieJarWatch {
  private readonly owners = new Map<string, string>();

  /** A cookie value for one reply. */
  issue(): string {
    return randomUUID();
  }

  /** Records the member of a cookie, to detect when it comes back with another's request. */
  own(value: string, email: string): void {
    this.owners.set(value, email.trim().toLowerCase());
    const oldest = this.owners.keys().next().value;
    if (this.owners.size > KEPT && oldest !== undefined) this.owners.delete(oldest);
  }

  /**
   * Whether a `Cookie` header has a cookie that was set on another member's request. docs/service.md, "Connect
   * requests".
   */
  isOfAnother(header: string, email: string): boolean {
    return header
      .split(';')
      .map((pair) => this.owners.get(pair.trim().split('=')[1] ?? ''))
      .some((owner) => owner !== undefined && owner !== email.trim().toLowerCase());
  }
}

/** The state of the Connect side of the service. */
export type Connect = {
  readonly integrations: Integrations;
  readonly tokens: TokenMint;
  readonly production: Realm;
  readonly demo: Realm;
  readonly validations: Validations;
  readonly crawls: Crawls;
  readonly patientAccess: PatientAccess;
  readonly cookies: CookieJarWatch;
  /** Functions that end the open streams, for the control address. */
  readonly openStreams: Set<(how: 'end' | 'reset') => void>;
  settings: ConnectBehavior;
};

export function createConnect(world: World, clock: SandboxClock): Connect {
  const settings = (): ConnectBehavior => connect.settings;
  const crawl = (connection: Connection): void => {
    const { production, demo, crawls } = connect;
    crawls.begin(connection, production.findConnection(connection.id) === connection ? production : demo);
  };
  const connect: Connect = {
    integrations: new Integrations(connectTenants(world)),
    tokens: new TokenMint(),
    production: new Realm('production', createWorldDirectory(world)),
    demo: new Realm('demo', createDemoDirectory(clock)),
    validations: new Validations(clock, settings, crawl),
    crawls: new Crawls(clock, settings),
    patientAccess: new PatientAccess(clock, crawl),
    cookies: new CookieJarWatch(),
    openStreams: new Set(),
    settings: DEFAULT_SETTINGS,
  };
  return connect;
}
