import { eligibleFields } from '../../../../contract/reimbursement.ts';
import type { ReviewedReceipt, ReviewFact } from '../../../../contract/review.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Connection } from '../file/connection.ts';
import { createDoneSums, listDoneDays } from './done-days.ts';
import { type FoldedEvent, type FoldedReview, foldReview, type ReviewDetail } from './fold-review.ts';
import type { Journal, JournalEntry } from './journal.ts';

/** A row of `review_events`; `fact` and `receipt` are JSON text. */
export interface ReviewEventRow {
  id: string;
  workspace_id: string;
  at: string;
  author: string;
  kind: string;
  fact: string;
  filter: string | null;
  undoes: string | null;
  receipt: string | null;
  is_imported: number;
}
/** A row of `review_event_claims` without its event: claim, values, digest, detail. */
export type ReviewClaimRow = readonly [
  claimId: number,
  reviewed: string | null,
  digest: string | null,
  detail: string | null,
];
/** An event with the claims that it is about, as it is journaled and handed over. */
export interface ReviewEntry extends ReviewEventRow {
  readonly claims: readonly ReviewClaimRow[];
}

/** Where reading entries continues. */
export interface EntryPosition {
  readonly seq: number;
  readonly claimId: number;
}

/** A claim that an act is about, with the values that are kept of it. */
export interface ActedClaim {
  readonly claimId: number;
  /** JSON text of its `ReviewedValues`; null where the claim is not on this computer. */
  readonly reviewed: string | null;
  readonly digest: string | null;
  readonly detail?: ReviewDetail | undefined;
}

export interface AppendedAct {
  readonly workspaceId: string;
  readonly id: string;
  readonly nowMs: number;
  readonly author: string;
  readonly fact: ReviewFact;
  readonly filter: string | null;
  readonly undoes: string | null;
  readonly receipt: ReviewedReceipt | null;
  /** All of them, or those that were not staged before. */
  readonly claims: readonly ActedClaim[];
  /** Whether others were staged. */
  readonly isStaged: boolean;
}

/** An event as listed; `claimId` where it is about a single claim. */
export interface ListedEvent {
  readonly id: string;
  readonly at: string;
  readonly author: string;
  readonly isImported: boolean;
  readonly fact: ReviewFact;
  readonly undoes: string | null;
  readonly isUndone: boolean;
  readonly claims: number;
  readonly claimId: number | null;
  readonly filter: string | null;
  readonly receipt: ReviewedReceipt | null;
}

export const putEventSql = `INSERT OR IGNORE INTO review_events
  (seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported)
  VALUES (:seq, :id, :workspace_id, :at, :author, :kind, :fact, :filter, :undoes, :receipt, :is_imported)`;
export const putEventClaimSql = `INSERT OR IGNORE INTO review_event_claims (claim_id, event_seq, reviewed, digest, detail)
  VALUES (:claim_id, :event_seq, :reviewed, :digest, :detail)`;

const columns = 'seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported';

