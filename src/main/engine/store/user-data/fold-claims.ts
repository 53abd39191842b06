import { placedKinds } from '../../../../rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../../../rules/review/fold-review.ts';
import { foldReview, readFact } from '../../../../rules/review/fold-review.ts';
import type { FoldedReview, ReviewDetail } from '../../../../rules/review/folded-review.ts';
import type { Database } from '../file/database.ts';
import { listWithSeveral, readComputers } from './certificates.ts';
import { createDoneSums, listDoneDays } from './done-days.ts';
import { createPlaceReader, isListedInRemoval } from './event-places.ts';
import { compareEvents, countsBy, timeOf } from './event-times.ts';
import { createKeptReader } from './kept-values.ts';
import { workspaceOf } from './stored-events.ts';
import { doubtSql } from './team-doubts.ts';

type ReadEvent = FoldedEvent & { readonly key: string; readonly stampedAt: string };
type SharedEvent = Omit<ReadEvent, 'digest' | 'detail'>;
/** The events of a claim. `failure`: what was thrown where one of them can't be read; that event is left out. */
type ClaimEvents = {
  readonly claimId: number;
  readonly events: readonly FoldedEvent[];
  readonly failure: unknown;
};
/** Claim, event, digest and detail, ordered by claim. */
type FoldRow = readonly [number, number, string | null, string | null];

const foldColumns = 'SELECT claim_id, event_seq, digest, detail FROM review_event_claims';

const readRowsOf = (database: Database, claimIds: readonly number[]): Iterable<FoldRow> =>
  database
    .prepare(`${foldColumns} WHERE claim_id IN (SELECT value FROM json_each(?)) ORDER BY claim_id`)
    .raw()
    .iterate(JSON.stringify(claimIds)) as Iterable<FoldRow>;

/** Reads what events have in common for all of their claims, each event once; null for events of newer versions. */
function createEventReader(database: Database, workspaceId: string): (seq: number) => SharedEvent | null {
  const readEvent = database.prepare(
    `SELECT id, workspace_id AS workspaceId, ${countsBy('e')} AS key, at AS stampedAt, author, undoes, fact,
       is_imported=1 AND number IS NULL AND NOT ${isListedInRemoval} AS isUnsigned, ${doubtSql} AS doubt
     FROM review_events e WHERE seq=?`,
  );
  type EventRow = Omit<SharedEvent, 'at' | 'fact' | 'isUnsigned' | 'doubt'> & {
    workspaceId: string;
    fact: string;
    isUnsigned: number;
    doubt: number | null;
  };
  const read = (seq: number): SharedEvent | null => {
    const row = readEvent.get(seq) as EventRow | undefined;
    const fact = row === undefined || row.workspaceId !== workspaceId ? null : readFact(row.fact);
    if (row === undefined || fact === null) return null;
    const { id, key, stampedAt, author, undoes } = row;
    const signed = row.isUnsigned === 1 ? { isUnsigned: true as const } : {};
    const doubted =
      row.doubt === null ? {} : { doubt: row.doubt === 1 ? ('denied' as const) : ('open' as const) };
    return { id, key, at: timeOf(key), stampedAt, author, undoes, fact, ...signed, ...doubted };
  };
  const eventBySeq = new Map<number, SharedEvent | null>();
  return (seq) => {
    let event = eventBySeq.get(seq);
    if (event === undefined) {
      event = read(seq);
      eventBySeq.set(seq, event);
    }
    return event;
  };
}

const isPlaced = ({ fact }: Pick<FoldedEvent, 'fact'>): boolean => placedKinds.includes(fact.kind);

/**
 * Whether a claim may have been decided or paid on several computers. Most were on one only, and for them nothing more
 * is read. `several`: the people who have several computers.
 */
function isByMany(events: readonly FoldedEvent[], several: ReadonlySet<string>): boolean {
  // Who answers an appeal matters, even if others did nothing else about the claim.
  if (events.some(({ fact }) => fact.kind === 'answerAppeal')) return true;
  const first = events.find(isPlaced);
  const isOther = (event: FoldedEvent): boolean =>
    event !== first && isPlaced(event) && (event.author !== first?.author || several.has(event.author));
  return first !== undefined && events.some(isOther);
}

