import { hash } from 'node:crypto';
import { appAuthor, kindsSql, type ReviewFact, teamFactKinds } from '../../../../rules/review/event-kinds.ts';
import { readContained, readFact } from '../../../../rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../../rules/review/folded-review.ts';
import { memberOfSubject } from '../../../../rules/review/member-subject.ts';
import type { ListedFact, ReviewEvent, ReviewedReceipt } from '../../../../rules/review/review.ts';
import type { Database } from '../file/database.ts';
import { certificateOf } from '../file/packed-proofs.ts';
import { newestFirst, timeOf } from './event-times.ts';
import { createKeptReader, unpackKept } from './kept-values.ts';
import { hasId, type ReviewEventRow, workspaceOf } from './stored-events.ts';
import type { ReviewClaimRow, ReviewEntry } from './write-event.ts';

/** The position at which reading entries continues. */
export interface EntryPosition {
  readonly seq: number;
  readonly claimId: number;
}

/** An event as listed, without what only the history of one claim shows. */
export type ListedEvent = Omit<
  ReviewEvent,
  'changes' | 'payments' | 'amounts' | 'ofRun' | 'owner' | 'twoPeopleAbove'
>;

export type EventRow = ReviewEventRow & { seq: number };
type StoredRow = [claimId: number, packed: Buffer | null, digest: string | null, detail: string | null];

export const eventColumns =
  'seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at, more, proof, seen';

const parse = <T>(text: string | null): T | null =>
  text === null ? null : readContained(() => JSON.parse(text) as T, null);

/** Makes a function that decides whether an event, given by its ID, was undone by an event that itself counts. */
export function createUndoneReader(database: Database): (id: string) => boolean {
  const undoing = database.prepare('SELECT id, fact FROM review_events WHERE undoes=?');
  const isUndone = (id: string): boolean =>
    (undoing.all(id) as { id: string; fact: string }[]).some(
      (undo) => readContained(() => readFact(undo.fact), null) !== null && !isUndone(undo.id),
    );
  return isUndone;
}

/** Reads what lists show of an event, from its row. */
export function createEventLister(database: Database): (row: EventRow) => ListedEvent {
  const countClaims = database
    .prepare('SELECT count(*), min(claim_id) FROM review_event_claims WHERE event_seq=?')
    .raw();
  const findJudged = database
    .prepare('SELECT claim_id FROM review_event_claims WHERE event_seq=? AND claim_id<>?')
    .pluck();
  const findCertificate = database.prepare(
    'SELECT fingerprint, body FROM certificates WHERE workspace_id=? AND id=?',
  );
  const findSigner = (
    workspaceId: string,
    proof: Uint8Array | null,
  ): Pick<ListedEvent, 'signedBy' | 'computer'> => {
    const id = proof === null ? null : certificateOf(proof);
    const certificate = id === null ? undefined : findCertificate.get(workspaceId, id);
    if (certificate === undefined) return { signedBy: null, computer: null };
    const { fingerprint, body } = certificate as { fingerprint: string; body: string };
    const { signingKey } = JSON.parse(body) as { signingKey: string };
    // The digest is the same as in src/team-protocol/entry.ts.
    const computer = hash('sha256', Buffer.from(signingKey, 'base64url'), 'base64url');
    return { signedBy: fingerprint, computer };
  };
  const isUndone = createUndoneReader(database);
  return (row) => {
    const [claims, firstClaim] = countClaims.get(row.seq) as [number, number | null];
    const fact = readContained<ListedFact, ListedFact>(() => readFact(row.fact) ?? { kind: 'newer' }, {
      kind: 'unreadable',
    });
    const claimId =
      fact.kind === 'judgeDuplicate'
        ? findJudged.get(row.seq, fact.otherClaimId)
        : claims === 1 && firstClaim;
    const memberId = typeof claimId === 'number' ? memberOfSubject(claimId) : null;
    return {
      id: row.id,
      at: timeOf(row.folds_at ?? row.at),
      author: row.author,
      isImported: row.is_imported === 1,
      ...findSigner(row.workspace_id, row.proof),
      fact,
      undoes: row.undoes,
      isUndone: isUndone(row.id),
      claims: memberId === null ? claims : 0,
      claimId: typeof claimId === 'number' && memberId === null ? claimId : null,
      ...(memberId !== null && { memberId }),
      filter: row.filter,
      receipt: parse<ReviewedReceipt>(row.receipt),
    };
  };
}

/**
 * SQL: whether an event of `review_events e` is of this computer and not in the team's log. The plus makes SQLite find
 * events by number after those that were sent, instead of reading all events of the workspace by time. Claimdesk itself
 * is the author of reopenings of version 0.2, and no computer can sign for it.
 */
