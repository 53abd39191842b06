import { findKind } from '../../../../rules/review/event-kinds.ts';
import { readContained, readFact } from '../../../../rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../../rules/review/folded-review.ts';
import type { Database } from '../file/database.ts';
import { certificateOf } from '../file/packed-proofs.ts';
import { readComputers } from './certificates.ts';
import { newestFirst } from './event-times.ts';
import { unpackKept } from './kept-values.ts';
import { type EventRow, eventColumns } from './list-events.ts';
import type { ReviewEntry } from './write-event.ts';

/** How many claims one answer examines, so that it does not block user data for long. */
const claimsAtOnce = 2_000;

interface Row {
  readonly claimId: number;
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly fact: string;
  readonly computer: string;
  readonly detail: string | null;
}

interface WantedCounting {
  readonly workspaceId: string;
  /** The last number of the log that is examined. */
  readonly upTo: number;
  /** The signing key of this computer, which signed the events without a proof. */
  readonly computer: string;
  /** The claim after which to continue; null: the first answer, which also has the events about no claim. */
  readonly after: number | null;
}

/** `seqs`: the rows that count. */
interface Counting {
  readonly seqs: number[];
  readonly next: number | null;
}

/** Chooses the rows of one claim that count, newest first; all if one can't be read. It is a pure function. */
function chooseOfClaim(rows: readonly Row[]): readonly Row[] {
  const facts = rows.map(({ fact }) => readContained(() => readFact(fact), null));
  const details = rows.map(({ detail }) =>
    readContained(() => JSON.parse(detail ?? '{}') as ReviewDetail, null),
  );
  const isSimple =
    !details.includes(null) &&
    facts.every((fact) => fact !== null && findKind(fact.kind)?.inCheckpoint !== undefined);
  const newest = rows.findIndex(({ kind }) => kind === 'decision');
  const isReopened = (row: Row, index: number): boolean =>
    row.kind === 'reopened' && details[index]?.since === (rows[newest]?.id ?? '');
  if (!isSimple) return rows;
  const first = rows.findLastIndex(({ kind }) => kind === 'decision');
  const seen = new Set<string>();
  const isFirstOf = (mark: string): boolean => {
    const isNew = !seen.has(mark);
    seen.add(mark);
    return isNew;
  };
  return rows.filter((row, index) => {
    if (row.kind === 'decision' && isFirstOf(`decision ${row.computer}`)) return true;
    if (row.kind === 'decision') return index === first;
    if (row.kind === 'reopened') return index < newest || newest < 0 || isReopened(row, index);
    return findKind(row.kind)?.inCheckpoint === 'newest' ? isFirstOf(row.kind) : true;
  });
}

/** Reads who signed events; for other computers, from their certificates. */
function createSignerReader(database: Database, workspaceId: string, ownComputer: string) {
  const computers = readComputers(database, workspaceId);
  return (proof: Buffer | null): string =>
    proof === null ? ownComputer : (computers.get(certificateOf(proof))?.key ?? certificateOf(proof));
}

function chooseAboutNone(database: Database, { workspaceId, upTo, computer }: WantedCounting): number[] {
  const computerOf = createSignerReader(database, workspaceId, computer);
  const rows = database
    .prepare(
      `SELECT e.seq, e.kind, e.proof FROM review_events e
       WHERE e.workspace_id=:workspaceId AND e.number<=:upTo
         AND NOT EXISTS (SELECT 1 FROM review_event_claims c WHERE c.event_seq=e.seq)
         AND NOT EXISTS (SELECT 1 FROM team_removed_entries r WHERE r.workspace_id=e.workspace_id AND r.id=e.id)
       ORDER BY ${newestFirst}`,
    )
    .all({ workspaceId, upTo }) as { seq: number; kind: string; proof: Buffer | null }[];
  const seenComputers = new Set<string>();
  return rows.flatMap(({ seq, kind, proof }) => {
    if (kind !== 'computer') return [seq];
    const signer = computerOf(proof);
    const isNew = !seenComputers.has(signer);
    seenComputers.add(signer);
    return isNew ? [seq] : [];
  });
}

/**
 * Chooses the events of a team's log, up to a number, that still count, for the next claims. The choice is the same on
 * every computer that has the log. Left out are decisions that a later one of the same computer replaced, and earlier
 * facts of which only the newest matters. What a removal took from events is in the removal.
 */