/** The events of claims in order of the claims' IDs; those of a claim in their order. */
function* readClaims(
  database: Database,
  workspaceId: string,
  rows: Iterable<FoldRow>,
): Generator<ClaimEvents> {
  const eventOf = createEventReader(database, workspaceId);
  let current: number | null = null;
  let events: ReadEvent[] = [];
  let failure: unknown = null;
  const placeOf = createPlaceReader(database, workspaceId);
  const several = listWithSeveral(placeOf === null ? [] : readComputers(database, workspaceId).values());
  const end = function* (): Generator<ClaimEvents> {
    if (current === null || (events.length === 0 && failure === null)) return;
    events.sort(compareEvents);
    const isShared = placeOf !== null && isByMany(events, several);
    yield {
      claimId: current,
      failure,
      events: isShared
        ? events.map((event) => (isPlaced(event) ? { ...event, place: placeOf(event.id) } : event))
        : events,
    };
  };
  for (const [claimId, seq, digest, detail] of rows) {
    if (claimId !== current) {
      yield* end();
      current = claimId;
      [events, failure] = [[], null];
    }
    try {
      const event = eventOf(seq);
      if (event === null) continue;
      const claimDetail = detail === null ? null : (JSON.parse(detail) as ReviewDetail);
      events.push({ ...event, digest, detail: claimDetail });
    } catch (thrown) {
      // Text that is not JSON is a problem of this event only; anything else concerns the file.
      if (!(thrown instanceof SyntaxError)) throw thrown;
      failure = thrown;
    }
  }
  yield* end();
}

/** The reviews of these claims, in order of their IDs; claims without an event are left out. Null: all claims. */
export function foldReviews(
  database: Database,
  request: { workspaceId: string; claimIds: readonly number[] | null },
): FoldedReview[] {
  const rows =
    request.claimIds === null
      ? (database.prepare(`${foldColumns} ORDER BY claim_id`).raw().iterate() as Iterable<FoldRow>)
      : readRowsOf(database, request.claimIds);
  const folded: FoldedReview[] = [];
  for (const claim of readClaims(database, request.workspaceId, rows)) folded.push(foldContained(claim));
  return folded;
}

/**
 * Folds as `foldReview` does. If that throws, returns a review without events that has the failure: one odd
 * event does not stop the reviews of other claims.
 */
export function foldContained(
  {
    claimId,
    events,
    failure = null,
  }: Pick<ClaimEvents, 'claimId' | 'events'> & { readonly failure?: unknown },
  fold: typeof foldReview = foldReview,
): FoldedReview {
  try {
    if (failure !== null) throw failure;
    return fold(claimId, events);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...foldReview(claimId, []), failure: `Review: unexpected error (${why})` };
  }
}

/** The events of a claim in their order. */
export function readClaimEvents(
  database: Database,
  { workspaceId, claimId }: { workspaceId: string; claimId: number },
): readonly FoldedEvent[] {
  const [claim] = readClaims(database, workspaceId, readRowsOf(database, [claimId]));
  return claim?.events ?? [];
}

/** The same as `listDoneDays`; none where the events of a claim can't be read. */
function listDoneContained({ events, failure }: ClaimEvents): ReturnType<typeof listDoneDays> {
  try {
    return failure === null ? listDoneDays(events) : [];
  } catch {
    return [];
  }
}

/**
 * Counts completed claims by local day and outcome, in parts, beginning after a claim's ID; `next` is the ID for the
 * next part, null after the last. A claim whose events can't be read is in Exceptions and is not counted.
 */
