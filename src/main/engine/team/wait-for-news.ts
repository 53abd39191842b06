import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import type { Leases } from '../../../team-protocol/leases.ts';
import { DeskError } from '../../lib/errors.ts';
import type { TeamClient } from './team-client.ts';

/** How new entries are reported: over a stream that stays open, or as answers to requests that wait. */
type NewsSource = 'stream' | 'requests';

/** The newest entry and part that the server reported. `entries`: the entries up to it, if the stream sent them. */
export interface News {
  readonly number: number;
  readonly parts: number;
  readonly entries?: readonly NumberedEntry[];
}

/** The server sends something as soon as a stream is open; after this long, a proxy is holding it back. */
const firstBytesMs = 5_000;
/** How long requests are used before the stream is tried again. */
const tryAgainMs = 600_000;
/** The most entries that are collected while nothing waits for news; more are read from the server instead. */
const maxCollected = 500;

interface Stream {
  readonly ended: AbortController;
  hasBegun: boolean;
  isOver: boolean;
  news: News | null;
  wake: () => void;
}

/** Opens the stream after these news. `onLeases`: no longer called once the stream is ended. */
function openStream(
  client: Pick<TeamClient, 'live'>,
  { number, parts }: News,
  onLeases: (leases: Leases) => void,
): Stream {
  const stream: Stream = {
    ...{ ended: new AbortController(), hasBegun: false, isOver: false, news: null },
    wake: () => undefined,
  };
  const take = (news: News): void => {
    stream.news = news;
    stream.wake();
  };
  let newest = parts;
  void client
    .live(number, {
      signal: stream.ended.signal,
      onBytes() {
        stream.hasBegun = true;
        stream.wake();
      },
      onHead(head) {
        newest = head.parts;
        take({ number: head.number, parts: head.parts });
      },
      onEntries(page) {
        const entries = [...(stream.news?.entries ?? []), ...page];
        const last = page.at(-1)?.number;
        if (last === undefined) return;
        take({ number: last, parts: newest, entries: entries.length > maxCollected ? [] : entries });
      },
      onLeases(leases) {
        if (!stream.ended.signal.aborted) onLeases(leases);
      },
    })
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true;
      stream.wake();
    });
  return stream;
}

/**
 * Waits for news of a team over an event stream, which stays open from one wait to the next. If the stream is held
 * back, for example by a proxy that buffers, it waits with requests. `onLeases` receives who has which claim open, as
 * soon as the server sends it; null while the server can't be reached.
 */
export function createNews(
  client: Pick<TeamClient, 'live' | 'head'>,
  onLeases: (leases: Leases | null) => void = () => undefined,
  firstMs = firstBytesMs,
) {
  let stream: Stream | null = null;
  let leasesVersion = '';
  let heldUntilMs = Number.NEGATIVE_INFINITY;

  const receiveLeases = (leases: Leases | null): void => {
    leasesVersion = leases?.version ?? '';
    onLeases(leases);
  };
  const ask = async ({ number, parts }: News, signal: AbortSignal): Promise<News> => {
    const head = await client.head({ after: number, parts, leases: leasesVersion, signal });
    if (head.leases !== undefined) receiveLeases(head.leases);
    return head;
  };

  const close = (): void => {
    stream?.ended.abort();
    stream = null;
    receiveLeases(null);
  };

  return {
    source: (): NewsSource => (performance.now() < heldUntilMs ? 'requests' : 'stream'),
    /**
     * Resolves with news that are not `known`; null: the stream ended, so the server has to be asked.
     * @throws DeskError `sync.canceled` on `signal`; `team.*` from a request
     */
    async wait(knownHead: News, signal: AbortSignal): Promise<News | null> {
      const { number, parts } = knownHead;
      if (performance.now() < heldUntilMs) return ask(knownHead, signal);
      stream ??= openStream(client, knownHead, receiveLeases);
      const current = stream;
      const began = performance.now();
      for (;;) {
        const { news } = current;
        current.news = null;
        // A head with a smaller number is from a restored server; entries with smaller numbers were already read.
        if (news?.entries === undefined) {
          if (news !== null && (news.number !== number || news.parts !== parts)) return news;
        } else if (news.number > number) return { ...news, parts: Math.max(news.parts, parts) };
        if (signal.aborted) throw new DeskError('sync.canceled');
        const isHeld = !current.hasBegun && (current.isOver || performance.now() - began >= firstMs);
        if (isHeld || current.isOver) {
          close();
          if (!isHeld) return null;
          heldUntilMs = performance.now() + tryAgainMs;
          return ask(knownHead, signal);
        }
        await new Promise<void>((resolve) => {
          const timer = current.hasBegun ? undefined : setTimeout(resolve, firstMs);
          current.wake = () => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener('abort', current.wake, { once: true });
        });
      }
    },
    /** Ends the stream. Until the next wait, nothing is known about leases. */
    close,
  };
}