export function readCounting(database: Database, request: WantedCounting): Counting {
  const { workspaceId, upTo, computer, after } = request;
  const from = after ?? Number.MIN_SAFE_INTEGER;
  const until = database
    .prepare(
      `SELECT max(claim_id) FROM
         (SELECT DISTINCT claim_id FROM review_event_claims WHERE claim_id>? ORDER BY claim_id LIMIT ?)`,
    )
    .pluck()
    .get(from, claimsAtOnce) as number | null;
  const seqs = new Set(after === null ? chooseAboutNone(database, request) : []);
  if (until === null) return { seqs: [...seqs], next: null };
  const computerOf = createSignerReader(database, workspaceId, computer);
  const rows = database
    .prepare(
      `SELECT c.claim_id AS claimId, e.seq, e.id, e.kind, e.fact, e.proof, c.detail
       FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
       WHERE c.claim_id>:from AND c.claim_id<=:until AND e.workspace_id=:workspaceId AND e.number<=:upTo
         AND NOT EXISTS (SELECT 1 FROM team_removed_entries r WHERE r.workspace_id=e.workspace_id AND r.id=e.id)
       ORDER BY c.claim_id, ${newestFirst}`,
    )
    .iterate({ from, until, workspaceId, upTo }) as Iterable<
    Omit<Row, 'computer'> & { proof: Buffer | null }
  >;
  let ofClaim: Row[] = [];
  const choose = (): void => {
    for (const { seq } of chooseOfClaim(ofClaim)) seqs.add(seq);
    ofClaim = [];
  };
  for (const { proof, ...row } of rows) {
    if (ofClaim[0]?.claimId !== row.claimId) choose();
    ofClaim.push({ ...row, computer: computerOf(proof) });
  }
  choose();
  return { seqs: [...seqs], next: until };
}

/**
 * An event with its number in the log, and the chain's hash before it; `claims` is empty if there are more than
 * `limit`, and `count` says how many.
 */
export interface CountingEvent {
  readonly number: number;
  readonly before: string;
  readonly event: ReviewEntry;
  readonly count: number;
}

/** Reads events by their rows, in this order. */
export function readCountingEvents(
  database: Database,
  { workspaceId, seqs, limit }: { workspaceId: string; seqs: readonly number[]; limit: number },
): CountingEvent[] {
  const hashAt = database
    .prepare(
      'SELECT hash FROM team_entries WHERE log=(SELECT log FROM team_position WHERE workspace_id=?) AND number=?',
    )
    .pluck();
  const find = database.prepare(`SELECT ${eventColumns}, number FROM review_events WHERE seq=?`);
  const count = database.prepare('SELECT count(*) FROM review_event_claims WHERE event_seq=?').pluck();
  const claims = database
    .prepare(
      'SELECT claim_id, reviewed, digest, detail FROM review_event_claims WHERE event_seq=? ORDER BY claim_id',
    )
    .raw();
  return seqs.map((eventSeq) => {
    const { seq, number, ...event } = find.get(eventSeq) as EventRow & { number: number };
    const all = count.get(seq) as number;
    const rows =
      all > limit ? [] : (claims.all(seq) as [number, Buffer | null, string | null, string | null][]);
    return {
      number,
      count: all,
      before: (hashAt.get(workspaceId, number - 1) as Buffer | undefined)?.toString('base64url') ?? '',
      event: {
        ...event,
        claims: rows.map(([claimId, packed, digest, detail]) => [
          claimId,
          unpackKept(packed),
          digest,
          detail,
        ]),
      },
    };
  });
}

/** The numbers of events by their rows, and the chain's hashes after them, in sequence. */
export function listNumbered(
  database: Database,
  { workspaceId, seqs }: { workspaceId: string; seqs: readonly number[] },
): { numbers: number[]; hashes: Uint8Array } {
  const find = database.prepare(
    `SELECT e.number, t.hash FROM review_events e
     JOIN team_entries t ON t.log=(SELECT log FROM team_position WHERE workspace_id=?) AND t.number=e.number WHERE e.seq=?`,
  );
  const rows = seqs.flatMap(
    (seq) => (find.get(workspaceId, seq) ?? []) as { number: number; hash: Buffer } | [],
  );
  return { numbers: rows.map(({ number }) => number), hashes: Buffer.concat(rows.map(({ hash }) => hash)) };
}
