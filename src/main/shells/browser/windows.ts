import { randomBytes } from 'node:crypto';
import type { AnyEvent } from '../../../contract/events.ts';
import { isSameSecret } from '../../lib/loopback/caller-rules.ts';
import type { EventStream } from '../../lib/loopback/event-stream.ts';

interface Window {
  readonly token: string;
  /** The engine that the page was told of; its token is good for that one only. */
  readonly engineUrl: string;
  readonly streams: Set<EventStream>;
}

/** Pages that were loaded and went without a word are forgotten from this number on. */
const maxWindows = 64;

/**
 * The pages that were given out. Each has a token of its own; the stream of events that it holds open says
 * that it lives. When the last stream has been gone for `closedAfterMs` (longer than a reload takes),
 * `onAllClosed` is called.
 */
export function createWindows(options: { closedAfterMs: number; onAllClosed: () => void }) {
  let windows: Window[] = [];
  let closeTimer: NodeJS.Timeout | undefined;

  const find = (token: string): Window | undefined =>
    windows.find((window) => isSameSecret(token, window.token));
  const countStreams = (): number => windows.reduce((count, { streams }) => count + streams.size, 0);

  return {
    /** Makes the token of a new page. */
    open(engineUrl: string): string {
      const token = randomBytes(32).toString('base64url');
      windows.push({ token, engineUrl, streams: new Set() });
      if (windows.length > maxWindows) {
        const oldest = windows.find(({ streams }) => streams.size === 0) ?? windows[0];
        windows = windows.filter((window) => window !== oldest);
      }
      return token;
    },
    has: (token: string): boolean => find(token) !== undefined,
    /** The tokens of the pages that know the engine under this address. */
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
