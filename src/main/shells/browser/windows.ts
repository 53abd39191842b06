import { randomBytes } from 'node:crypto';
import type { AnyEvent } from '../../../contract/events.ts';
import type { Clock } from '../../lib/clock.ts';
import { isSameSecret } from '../../lib/loopback/caller-rules.ts';
import type { EventStream } from '../../lib/loopback/event-stream.ts';

interface Window {
  readonly token: string;
  /** The address of the engine that the page was given last; its token is valid for that engine only. */
  engineUrl: string;
  readonly streams: Set<EventStream>;
  /** When its token expires, until its first stream of events is opened. */
  expiresAtMs: number | null;
}

/** A window that has not opened a stream of events by then never will: its page did not load, or is not Claimdesk's. */
const firstStreamLimitMs = 60_000;
/** With more windows than this, the oldest one without a stream of events is removed. */
const maxWindows = 64;

/**
 * The windows that have a token. The token remains valid over a reload. A window is open as long as its page holds a
 * stream of events; the token of a page that opens none expires. `onAllClosed` is called when there has been no stream
 * for `closedAfterMs`, which is longer than a reload takes.
 */
export function createWindows(options: { clock: Clock; closedAfterMs: number; onAllClosed: () => void }) {
  const { clock } = options;
  let known: Window[] = [];
  let closeTimer: NodeJS.Timeout | undefined;

  /** The windows whose page is open, or may still load. */
  const current = (): Window[] => {
    known = known.filter(({ expiresAtMs }) => expiresAtMs === null || clock.now() < expiresAtMs);
    return known;
  };
  const find = (token: string): Window | undefined =>
    current().find((window) => isSameSecret(token, window.token));
  const countStreams = (): number => known.reduce((count, { streams }) => count + streams.size, 0);

  return {
    /** Makes the token of a new window. Its first part identifies the window and is no secret; the whole token is. */
    open(): string {
      const token = `${randomBytes(9).toString('base64url')}.${randomBytes(32).toString('base64url')}`;
      known.push({
        token,
        engineUrl: '',
        streams: new Set(),
        expiresAtMs: clock.now() + firstStreamLimitMs,
      });
      if (current().length > maxWindows) {
        const oldest = known.find(({ streams }) => streams.size === 0) ?? known[0];
        known = known.filter((window) => window !== oldest);
      }
      return token;
    },
    has: (token: string): boolean => find(token) !== undefined,
    get isEmpty(): boolean {
      return current().length === 0;
    },
    get tokens(): string[] {
      return current().map(({ token }) => token);
    },
    setEngine(token: string, engineUrl: string): void {
      const window = find(token);
      if (window !== undefined) window.engineUrl = engineUrl;
    },
    /** The tokens of the windows that were given the engine at this address. */
    tokensFor: (engineUrl: string): string[] =>
      current()
        .filter((window) => window.engineUrl === engineUrl)
        .map(({ token }) => token),
    /** Attaches the stream of a page. Returns the function to call when the stream has closed. */
    attach(token: string, stream: EventStream): () => void {
      const window = find(token);
      if (window !== undefined) window.expiresAtMs = null;
      window?.streams.add(stream);
      clearTimeout(closeTimer);
      return () => {
        window?.streams.delete(stream);
        if (countStreams() > 0) return;
        clearTimeout(closeTimer);
        closeTimer = setTimeout(options.onAllClosed, options.closedAfterMs);
      };
    },
    send(event: AnyEvent): void {
      for (const { streams } of known) for (const stream of streams) stream.send(event);
    },
    close(): void {
      clearTimeout(closeTimer);
      known = [];
    },
  };
}

export type Windows = ReturnType<typeof createWindows>;
