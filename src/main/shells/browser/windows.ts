import { randomBytes } from 'node:crypto';
import type { AnyEvent } from '../../../contract/events.ts';
import { isSameSecret } from '../../lib/loopback/caller-rules.ts';
import type { EventStream } from '../../lib/loopback/event-stream.ts';

interface Window {
  readonly token: string;
  /** The engine that the page was told of last; its token is good for that one only. */
  engineUrl: string;
  readonly streams: Set<EventStream>;
}

/** Windows that went without a word are forgotten from this number on. */
const maxWindows = 64;

/**
 * The windows that were let in. Each has a token of its own, which outlives a reload; the stream of events that its
 * page holds open says that it lives. When the last stream has been gone for `closedAfterMs` (longer than a reload takes),
 * `onAllClosed` is called.
 */
export function createWindows(options: { closedAfterMs: number; onAllClosed: () => void }) {
  let windows: Window[] = [];
  let closeTimer: NodeJS.Timeout | undefined;

  const find = (token: string): Window | undefined =>
    windows.find((window) => isSameSecret(token, window.token));
  const countStreams = (): number => windows.reduce((count, { streams }) => count + streams.size, 0);

  return {
    /** Makes the token of a new window. Its first part names the window and is no secret; the whole is. */
    open(): string {
      const token = `${randomBytes(9).toString('base64url')}.${randomBytes(32).toString('base64url')}`;
      windows.push({ token, engineUrl: '', streams: new Set() });
      if (windows.length > maxWindows) {
        const oldest = windows.find(({ streams }) => streams.size === 0) ?? windows[0];
        windows = windows.filter((window) => window !== oldest);
      }
      return token;
    },
    has: (token: string): boolean => find(token) !== undefined,
    get isEmpty(): boolean {
      return windows.length === 0;
    },
    get tokens(): string[] {
      return windows.map(({ token }) => token);
    },
    setEngine(token: string, engineUrl: string): void {
      const window = find(token);
      if (window !== undefined) window.engineUrl = engineUrl;
    },
    /** The tokens of the windows that know the engine under this address. */
    tokensFor: (engineUrl: string): string[] =>
      windows.filter((window) => window.engineUrl === engineUrl).map(({ token }) => token),
    /** Attaches the stream of a page. Returns the function that is to be called when it has closed. */
    attach(token: string, stream: EventStream): () => void {
      const window = find(token);
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
      for (const { streams } of windows) for (const stream of streams) stream.send(event);
    },
    close(): void {
      clearTimeout(closeTimer);
      windows = [];
    },
  };
}

export type Windows = ReturnType<typeof createWindows>;
