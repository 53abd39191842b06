import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { DeskError } from '../../lib/errors.ts';

/** The sizes of pages that are requested, largest first: services of this kind are known to support 1,000. */
const pageSizes = [1000, 500, 250, 100, 50] as const;
const largestPage = pageSizes[0];

/** Errors with which a service refuses a page that is too large. Never 401, 403 or 404, which have other causes. */
const causes: ReadonlySet<ErrorCode> = new Set([
  'service.badRequest',
  'service.unprocessable',
  'service.fault',
  'service.timeout',
  'service.connectionLost',
  'service.badReply',
  'service.replyTooLarge',
]);

/** How long the size that worked is used before the next larger one is tried, in milliseconds. */
const triedAgainAfterMs = 24 * 60 * 60 * 1000;

/** The next smaller size; null where there is none. */
export const smallerPage = (perPage: number): number | null =>
  pageSizes.find((size) => size < perPage) ?? null;

/** The sizes of the pages of one sync or refresh. */
export interface PageSizes {
  /**
   * The size for the start of a full read: the one that worked last, once a day the next larger one, a smaller one
   * after a refusal.
   */
  readonly current: number;
  /** The size that worked before. */
  readonly known: number;
  /** The size to request instead after this error; null where the size is not its cause, or no smaller one is left. */
  stepDown(perPage: number, thrown: unknown): number | null;
  /** Called when a page of this size was received; stores the size for the next sync if it changed. */
  keepServed(perPage: number): Promise<void>;
}

/**
 * Reduces the size where a service refuses large pages, and stores the size that worked (docs/service.md, "Lists and
 * values").
 *
 * @param keep stores the size for the workspace; null: the largest
 */
export function createPageSizes(options: {
  readonly kept: Workspace['pageSize'];
  readonly nowMs: number;
  readonly keep: (perPage: number | null) => Promise<void>;
}): PageSizes {
  const { kept } = options;
  const lastSize = kept?.perPage ?? largestPage;
  // Compared by distance, so that a time stored under a wrong clock does not count for years.
  const ageMs = Math.abs(options.nowMs - Date.parse(kept?.learnedAt ?? ''));
  const isDue = kept !== undefined && !(ageMs < triedAgainAfterMs);
  let isRefused = false;
  let remembered = lastSize;
  let current = isDue ? (pageSizes.findLast((size) => size > lastSize) ?? largestPage) : lastSize;
  return {
    known: lastSize,
    get current() {
      return current;
    },
    stepDown(perPage, thrown) {
      if (!(thrown instanceof DeskError) || !causes.has(thrown.code)) return null;
      // The service refuses pages of any size when it sends a long `Retry-After`.
      if (thrown.details?.retryAfterSeconds !== undefined) return null;
      const smaller = smallerPage(perPage);
      if (smaller === null) return null;
      isRefused = true;
      current = smaller;
      return smaller;
    },
    async keepServed(perPage) {
      if (!isRefused && perPage <= remembered) return;
      isRefused = false;
      remembered = perPage;
      await options.keep(perPage === largestPage ? null : perPage);
    },
  };
}