const parse = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** Events of reviews. Each is in the journal before it is committed; none is ever changed. */
export function createReviews(connection: Connection, journal: Journal) {
  const putEvent = connection.prepare(putEventSql);
  const putClaim = connection.prepare(putEventClaimSql);
  const newestAt = connection.prepare('SELECT max(at) FROM review_events WHERE workspace_id=?').pluck();
  const claimsOf = connection
    .prepare('SELECT claim_id FROM review_event_claims WHERE event_seq=? ORDER BY claim_id')
    .pluck();
  const countClaims = connection
    .prepare('SELECT count(*), min(claim_id) FROM review_event_claims WHERE event_seq=?')
    .raw();
  const findEvent = connection.prepare(`SELECT ${columns} FROM review_events WHERE workspace_id=? AND id=?`);
  const undoing = connection.prepare('SELECT id FROM review_events WHERE undoes=?').pluck();
  const isUndone = (id: string): boolean => (undoing.all(id) as string[]).some((by) => !isUndone(by));

  const readKept = connection.prepare(
    `SELECT c.reviewed, e.receipt FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
     WHERE c.claim_id=:claimId AND e.id=:eventId AND e.workspace_id=:workspaceId`,
  );
  const readPaid = connection
    .prepare(
      `SELECT json_object(${eligibleFields.map((name) => `'${name}', c.reviewed->>'$.fields.${name}'`).join(', ')})
       FROM review_events paid JOIN review_event_claims c ON c.claim_id=:claimId AND c.reviewed IS NOT NULL
       JOIN review_events e ON e.seq=c.event_seq AND e.workspace_id=paid.workspace_id
       WHERE paid.workspace_id=:workspaceId AND paid.id=:eventId AND (e.at, e.id)<=(paid.at, paid.id)
       ORDER BY e.at DESC, e.id DESC LIMIT 1`,
    )
    .pluck();
  const keptBefore = (workspaceId: string, claimId: number | null, detail: ReviewDetail | null) => {
    if (claimId === null || detail?.since === undefined) return null;
    const row = readKept.get({ workspaceId, claimId, eventId: detail.since }) as
      | { reviewed: string | null }
      | undefined;
    return row?.reviewed ?? null;
  };

  const putClaims = (seq: number, claims: readonly ReviewClaimRow[]): void => {
    for (const [claimId, reviewed, digest, detail] of claims)
      putClaim.run({ claim_id: claimId, event_seq: seq, reviewed, digest, detail });
  };
  /** The act whose claims come in parts, and the number that its event will have. */
  let staged: { readonly id: string; readonly seq: number } | null = null;
  const nextSeq = connection.prepare('SELECT ifnull(max(seq), 0)+1 FROM review_events').pluck();
  const findStaged = connection.prepare('SELECT 1 FROM review_event_claims WHERE event_seq>=? LIMIT 1');
  const removeStaged = connection.prepare('DELETE FROM review_event_claims WHERE event_seq>=?');
  /** Removes claims without their event: of an act that failed, or of a process that was killed. */
  const dropStaged = (): void => {
    staged = null;
    const seq = nextSeq.get() as number;
    if (findStaged.get(seq) !== undefined) removeStaged.run(seq);
  };

  /** Writes an event and its claims; what goes into the journal is returned. */
  const insert = (entry: ReviewEntry): JournalEntry => {
    const { claims, ...row } = entry;
    if (staged?.id !== entry.id) dropStaged();
    const seq = putEvent.run({ ...row, seq: staged?.seq ?? null }).lastInsertRowid as number;
    staged = null;
    putClaims(seq, claims);
    return { kind: 'put', table: 'reviews', row: { ...entry, seq } };
  };

  const readEvent = connection.prepare(
    'SELECT id, workspace_id AS workspaceId, at, author, undoes, fact FROM review_events WHERE seq=?',
  );
  const foldColumns = 'SELECT claim_id, event_seq, digest, detail FROM review_event_claims';
  const readAllEvents = connection.prepare(`${foldColumns} ORDER BY claim_id`).raw();
  const nextClaims = connection
    .prepare('SELECT DISTINCT claim_id FROM review_event_claims WHERE claim_id>? ORDER BY claim_id LIMIT ?')
    .pluck();
  const readEventsOf = connection
    .prepare(`${foldColumns} WHERE claim_id IN (SELECT value FROM json_each(?)) ORDER BY claim_id`)
    .raw();
  type EventRow = Omit<FoldedEvent, 'fact' | 'digest' | 'detail'> & { workspaceId: string; fact: string };
  type ClaimEvents = { readonly claimId: number; readonly events: readonly FoldedEvent[] };
  /** The events of claims in order of their ID, each in order of time and ID. Each event is read once. */
  const readClaims = function* (
    workspaceId: string,
    rows: Iterable<readonly [number, number, string | null, string | null]>,
  ): Generator<ClaimEvents> {
    const known = new Map<number, Omit<FoldedEvent, 'digest' | 'detail'> | null>();
    const eventOf = (seq: number) => {
      let event = known.get(seq);
      if (event === undefined) {
        const row = readEvent.get(seq) as EventRow | undefined;
        if (row === undefined || row.workspaceId !== workspaceId) event = null;
        else {
          const { id, at, author, undoes } = row;
          event = { id, at, author, undoes, fact: JSON.parse(row.fact) as ReviewFact };
        }
        known.set(seq, event);
      }
      return event;
    };
    let current: number | null = null;
    let events: FoldedEvent[] = [];
    const end = function* (): Generator<ClaimEvents> {
      if (current === null || events.length === 0) return;
      events.sort((a, b) => (a.at < b.at || (a.at === b.at && a.id < b.id) ? -1 : 1));
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
    const [claims, claimId] = countClaims.get(row.seq) as [number, number | null];
    return {
      id: row.id,
      at: row.at,
      author: row.author,
      isImported: row.is_imported === 1,
      fact: JSON.parse(row.fact) as ReviewFact,
      undoes: row.undoes,
      isUndone: isUndone(row.id),
      claims,
      claimId: claims === 1 ? claimId : null,
      filter: row.filter,
      receipt: parse<ReviewedReceipt>(row.receipt),
    };
  };

  const toRows = (claims: readonly ActedClaim[]): ReviewClaimRow[] =>
    claims.map(({ claimId, reviewed, digest, detail }) => [
      claimId,
      reviewed,
      digest,
      detail === undefined ? null : JSON.stringify(detail),
    ]);
  const appendAct = connection.transaction((act: AppendedAct) => {
    // A removal or another act came in between.
    if (act.isStaged && staged?.id !== act.id) throw new DeskError('store.busy');
    // Later than what is here: an event that came from a computer whose clock is ahead must not outweigh this one.
    const newest = newestAt.get(act.workspaceId) as string | null;
    const atMs = newest === null ? act.nowMs : Math.max(act.nowMs, Date.parse(newest) + 1);
    const written = insert({
      id: act.id,
      workspace_id: act.workspaceId,
      at: new Date(atMs).toISOString(),
      author: act.author,
      kind: act.fact.kind,
      fact: JSON.stringify(act.fact),
      filter: act.filter,
      undoes: act.undoes,
      receipt: act.receipt === null ? null : JSON.stringify(act.receipt),
      is_imported: 0,
      claims: toRows(act.claims),
    });
    journal.append(written);
    return null;
  });
  const stage = connection.transaction(
    ({ id, claims, isFirst }: { id: string; claims: readonly ActedClaim[]; isFirst: boolean }) => {
      if (isFirst) {
        dropStaged();
        staged = { id, seq: nextSeq.get() as number };
      }
      if (staged?.id !== id) throw new DeskError('store.busy');
      const rows = toRows(claims);
      putClaims(staged.seq, rows);
      journal.append({ kind: 'put', table: 'reviewClaims', row: { id, seq: staged.seq, claims: rows } });
      return null;
    },
  );

  const findKnown = connection.prepare('SELECT seq, workspace_id FROM review_events WHERE id=?');
  const hasClaim = connection.prepare('SELECT 1 FROM review_event_claims WHERE event_seq=? AND claim_id=?');
  /** Adds what an event is about beyond what is here: its sender had removed some of its claims, or this computer has. */
  const addClaims = (entry: ReviewEntry, seq: number): { claimIds: number[]; journaled: JournalEntry[] } => {
    const claims = entry.claims.filter(([claimId]) => hasClaim.get(seq, claimId) === undefined);
    putClaims(seq, claims);
    return {
      claimIds: claims.map(([claimId]) => claimId),
      journaled:
        claims.length === 0 ? [] : [{ kind: 'put', table: 'reviews', row: { ...entry, claims, seq } }],
    };
  };
  const importEntries = connection.transaction(
    ({ workspaceId, entries }: { workspaceId: string; entries: readonly ReviewEntry[] }) => {
      const added: string[] = [];
      const addedClaims: number[] = [];
      const written: JournalEntry[] = [];
      for (const one of entries) {
        const entry = { ...one, workspace_id: workspaceId, is_imported: 1 };
        const known = findKnown.get(one.id) as { seq: number; workspace_id: string } | undefined;
        if (known === undefined) {
          written.push(insert(entry));
          added.push(one.id);
        } else if (known.workspace_id === workspaceId) {
          const { claimIds, journaled } = addClaims(entry, known.seq);
          addedClaims.push(...claimIds);
          written.push(...journaled);
        }
      }
      if (written.length > 0) journal.append(...written);
      return { added, addedClaims };
    },
  );
  const entryClaims = connection
    .prepare(
      `SELECT claim_id, reviewed, digest, detail FROM review_event_claims WHERE event_seq=? AND claim_id>?
       ORDER BY claim_id LIMIT ?`,
    )
    .raw();

  return {
    /** Adds those events that are not here yet, with their IDs, and the claims that known ones are about as well. */
    importReviews: (input: { workspaceId: string; entries: readonly ReviewEntry[] }) =>
      importEntries.immediate(input),
    /**
     * The next events of a workspace, with `limit` claims together; of a large event some claims, the others next. Null
     * for `after`: from the first one; `next` is null after the last one.
     */
    readReviewEntries: (wanted: { workspaceId: string; after: EntryPosition | null; limit: number }) => {
      const { workspaceId, after, limit } = wanted;
      const rows = connection
        .prepare(`SELECT ${columns} FROM review_events WHERE workspace_id=? AND seq>=? ORDER BY seq`)
        .iterate(workspaceId, after?.seq ?? 0) as Iterable<ReviewEventRow & { seq: number }>;
      const entries: ReviewEntry[] = [];
      let left = limit;
      for (const { seq, ...event } of rows) {
        const from = after?.seq === seq ? after.claimId : Number.MIN_SAFE_INTEGER;
        const claims = entryClaims.all(seq, from, left) as unknown as ReviewClaimRow[];
        // One that has none beside those before.
        if (claims.length === 0 && after?.seq === seq) continue;
        entries.push({ ...event, claims });
        left -= claims.length + 1;
        const last = claims.at(-1);
        if (left <= 0) return { entries, next: { seq, claimId: last?.[0] ?? Number.MAX_SAFE_INTEGER } };
      }
      return { entries, next: null };
    },
    /**
     * Keeps some claims of an act that is appended later under the same ID: an act on a million claims is one event
     * and takes the memory of a few thousand. Until then they count for nothing. @throws DeskError `store.busy`
     */
    stageClaims: (part: { id: string; claims: readonly ActedClaim[]; isFirst: boolean }) =>
      stage.immediate(part),
    isStaging: (): boolean => staged !== null,
    dropStaged: (_input: null): null => {
      connection.transaction(dropStaged).immediate();
      return null;
    },
    /** Appends one act on any number of claims. @throws DeskError `store.busy` where what was staged is dropped */
    appendReview: (act: AppendedAct) => appendAct.immediate(act),
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
     * removal), all claims with events, and `isWhole`. `end` is the last event now.
     */
    findReviewedAfter: (wanted: { workspaceId: string; seq: number; id: string }) => {
      const { workspaceId, seq, id } = wanted;
      const isKnown =
        connection.prepare('SELECT 1 FROM review_events WHERE seq=? AND id=?').get(seq, id) !== undefined;
      const claimIds = connection
        .prepare(
          `SELECT DISTINCT c.claim_id FROM review_events e CROSS JOIN review_event_claims c ON c.event_seq=e.seq
           WHERE e.workspace_id=? AND e.seq>? ORDER BY c.claim_id`,
        )
        .pluck()
        .all(workspaceId, isKnown ? seq : 0) as number[];
      const end = connection.prepare('SELECT seq, id FROM review_events ORDER BY seq DESC LIMIT 1').get() as
        | { seq: number; id: string }
        | undefined;
      return { claimIds, isWhole: !isKnown, end: end ?? null };
    },
    /** The last event of all; null where there is none. */
    readReviewEnd: (_input: null) =>
      (connection.prepare('SELECT seq, id FROM review_events ORDER BY seq DESC LIMIT 1').get() as
        | { seq: number; id: string }
        | undefined) ?? null,
    /** What was kept of claims with their review, and what was last compared with it, as JSON text. */
    readCompared: (wanted: { workspaceId: string; claimIds: number[] }) =>
      fold(wanted.workspaceId, wanted.claimIds).flatMap(({ claimId, reviewedIn, comparedIn }) => {
        if (reviewedIn === null || comparedIn === null) return [];
        const read = (eventId: string): string | null => {
          const row = readKept.get({ workspaceId: wanted.workspaceId, claimId, eventId });
          return (row as { reviewed: string | null } | undefined)?.reviewed ?? null;
        };
        const reviewed = read(reviewedIn);
        const compared = comparedIn === reviewedIn ? reviewed : read(comparedIn);
        return reviewed === null || compared === null
          ? []
          : [{ claimId, since: reviewedIn, reviewed, compared }];
      }),
    /**
     * What the eligible amount of a claim followed from at a payment, as JSON text: kept with that event or, where it kept
     * nothing, with the newest one before it.
     */
    readPaidValues: (wanted: { workspaceId: string; payments: { claimId: number; eventId: string }[] }) =>
      wanted.payments.map(({ claimId, eventId }) => ({
        claimId,
        values: (readPaid.get({ workspaceId: wanted.workspaceId, claimId, eventId }) ?? null) as
          | string
          | null,
      })),
    /** What an event kept of a claim: its values as JSON text, and the receipt behind them. */
    readReviewed: (wanted: { workspaceId: string; claimId: number; eventId: string }) => {
      const row = readKept.get(wanted) as { reviewed: string | null; receipt: string | null } | undefined;
      if (row === undefined) return null;
      return { reviewed: row.reviewed, receipt: parse<ReviewedReceipt>(row.receipt) };
    },
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
      const rows = connection
        .prepare(
          `SELECT e.* ${claimId === null ? ', NULL AS reviewed, NULL AS detail' : ', c.reviewed, c.detail'}
           FROM ${from} ORDER BY e.at DESC, e.id DESC LIMIT :limit OFFSET :offset`,
        )
        .all({ ...values, limit, offset }) as (ReviewEventRow & {
        seq: number;
        reviewed: string | null;
        detail: string | null;
      })[];
      return {
        events: rows.map(({ reviewed, detail: text, ...row }) => {
          const detail = parse<ReviewDetail>(text);
          return {
            event: toListed(row),
            reviewed,
            detail,
            before: keptBefore(workspaceId, claimId, detail),
          };
        }),
        total: connection.prepare(`SELECT count(*) FROM ${from}`).pluck().get(values) as number,
      };
    },
    /** The newest act of a person on this computer that counts. */
    findUndoable: ({ workspaceId }: { workspaceId: string }): ListedEvent | null => {
      const rows = connection
        .prepare(
          `SELECT ${columns} FROM review_events WHERE workspace_id=? AND is_imported=0
           AND kind NOT IN ('undo', 'reopened', 'oldNote') ORDER BY at DESC, id DESC`,
        )
        .iterate(workspaceId) as Iterable<ReviewEventRow & { seq: number }>;
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