export function sumDone(database: Database, request: { workspaceId: string; after: number; limit: number }) {
  const ids = database
    .prepare('SELECT DISTINCT claim_id FROM review_event_claims WHERE claim_id>? ORDER BY claim_id LIMIT ?')
    .pluck()
    .all(request.after, request.limit) as number[];
  const { sums, add } = createDoneSums();
  for (const claim of readClaims(database, request.workspaceId, readRowsOf(database, ids))) {
    for (const { day, outcome, isReopened } of listDoneContained(claim))
      add({ day, outcome, claims: 1, reopened: Number(isReopened) });
  }
  return { done: [...sums.values()], next: ids.length < request.limit ? null : (ids.at(-1) ?? null) };
}

/**
 * The values stored with the reviews of claims, and the values they were last compared with, in the event `comparedIn`;
 * null where these are the same.
 */
export function readCompared(database: Database, request: { workspaceId: string; claimIds: number[] }) {
  const { workspaceId } = request;
  const readValues = createKeptReader(database);
  return foldReviews(database, request).flatMap(
    ({ claimId, reviewedIn, paidIn, comparedIn, hasReturned }) => {
      const since = reviewedIn ?? paidIn;
      if (since === null || comparedIn === null) return [];
      const base = readValues(workspaceId, claimId, since);
      const last = comparedIn === since ? null : readValues(workspaceId, claimId, comparedIn);
      const isDecided = reviewedIn !== null;
      return base === null ? [] : [{ claimId, since, isDecided, base, last, comparedIn, hasReturned }];
    },
  );
}

/** The last event in the file; null where there is none. */
export function readReviewEnd(database: Database): { seq: number; id: string } | null {
  const end = database.prepare('SELECT seq, id FROM review_events ORDER BY seq DESC LIMIT 1').get();
  return (end as { seq: number; id: string } | undefined) ?? null;
}

/**
 * Finds the claims with events after `seq`. If the event with that number does not have this `id` (after a restored
 * file or a removal), finds all claims with events, and `isWhole`. Also finds claims for which older events arrived
 * later; `removeQueued` removes these up to `upTo`. `end` is the last event now.
 */
export function findReviewedAfter(
  database: Database,
  request: { workspaceId: string; seq: number; id: string },
) {
  const { workspaceId, seq, id } = request;
  const isKnown =
    database.prepare('SELECT 1 FROM review_events WHERE seq=? AND id=?').get(seq, id) !== undefined;
  const claimIds = database
    .prepare(
      `SELECT c.claim_id FROM review_events e CROSS JOIN review_event_claims c ON c.event_seq=e.seq
       WHERE +e.workspace=${workspaceOf(':workspaceId')} AND e.seq>:seq
       UNION SELECT claim_id FROM claims_to_settle WHERE workspace_id=:workspaceId ORDER BY 1`,
    )
    .pluck()
    .all({ workspaceId, seq: isKnown ? seq : 0 }) as number[];
  const upTo = database
    .prepare('SELECT max(n) FROM claims_to_settle WHERE workspace_id=?')
    .pluck()
    .get(workspaceId) as number | null;
  return { claimIds, upTo, isWhole: !isKnown, end: readReviewEnd(database) };
}

type ClaimPayment = FoldedReview['payments'][number] & { readonly claimId: number };

/** Reads the payments of claims, except undone ones. */
export function createPaymentReader(database: Database, workspaceId: string) {
  const paid = database
    .prepare(
      `SELECT DISTINCT c.claim_id FROM review_events e CROSS JOIN review_event_claims c ON c.event_seq=e.seq
       WHERE e.workspace=${workspaceOf('?')} AND e.kind='payment'`,
    )
    .pluck();
  return {
    listPaid: (): Set<number> => new Set(paid.all(workspaceId) as number[]),
    /** Reads payments in the order of the given claims and, within a claim, in the order of recording. */
    read(claimIds: readonly number[]): ClaimPayment[] {
      const reviews = foldReviews(database, { workspaceId, claimIds });
      const paymentsOf = new Map(reviews.map(({ claimId, payments }) => [claimId, payments]));
      return claimIds.flatMap((claimId) =>
        (paymentsOf.get(claimId) ?? []).map((payment) => ({ ...payment, claimId })),
      );
    },
  };
}
