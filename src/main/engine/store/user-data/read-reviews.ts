import { eligibleFields } from '../../../../contract/eligible.ts';
import type { ListedFact, ReviewedReceipt } from '../../../../contract/review.ts';
import type { ReviewedValues } from '../../../../contract/reviewed-values.ts';
import type { Database } from '../file/database.ts';
import { unpackValues } from '../file/packed-values.ts';
import type { FoldedReview } from '../record/review-facts.ts';
import { createDoneSums, listDoneDays } from './done-days.ts';
import { compareEvents, countsBy, newestFirst, timeOf } from './event-times.ts';
import { type FoldedEvent, foldReview, type ReviewDetail } from './fold-review.ts';
import { readFact } from './read-fact.ts';
import type { ReviewClaimRow, ReviewEntry, ReviewEventRow } from './reviews.ts';

/** What an event kept of a claim: its `ReviewedValues` as JSON text, null where the claim was not on that computer. */
export interface KeptClaim {
  readonly reviewed: string | null;
  readonly receipt: ReviewedReceipt | null;
}

/** Where reading entries continues. */
export interface EntryPosition {
  readonly seq: number;
  readonly claimId: number;
}

/** An event as listed; `claimId` where it is about a single claim, or of a pair the one that was judged. */
export interface ListedEvent {
  readonly id: string;
  readonly at: string;
  readonly author: string;
  readonly isImported: boolean;
  readonly fact: ListedFact;
  readonly undoes: string | null;
  readonly isUndone: boolean;
  readonly claims: number;
  readonly claimId: number | null;
  readonly filter: string | null;
  readonly receipt: ReviewedReceipt | null;
}

const columns =
  'seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at, more';

const unpack = (packed: Buffer | null): string | null => (packed === null ? null : unpackValues(packed));

const parse = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

function pickPaidValues(packed: Buffer | undefined): string | null {
  if (packed === undefined) return null;
  const { fields } = JSON.parse(unpackValues(packed)) as Pick<ReviewedValues, 'fields'>;
  return JSON.stringify(
    Object.fromEntries(Object.values(eligibleFields).map((name) => [name, fields[name] ?? null])),
  );
}

