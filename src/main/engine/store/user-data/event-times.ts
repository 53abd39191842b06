import type { Database } from '../file/database.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { workspaceOf } from './stored-events.ts';

/** How far the time of an event may be ahead of the best known time. A file with an event further ahead is refused. */
const maxAheadMs = 86_400_000;

const [firstMs, lastMs] = [Date.UTC(2000, 0, 1), Date.UTC(2999, 11, 31, 23, 59, 59, 999)];

/** Writes a time as `2026-03-01T12:00:00.000Z`, for the years 2000 to 2999, so that texts sort like times. */
const toStamp = (ms: number): string =>
  new Date(Number.isNaN(ms) ? firstMs : Math.min(Math.max(ms, firstMs), lastMs)).toISOString();

/** The key by which events are ordered, as SQL over `review_events` with this alias; it begins with a time. */
export const countsBy = (alias: string): string => `ifnull(${alias}.folds_at, ${alias}.at)`;
/**
 * The order of events: by that key, then by their original time, then by ID. This is newest first, for `review_events
 * e`; the index has the time with which the key begins.
 */
export const newestFirst = `e.key_ms DESC, ${countsBy('e')} DESC, e.at DESC, e.id DESC`;

/** The time with which a key begins. */
export const timeOf = (key: string): string => key.slice(0, 24);

interface Ordered {
  readonly key: string;
  readonly stampedAt: string;
  readonly id: string;
}
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
/** The same order, oldest first, as a comparison function. */
export const compareEvents = (a: Ordered, b: Ordered): number =>
  compare(a.key, b.key) || compare(a.stampedAt, b.stampedAt) || compare(a.id, b.id);

/** Marks the claims of an event to be updated in lists. */
export const queueEventSql = `INSERT OR REPLACE INTO claims_to_settle (workspace_id, claim_id)
  SELECT e.workspace_id, c.claim_id FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
  WHERE c.event_seq=?`;

/**
 * The times of an event: `at` is its original time. `folds_at` is set where the event is ordered by another time,
 * because `at` was ahead: that time, followed by the previous key, because several events may get the same time.
 */
export interface EventTimes {
  readonly at: string;
  readonly folds_at: string | null;
}
const keyOf = ({ at, folds_at }: EventTimes): string => folds_at ?? at;
const withKey = (at: string, key: string): EventTimes => ({ at, folds_at: key === at ? null : key });

/** The times of an event from another computer, as texts that sort by time. */
function readTimes({ at, folds_at }: EventTimes): EventTimes {
  const stamped = toStamp(Date.parse(at));
  return withKey(at, folds_at !== null && folds_at < stamped ? folds_at : stamped);
}

/** Whether an event of a file has a time from 2000 on that is not ahead. */
export function isPlausible({ at, folds_at }: EventTimes, nowMs: number): boolean {
  const ms = Date.parse(folds_at === null ? at : timeOf(folds_at));
  return ms >= firstMs && ms <= nowMs + maxAheadMs;
}

/** Whether the event was once ahead here, so that it is ordered by a time other than its own. */
export const wasAhead = ({ folds_at }: EventTimes): boolean => folds_at?.includes(' ') === true;

/** The times of an event that is already here and is received again: the earlier ones. */
export function joinTimes(here: EventTimes, other: EventTimes): EventTimes {
  const [ownKey, given] = [keyOf(here), keyOf(readTimes(other))];
  return withKey(other.at < here.at ? other.at : here.at, given < ownKey ? given : ownKey);
}

/**
 * Limits the times of events by the best known time. An event is ordered by its original time, unless that is more than
 * `maxAheadMs` ahead: then it is ordered by the current time, after all other events. If computers gave an event
 * different times, the earliest is used, so that computers with the same events agree.
 */
export function createEventTimes(
  database: Database,
  journal: Journal,
  moveEvent: (times: EventTimes & { readonly id: string }) => void,
) {
  // A team's server refused what was ahead by its own clock, so it does not matter here if this clock is behind.
  const newestUpTo = database
    .prepare(
      `SELECT ${countsBy('e')} FROM review_events e WHERE workspace=${workspaceOf('?')} AND (key_ms<? OR number IS NOT NULL)
       ORDER BY key_ms DESC LIMIT 1`,
    )
    .pluck();
  const findAhead = database.prepare(
    `SELECT id, seq, at, folds_at FROM review_events e WHERE workspace=${workspaceOf('?')} AND key_ms>=?
     AND number IS NULL ORDER BY key_ms, ${countsBy('e')}`,
  );
  const queueClaims = database.prepare(queueEventSql);
  /** The first time that counts as ahead. */
  const limitOf = (nowMs: number): string => toStamp(nowMs + maxAheadMs + 1);
  /** The newest time here that is not ahead, or belongs to an event in a team's log. */
  const newestMs = (workspaceId: string, nowMs: number): number => {
    const key = newestUpTo.get(workspaceId, Date.parse(limitOf(nowMs))) as string | undefined;
    return key === undefined ? 0 : Date.parse(timeOf(key));
  };

  /** Changes the times of a known event; returns the entry for the journal. */
  const move = (id: string, seq: number, times: EventTimes): JournalEntry => {
    moveEvent({ id, ...times });
    queueClaims.run(seq);
    return { kind: 'put', table: 'reviewTimes', row: { id, ...times } };
  };
  const bind = (times: EventTimes, workspaceId: string, nowMs: number): EventTimes => {
    const key = keyOf(times);
    if (key < limitOf(nowMs)) return times;
    return withKey(times.at, `${toStamp(Math.max(nowMs, newestMs(workspaceId, nowMs)))} ${key}`);
  };
  /** Gives events that are ahead a time that is not. */
  const bound = (workspaceId: string, nowMs: number): void => {
    const ahead = findAhead.all(workspaceId, Date.parse(limitOf(nowMs))) as (EventTimes & {
      readonly id: string;
      readonly seq: number;
    })[];
    const moved = ahead.map(({ id, seq, ...times }) => move(id, seq, bind(times, workspaceId, nowMs)));
    if (moved.length > 0) journal.append(...moved);
  };
  return {
    move,
    bound,
    /** The times of an event that was not here before. */
    take: (times: EventTimes, workspaceId: string, nowMs: number): EventTimes =>
      bind(readTimes(times), workspaceId, nowMs),
    /** The time of a new act: later than those of all events here. */
    stamp(workspaceId: string, nowMs: number): string {
      bound(workspaceId, nowMs);
      return toStamp(Math.max(nowMs, newestMs(workspaceId, nowMs) + 1));
    },
  };
}
