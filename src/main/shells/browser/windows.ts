import { randomBytes } from 'node:crypto';
import type { AnyEvent } from '../../../contract/events.ts';
import { isSameSecret } from '../../lib/loopback/caller-rules.ts';
import type { EventStream } from '../../lib/loopback/event-stream.ts';

interface Window {
  readonly token: string;
  /** The address of the engine that the page was given last; its token is valid for that engine only. */
  engineUrl: string;
  readonly streams: Set<EventStream>;
  /** A timer that runs until the page opens its first stream of events; the token expires with it. */
  readonly unopened: NodeJS.Timeout;
}

/** After this time without a stream of events, the page of a window did not load, or is not Claimdesk's. */
const usualUnopenedMs = 60_000;
/** The oldest window without a stream of events is removed when there are more windows than this. */
const maxWindows = 64;

/**
 * The windows that have a token. The token remains valid over a reload. A window is open as long as its page holds a
 * stream of events; the token of a page that opens none expires. `onRemoved` is called after a token became invalid,
 * because the engine has to refuse it too; `onAllClosed` when there has been no stream for `closedAfterMs`, which is
 * longer than a reload takes.
 */
export function createWindows(options: {
  closedAfterMs: number;
  unopenedAfterMs?: number | undefined;
  onAllClosed: () => void;
  onRemoved: () => void;
}) {
  let openWindows: Window[] = [];
  let closeTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const find = (token: string): Window | undefined =>
    openWindows.find((window) => isSameSecret(token, window.token));
  const remove = (token: string): void => {
    clearTimeout(find(token)?.unopened);
    openWindows = openWindows.filter((window) => window.token !== token);
    options.onRemoved();
  };
  const countStreams = (): number => openWindows.reduce((count, { streams }) => count + streams.size, 0);

  return {
    /** Makes the token of a new window. Its first part identifies the window and is no secret; the whole token is. */
    open(): string {
      const token = `${randomBytes(9).toString('base64url')}.${randomBytes(32).toString('base64url')}`;
      const unopened = setTimeout(() => remove(token), options.unopenedAfterMs ?? usualUnopenedMs).unref();
      openWindows.push({ token, engineUrl: '', streams: new Set(), unopened });
      if (openWindows.length > maxWindows) {
        const oldest = openWindows.find(({ streams }) => streams.size === 0) ?? openWindows[0];
        remove(oldest?.token ?? '');
      }
      return token;
    },
    has: (token: string): boolean => find(token) !== undefined,
    get isEmpty(): boolean {
      return openWindows.length === 0;
    },
    get tokens(): string[] {
      return openWindows.map(({ token }) => token);
    },
    setEngine(token: string, engineUrl: string): void {
      const window = find(token);
      if (window !== undefined) window.engineUrl = engineUrl;
    },
    /** The tokens of the windows that were given the engine at this address. */
    tokensFor: (engineUrl: string): string[] =>
      openWindows.filter((window) => window.engineUrl === engineUrl).map(({ token }) => token),
    /** Attaches the stream of a page. Returns the function to call when the stream has closed. */
    attach(token: string, stream: EventStream): () => void {
      const window = find(token);
      clearTimeout(window?.unopened);
      window?.streams.add(stream);
      clearTimeout(closeTimer);
      return () => {
        window?.streams.delete(stream);
        // When the shell ends, its streams close afterwards; a timer would keep the process alive.
        if (isClosed || countStreams() > 0) return;
        clearTimeout(closeTimer);
        closeTimer = setTimeout(options.onAllClosed, options.closedAfterMs);
      };
    },
    send(event: AnyEvent): void {
      for (const { streams } of openWindows) for (const stream of streams) stream.send(event);
    },
    close(): void {
      isClosed = true;
      clearTimeout(closeTimer);
      for (const { unopened } of openWindows) clearTimeout(unopened);
      openWindows = [];
    },
  };
}

export type Windows = ReturnType<typeof createWindows>;