/** Reads events of reviews, and what follows from them: where the review of each claim is. */
export function createReviewReading(database: Database) {
  const claimsOf = database
    .prepare('SELECT claim_id FROM review_event_claims WHERE event_seq=? ORDER BY claim_id')
    .pluck();
  const countClaims = database
    .prepare('SELECT count(*), min(claim_id) FROM review_event_claims WHERE event_seq=?')
    .raw();
  const findJudged = database
    .prepare('SELECT claim_id FROM review_event_claims WHERE event_seq=? AND claim_id<>?')
    .pluck();
  const findEvent = database.prepare(`SELECT ${columns} FROM review_events WHERE workspace_id=? AND id=?`);
  const undoing = database.prepare('SELECT id, fact FROM review_events WHERE undoes=?');
  const isUndone = (id: string): boolean =>
    (undoing.all(id) as { id: string; fact: string }[]).some(
      (by) => readFact(by.fact) !== null && !isUndone(by.id),
    );

  const readKept = database.prepare(
    `SELECT c.reviewed, e.receipt FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
     WHERE c.claim_id=:claimId AND e.id=:eventId AND e.workspace_id=:workspaceId`,
  );
  const readValues = (workspaceId: string, claimId: number, eventId: string): KeptClaim | null => {
    const row = readKept.get({ workspaceId, claimId, eventId }) as
      | { reviewed: Buffer | null; receipt: string | null }
      | undefined;
    if (row === undefined) return null;
    return { reviewed: unpack(row.reviewed), receipt: parse<ReviewedReceipt>(row.receipt) };
  };
  const readPaid = database
    .prepare(
      `SELECT c.reviewed FROM review_events paid JOIN review_event_claims c ON c.claim_id=:claimId AND c.reviewed IS NOT NULL
       JOIN review_events e ON e.seq=c.event_seq AND e.workspace_id=paid.workspace_id
       WHERE paid.workspace_id=:workspaceId AND paid.id=:eventId AND (${countsBy('e')}, e.at, e.id)<=(${countsBy('paid')}, paid.at, paid.id)
       ORDER BY ${newestFirst('e')} LIMIT 1`,
    )
    .pluck();
  const keptBefore = (workspaceId: string, claimId: number | null, detail: ReviewDetail | null) =>
    claimId === null || detail?.since === undefined
      ? null
      : (readValues(workspaceId, claimId, detail.since)?.reviewed ?? null);

  const readEvent = database.prepare(
    `SELECT id, workspace_id AS workspaceId, ${countsBy('e')} AS key, at AS stampedAt, author, undoes, fact
     FROM review_events e WHERE seq=?`,
  );
  const foldColumns = 'SELECT claim_id, event_seq, digest, detail FROM review_event_claims';
  const readAllEvents = database.prepare(`${foldColumns} ORDER BY claim_id`).raw();
  const nextClaims = database
    .prepare('SELECT DISTINCT claim_id FROM review_event_claims WHERE claim_id>? ORDER BY claim_id LIMIT ?')
    .pluck();
  const readEventsOf = database
    .prepare(`${foldColumns} WHERE claim_id IN (SELECT value FROM json_each(?)) ORDER BY claim_id`)
    .raw();
  type ReadEvent = FoldedEvent & { readonly key: string; readonly stampedAt: string };
  type EventRow = Omit<ReadEvent, 'at' | 'fact' | 'digest' | 'detail'> & {
    workspaceId: string;
    fact: string;
  };
  type ClaimEvents = { readonly claimId: number; readonly events: readonly FoldedEvent[] };
  /** The events of claims in order of their ID, each in the order in which they count. Each event is read once. */
  const readClaims = function* (
    workspaceId: string,
    rows: Iterable<readonly [number, number, string | null, string | null]>,
  ): Generator<ClaimEvents> {
    const known = new Map<number, Omit<ReadEvent, 'digest' | 'detail'> | null>();
    const eventOf = (seq: number) => {
      let event = known.get(seq);
      if (event === undefined) {
        const row = readEvent.get(seq) as EventRow | undefined;
        const fact = row === undefined || row.workspaceId !== workspaceId ? null : readFact(row.fact);
        if (row === undefined || fact === null) event = null;
        else {
          const { id, key, stampedAt, author, undoes } = row;
          event = { id, key, at: timeOf(key), stampedAt, author, undoes, fact };
        }
        known.set(seq, event);
      }
      return event;
    };
    let current: number | null = null;
    let events: ReadEvent[] = [];
    const end = function* (): Generator<ClaimEvents> {
      if (current === null || events.length === 0) return;
      events.sort(compareEvents);
      yield { claimId: current, events };
    };
    for (const [claimId, seq, digest, detail] of rows) {
      if (claimId !== current) {
        yield* end();
        current = claimId;
        events = [];
      }
      const event = eventOf(seq);
      if (event !== null) events.push({ ...event, digest, detail: parse<ReviewDetail>(detail) });
    }
    yield* end();
  };
  type FoldRows = Iterable<[number, number, string | null, string | null]>;
  /** The reviews of these claims, in order of their ID; those without an event are left out. */
  const fold = (workspaceId: string, claimIds: readonly number[] | null): FoldedReview[] => {
    const rows = (
      claimIds === null ? readAllEvents.iterate() : readEventsOf.iterate(JSON.stringify(claimIds))
    ) as FoldRows;
    const folded: FoldedReview[] = [];
    for (const { claimId, events } of readClaims(workspaceId, rows)) folded.push(foldReview(claimId, events));
    return folded;
  };

  const toListed = (row: ReviewEventRow & { seq: number }): ListedEvent => {
    const [claims, firstClaim] = countClaims.get(row.seq) as [number, number | null];
    const fact = readFact(row.fact) ?? { kind: 'newer' };
    const claimId =
      fact.kind === 'judgeDuplicate'
        ? findJudged.get(row.seq, fact.otherClaimId)
        : claims === 1 && firstClaim;
    return {
      id: row.id,
      at: timeOf(row.folds_at ?? row.at),
      author: row.author,
      isImported: row.is_imported === 1,
      fact,
      undoes: row.undoes,
      isUndone: isUndone(row.id),
      claims,
      claimId: typeof claimId === 'number' ? claimId : null,
      filter: row.filter,
      receipt: parse<ReviewedReceipt>(row.receipt),
    };
  };

  const entryClaims = database
    .prepare(
      `SELECT claim_id, reviewed, digest, detail FROM review_event_claims WHERE event_seq=? AND claim_id>?
       ORDER BY claim_id LIMIT ?`,
    )
    .raw();

  return {
    /**
     * The next events of a workspace, with `limit` claims together; of a large event some claims, the others next. Null
     * for `after`: from the first one; `next` is null after the last one.
     */
    readReviewEntries: (wanted: { workspaceId: string; after: EntryPosition | null; limit: number }) => {
      const { workspaceId, after, limit } = wanted;
      const rows = database
        .prepare(`SELECT ${columns} FROM review_events WHERE workspace_id=? AND seq>=? ORDER BY seq`)
        .iterate(workspaceId, after?.seq ?? 0) as Iterable<ReviewEventRow & { seq: number }>;
      const entries: ReviewEntry[] = [];
      let left = limit;
      for (const { seq, ...event } of rows) {
        const from = after?.seq === seq ? after.claimId : Number.MIN_SAFE_INTEGER;
        const rows = entryClaims.all(seq, from, left) as [
          number,
          Buffer | null,
          string | null,
          string | null,
        ][];
        const claims = rows.map(
          ([claimId, packed, ...rest]): ReviewClaimRow => [claimId, unpack(packed), ...rest],
        );
        // One that has none beside those before.
        if (claims.length === 0 && after?.seq === seq) continue;
        entries.push({ ...event, claims });
        left -= claims.length + 1;
        const last = claims.at(-1);
        if (left <= 0) return { entries, next: { seq, claimId: last?.[0] ?? Number.MAX_SAFE_INTEGER } };
      }
      return { entries, next: null };
    },
    /** Null for `claimIds`: of the whole workspace. */
    foldReviews: (wanted: { workspaceId: string; claimIds: number[] | null }) =>
      fold(wanted.workspaceId, wanted.claimIds),
    /**
     * What was done by local day and outcome, of the claims after an ID; `next` is the ID with which the next ones
     * begin, null after the last.
     */
    sumDone: (wanted: { workspaceId: string; after: number; limit: number }) => {
      const ids = nextClaims.all(wanted.after, wanted.limit) as number[];
      const rows = readEventsOf.iterate(JSON.stringify(ids)) as FoldRows;
      const { sums, add } = createDoneSums();
      for (const { events } of readClaims(wanted.workspaceId, rows))
        for (const { day, outcome, isReopened } of listDoneDays(events))
          add({ day, outcome, claims: 1, reopened: Number(isReopened) });
      return { done: [...sums.values()], next: ids.length < wanted.limit ? null : (ids.at(-1) ?? null) };
    },
    /**
     * The claims with events after `seq`, whose event must be the one of `id`: where it is not (a restored file, a
     * removal), all claims with events, and `isWhole`; besides those that changed by events of before, which
     * `markSettled` takes out up to `upTo`. `end` is the last event now.
     */
    findReviewedAfter: (wanted: { workspaceId: string; seq: number; id: string }) => {
      const { workspaceId, seq, id } = wanted;
      const isKnown =
        database.prepare('SELECT 1 FROM review_events WHERE seq=? AND id=?').get(seq, id) !== undefined;
      const claimIds = database
        .prepare(
          `SELECT c.claim_id FROM review_events e CROSS JOIN review_event_claims c ON c.event_seq=e.seq
           WHERE e.workspace_id=:workspaceId AND e.seq>:seq
           UNION SELECT claim_id FROM claims_to_settle WHERE workspace_id=:workspaceId ORDER BY 1`,
        )
        .pluck()
        .all({ workspaceId, seq: isKnown ? seq : 0 }) as number[];
      const upTo = database
        .prepare('SELECT max(n) FROM claims_to_settle WHERE workspace_id=?')
        .pluck()
        .get(workspaceId) as number | null;
      const end = database.prepare('SELECT seq, id FROM review_events ORDER BY seq DESC LIMIT 1').get() as
        | { seq: number; id: string }
        | undefined;
      return { claimIds, upTo, isWhole: !isKnown, end: end ?? null };
    },
    /** The last event of all; null where there is none. */
    readReviewEnd: (_input: null) =>
      (database.prepare('SELECT seq, id FROM review_events ORDER BY seq DESC LIMIT 1').get() as
        | { seq: number; id: string }
        | undefined) ?? null,
    /** What was kept of claims with their review, and what was last compared with it; null where that is the same. */
    readCompared: (wanted: { workspaceId: string; claimIds: number[] }) =>
      fold(wanted.workspaceId, wanted.claimIds).flatMap(({ claimId, reviewedIn, comparedIn }) => {
        if (reviewedIn === null || comparedIn === null) return [];
        const base = readValues(wanted.workspaceId, claimId, reviewedIn);
        const last = comparedIn === reviewedIn ? null : readValues(wanted.workspaceId, claimId, comparedIn);
        return base === null ? [] : [{ claimId, since: reviewedIn, base, last }];
      }),
    /**
     * What the eligible amount of a claim followed from at a payment, as JSON text: kept with that event or, where it kept
     * nothing, with the newest one before it.
     */
    readPaidValues: (wanted: { workspaceId: string; payments: { claimId: number; eventId: string }[] }) =>
      wanted.payments.map(({ claimId, eventId }) => ({
        claimId,
        values: pickPaidValues(
          readPaid.get({ workspaceId: wanted.workspaceId, claimId, eventId }) as Buffer | undefined,
        ),
      })),
    /** What an event kept of a claim, and the receipt behind it. */
    readReviewed: (wanted: { workspaceId: string; claimId: number; eventId: string }): KeptClaim | null =>
      readValues(wanted.workspaceId, wanted.claimId, wanted.eventId),
    /** Newest first. With a claim, what each event holds of it; of a reopening also what was compared. */
    listReviewEvents: (wanted: {
      workspaceId: string;
      claimId: number | null;
      offset: number;
      limit: number;
    }) => {
      const { workspaceId, claimId, offset, limit } = wanted;
      const from =
        claimId === null
          ? 'review_events e WHERE e.workspace_id=:workspaceId'
          : `review_event_claims c JOIN review_events e ON e.seq=c.event_seq
             WHERE c.claim_id=:claimId AND e.workspace_id=:workspaceId`;
      const values = claimId === null ? { workspaceId } : { workspaceId, claimId };
      const rows = database
        .prepare(
          `SELECT e.* ${claimId === null ? ', NULL AS reviewed, NULL AS detail' : ', c.reviewed, c.detail'}
           FROM ${from} ORDER BY ${newestFirst('e')} LIMIT :limit OFFSET :offset`,
        )
        .all({ ...values, limit, offset }) as (ReviewEventRow & {
        seq: number;
        reviewed: Buffer | null;
        detail: string | null;
      })[];
      return {
        events: rows.map(({ reviewed, detail: text, ...row }) => {
          const detail = parse<ReviewDetail>(text);
          return {
            event: toListed(row),
            reviewed: unpack(reviewed),
            detail,
            before: keptBefore(workspaceId, claimId, detail),
          };
        }),
        total: database.prepare(`SELECT count(*) FROM ${from}`).pluck().get(values) as number,
      };
    },
    /** The newest act of a person on this computer that counts; with a claim, of those that concern it. */
    findUndoable: (wanted: { workspaceId: string; claimId: number | null }): ListedEvent | null => {
      const { workspaceId, claimId } = wanted;
      const rows = database
        .prepare(
          `SELECT ${columns} FROM review_events e WHERE workspace_id=:workspaceId AND is_imported=0
           AND kind NOT IN ('undo', 'reopened')
           ${claimId === null ? '' : 'AND seq IN (SELECT event_seq FROM review_event_claims WHERE claim_id=:claimId)'}
           ORDER BY ${newestFirst('e')}`,
        )
        .iterate(claimId === null ? { workspaceId } : { workspaceId, claimId }) as Iterable<
        ReviewEventRow & { seq: number }
      >;
      for (const row of rows) if (!isUndone(row.id)) return toListed(row);
      return null;
    },
    /** An event and the claims it is about; null where there is none of this ID. */
    findReviewEvent: (wanted: { workspaceId: string; id: string }) => {
      const row = findEvent.get(wanted.workspaceId, wanted.id) as
        | (ReviewEventRow & { seq: number })
        | undefined;
      if (row === undefined) return null;
      return { event: toListed(row), claimIds: claimsOf.all(row.seq) as number[] };
    },
  };
}