export const unsentOnly = `+e.workspace_id=:workspaceId AND is_imported=0
  AND seq>ifnull((SELECT sent_seq FROM team_position WHERE workspace_id=:workspaceId), 0)
  AND number IS NULL AND author<>'${appAuthor}'
  AND NOT EXISTS (SELECT 1 FROM team_removed_entries r WHERE r.workspace_id=e.workspace_id AND r.id=e.id)`;

/**
 * Lists kinds for SQL, including a team's events about no claim, which have a separate history and can't be undone
 * (`kept-facts.ts`).
 */
const withTeamKinds = (...kinds: ReviewFact['kind'][]): string => kindsSql([...kinds, ...teamFactKinds]);

/** The largest length of the claims in one answer as text; the answer ends above it, unless it has only one claim. */
const textAtOnce = 8_000_000;

/**
 * The next events of a workspace, with at most `limit` claims in total. An event with more claims is alone in its
 * answers, each of which continues after the one before, so that its parts are the same at every reading. `after` null:
 * from the first event; `isUnsent`: only events of this computer that are not in the team's log; `id`: only this one.
 * `next` is null after the last, and its `claimId` is `Number.MAX_SAFE_INTEGER` after the end of an event. `claims`:
 * how many claims an event that is alone has, in its first answer.
 */
export function readReviewEntries(
  database: Database,
  request: {
    workspaceId: string;
    after: EntryPosition | null;
    limit: number;
    isUnsent?: boolean;
    id?: string;
  },
) {
  const { workspaceId, after, limit, isUnsent = false, id = null } = request;
  const rows = database
    .prepare(
      `SELECT ${eventColumns} FROM review_events e WHERE ${isUnsent ? unsentOnly : 'workspace_id=:workspaceId'} AND seq>=:from
       ${id === null ? '' : `AND ${hasId('packed_id', ':id')}`} ORDER BY seq`,
    )
    .iterate({
      workspaceId,
      from: after?.seq ?? 0,
      ...(id === null ? {} : { id }),
    }) as Iterable<EventRow>;
  const entryClaims = database
    .prepare(
      `SELECT claim_id, reviewed, digest, detail FROM review_event_claims WHERE event_seq=? AND claim_id>?
       ORDER BY claim_id`,
    )
    .raw();
  const entries: ReviewEntry[] = [];
  let [left, textLeft] = [limit, textAtOnce];
  const countClaims = database.prepare('SELECT count(*) FROM review_event_claims WHERE event_seq=?').pluck();
  const endOf = (seq: number) => ({ entries, next: { seq, claimId: Number.MAX_SAFE_INTEGER }, claims: null });
  let lastSeq = 0;
  for (const { seq, ...event } of rows) {
    const from = after?.seq === seq ? after.claimId : Number.MIN_SAFE_INTEGER;
    if (from === Number.MAX_SAFE_INTEGER) continue;
    const claims: ReviewClaimRow[] = [];
    let isWhole = true;
    for (const [claimId, packed, ...rest] of entryClaims.iterate(seq, from) as Iterable<StoredRow>) {
      const reviewed = unpackKept(packed);
      if (claims.length > 0 || entries.length > 0) isWhole = left > 0 && textLeft > 0;
      if (!isWhole) break;
      claims.push([claimId, reviewed, ...rest]);
      left -= 1;
      textLeft -= reviewed?.length ?? 0;
    }
    if (!isWhole && entries.length > 0) return endOf(lastSeq);
    // All claims of this event were read before.
    if (claims.length === 0 && after?.seq === seq) continue;
    entries.push({ ...event, claims });
    if (!isWhole) {
      const count = after?.seq === seq ? null : (countClaims.get(seq) as number);
      return { entries, next: { seq, claimId: claims.at(-1)?.[0] as number }, claims: count };
    }
    lastSeq = seq;
    left -= 1;
    if (left <= 0 || after?.seq === seq) return endOf(seq);
  }
  return { entries, next: null, claims: null };
}

/** How many claims are read at once with what is stored about them. */
const claimsAtOnce = 5_000;

/**
 * Reads what reviews store about the next claims after an ID: each claim with each of the different values that its
 * events have. Empty at the end.
 */
export function readKeptClaims(
  database: Database,
  { workspaceId, after }: { workspaceId: string; after: number | null },
): ReviewClaimRow[] {
  const from = after ?? Number.MIN_SAFE_INTEGER;
  const upTo = database
    .prepare(
      `SELECT max(claim_id) FROM (SELECT DISTINCT claim_id FROM review_event_claims WHERE claim_id>? ORDER BY claim_id LIMIT ?)`,
    )
    .pluck()
    .get(from, claimsAtOnce) as number | null;
  if (upTo === null) return [];
  const rows = database
    .prepare(
      `SELECT claim_id, max(reviewed), digest, NULL FROM review_event_claims c
       WHERE claim_id>? AND claim_id<=? AND EXISTS (SELECT 1 FROM review_events e WHERE e.seq=event_seq AND workspace_id=?)
       GROUP BY claim_id, digest ORDER BY claim_id`,
    )
    .raw()
    .all(from, upTo, workspaceId) as StoredRow[];
  const claims = rows.map(
    ([claimId, packed, digest]): ReviewClaimRow => [claimId, unpackKept(packed), digest, null],
  );
  // If all of these claims belong to other workspaces, the ones after them are read.
  return claims.length === 0 ? readKeptClaims(database, { workspaceId, after: upTo }) : claims;
}

/** Lists events, newest first. With a claim, also what each stores about it and what a reopening compared. */
export function listReviewEvents(
  database: Database,
  request: { workspaceId: string; claimId: number | null; offset: number; limit: number },
) {
  const { workspaceId, claimId, offset, limit } = request;
  const toListed = createEventLister(database);
  const readValues = createKeptReader(database);
  const keptBefore = (detail: ReviewDetail | null): string | null =>
    claimId === null || detail?.since === undefined
      ? null
      : (readValues(workspaceId, claimId, detail.since)?.reviewed ?? null);
  const from =
    claimId === null
      ? `review_events e WHERE e.workspace=${workspaceOf(':workspaceId')} AND e.kind NOT IN (${withTeamKinds()})`
      : `review_event_claims c JOIN review_events e ON e.seq=c.event_seq
         WHERE c.claim_id=:claimId AND e.workspace_id=:workspaceId`;
  const values = claimId === null ? { workspaceId } : { workspaceId, claimId };
  const rows = database
    .prepare(
      `SELECT e.* ${claimId === null ? ', NULL AS reviewed, NULL AS detail' : ', c.reviewed, c.detail'}
       FROM ${from} ORDER BY ${newestFirst} LIMIT :limit OFFSET :offset`,
    )
    .all({ ...values, limit, offset }) as (EventRow & { reviewed: Buffer | null; detail: string | null })[];
  return {
    events: rows.map(({ reviewed, detail: text, ...row }) => {
      const detail = parse<ReviewDetail>(text);
      return { event: toListed(row), reviewed: unpackKept(reviewed), detail, before: keptBefore(detail) };
    }),
    total: database.prepare(`SELECT count(*) FROM ${from}`).pluck().get(values) as number,
  };
}

/**
 * Finds the newest act of this computer's user that counts; with a claim, of those that concern it, including acts of
 * rules. A letter is found only with its claim, because its file stays.
 */
export function findUndoable(
  database: Database,
  request: { workspaceId: string; claimId: number | null },
): ListedEvent | null {
  const { workspaceId, claimId } = request;
  const rows = database
    .prepare(
      `SELECT ${eventColumns} FROM review_events e WHERE workspace=${workspaceOf(':workspaceId')} AND is_imported=0
       AND kind NOT IN (${withTeamKinds('undo', 'reopened', ...(claimId === null ? ['letter' as const] : []))})
       ${claimId === null ? "AND NOT (kind='byRule' AND fact->>'$.how'='done')" : 'AND seq IN (SELECT event_seq FROM review_event_claims WHERE claim_id=:claimId)'}
       ORDER BY ${newestFirst}`,
    )
    .iterate(claimId === null ? { workspaceId } : { workspaceId, claimId }) as Iterable<EventRow>;
  const isUndone = createUndoneReader(database);
  const toListed = createEventLister(database);
  for (const row of rows) if (!isUndone(row.id)) return toListed(row);
  return null;
}

/**
 * The acts of this computer that count and are not in the team's log, newest first. Undos of acts that are not there
 * either are left out.
 */
export function listUnsentActs(database: Database, { workspaceId }: { workspaceId: string }): string[] {
  const rows = database
    .prepare(
      `SELECT id, undoes FROM review_events e WHERE ${unsentOnly} AND kind NOT IN (${withTeamKinds('reopened')})
       ORDER BY ${newestFirst}`,
    )
    .all({ workspaceId }) as { id: string; undoes: string | null }[];
  const unsent = new Set(rows.map(({ id }) => id));
  const isUndone = createUndoneReader(database);
  return rows
    .filter(({ id, undoes }) => !(undoes !== null && unsent.has(undoes)) && !isUndone(id))
    .map(({ id }) => id);
}

/** Finds an event and the claims it is about; null where there is none with this ID. */
export function findReviewEvent(database: Database, request: { workspaceId: string; id: string }) {
  const row = database
    .prepare(
      `SELECT ${eventColumns} FROM review_events WHERE workspace_id=:workspaceId AND ${hasId('packed_id', ':id')}`,
    )
    .get(request) as EventRow | undefined;
  if (row === undefined) return null;
  const claimIds = database
    .prepare('SELECT claim_id FROM review_event_claims WHERE event_seq=? ORDER BY claim_id')
    .pluck()
    .all(row.seq) as number[];
  return { event: createEventLister(database)(row), claimIds };
}
