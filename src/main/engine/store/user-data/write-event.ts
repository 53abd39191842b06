import type { ReviewDetail } from '../../../../rules/review/folded-review.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Database } from '../file/database.ts';
import { packValues } from '../file/packed-values.ts';
import { memo } from '../record/memo.ts';
import { putCertificateSql } from './certificates.ts';
import { type createEventTimes, queueEventSql } from './event-times.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { type createEventWriter, hasId, type ReviewEventRow } from './stored-events.ts';
import { doubtSql } from './team-doubts.ts';

/** A row of `review_event_claims` without its event: claim, values as JSON text, digest, detail. */
export type ReviewClaimRow = readonly [
  claimId: number,
  reviewed: string | null,
  digest: string | null,
  detail: string | null,
];
/** The same as stored in the file, with compressed values. In the journal, these are base64. */
export type StoredClaimRow = readonly [
  claimId: number,
  reviewed: Buffer | null,
  digest: string | null,
  detail: string | null,
];
/** An event with its claims, as written to a file of reviews. */
export interface ReviewEntry extends ReviewEventRow {
  readonly claims: readonly ReviewClaimRow[];
}
/** An event of a file of reviews or a team's log. A large one is several entries, each with some of its claims. */
export type ImportedEntry = Omit<ReviewEntry, 'workspace_id' | 'is_imported' | 'seen'>;

/** A claim that an act is about, with the values that are stored with it. */
export interface ActedClaim {
  readonly claimId: number;
  /** JSON text of its `ReviewedValues`; null where the claim is not on this computer. */
  readonly reviewed: string | null;
  readonly digest: string | null;
  readonly detail?: ReviewDetail | undefined;
}

export const putEventClaimSql = `INSERT OR IGNORE INTO review_event_claims (claim_id, event_seq, reviewed, digest, detail)
  VALUES (:claim_id, :event_seq, :reviewed, :digest, :detail)`;

/** Consecutive events of one claim have the same values, and compressing takes long. */
const packedBefore = new Map<string, Buffer>();
const pack = (text: string | null): Buffer | null =>
  text === null ? null : memo(packedBefore, text, () => packValues(text), 100);
/** Compresses the values of claims from files and logs of teams. */
export const toStored = (claims: readonly ReviewClaimRow[]): StoredClaimRow[] =>
  claims.map(([claimId, reviewed, digest, detail]) => [claimId, pack(reviewed), digest, detail]);
/** Does the same for claims of an act that is made here, whose details are not text yet. */
export const toRows = (claims: readonly ActedClaim[]): StoredClaimRow[] =>
  claims.map(({ claimId, reviewed, digest, detail }) => [
    claimId,
    pack(reviewed),
    digest,
    detail === undefined ? null : JSON.stringify(detail),
  ]);
/** Encodes bytes of an event for the journal. */
export const toBase64 = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString('base64');
const toJournaled = (claims: readonly StoredClaimRow[]): ReviewClaimRow[] =>
  claims.map(([claimId, reviewed, digest, detail]) => [claimId, toBase64(reviewed), digest, detail]);
/** Makes the journal's entry for an event that was written as the row `seq`, with its claims. */
export const toJournalEntry = (
  { seen = null, ...row }: ReviewEventRow,
  claims: readonly StoredClaimRow[],
  seq: number,
): JournalEntry => ({
  kind: 'put',
  table: 'reviews',
  row: { ...row, proof: toBase64(row.proof), seen: toBase64(seen), claims: toJournaled(claims), seq },
});
/** Converts stored values of any version to the current form: before version 0.3 they were JSON text. */
export function toStoredValues(kept: unknown): Buffer | null {
  if (typeof kept !== 'string') return (kept ?? null) as Buffer | null;
  return kept.startsWith('{') ? packValues(kept) : Buffer.from(kept, 'base64');
}

/** The largest number of events that can be added, from a file of reviews, between the parts of an act. */
const eventsBetween = 1_000_000;

/** The parts that write events: the journal, and the statements for an event and for a claim. */
export interface Writer {
  readonly database: Database;
  readonly journal: Journal;
  readonly times: ReturnType<typeof createEventTimes>;
  readonly events: ReturnType<typeof createEventWriter>;
  readonly statements: ReturnType<typeof prepareStatements>;
  /** The act whose claims arrive in parts, and the number of its event, above those of events added in between. */
  staged: { readonly id: string; readonly seq: number } | null;
}

/** The statements by which acts and files change events; `createEventWriter` has those for the events' rows. */
export const prepareStatements = (database: Database) => ({
  putClaim: database.prepare(putEventClaimSql),
  putCertificate: database.prepare(putCertificateSql),
  findKnown: database.prepare(
    `SELECT seq, workspace_id, at, folds_at, kind, is_imported, proof FROM review_events WHERE ${hasId('packed_id', ':id')}`,
  ),
  nextSeq: database.prepare('SELECT ifnull(max(seq), 0)+1 FROM stored_events').pluck(),
  removeStaged: database.prepare('DELETE FROM stored_claims WHERE event_seq>=?'),
  hasClaim: database.prepare('SELECT 1 FROM review_event_claims WHERE event_seq=? AND claim_id=?'),
  readSeen: database.prepare('SELECT number, hash FROM team_position WHERE workspace_id=? AND number>0'),
  putSeen: database.prepare(
    `UPDATE stored_events SET seen=:seen WHERE ${hasId('id', ':id')} AND seen IS NOT :seen`,
  ),
  queueEvent: database.prepare(queueEventSql),
  findReopened: database
    .prepare(
      `SELECT e.id FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
       WHERE c.claim_id=? AND c.digest=? AND e.workspace_id=? AND e.kind='reopened' AND c.detail->>'since'=?
         AND c.detail->>'after' IS ?`,
    )
    .pluck(),
  findByRule: database.prepare(
    `SELECT e.id, c.detail, ${doubtSql} AS doubt FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
       WHERE c.claim_id=:claimId AND c.digest=:digest AND e.workspace_id=:workspaceId AND e.kind='byRule'
         AND e.fact->>'$.how'='done' AND c.detail->>'$.rule.id'=:ruleId AND c.detail->>'$.rule.version'=:version`,
  ),
  doubt: database.prepare('INSERT OR IGNORE INTO team_doubts (workspace_id, id, is_denied) VALUES (?, ?, 0)'),
  endDoubt: database.prepare('DELETE FROM team_doubts WHERE workspace_id=? AND id=?'),
  queueClaim: database.prepare(
    'INSERT OR REPLACE INTO claims_to_settle (workspace_id, claim_id) VALUES (?, ?)',
  ),
});

const nextSeq = ({ statements }: Writer): number => statements.nextSeq.get() as number;

/** Adds claims to an event; its existing claims are unchanged. */
export function putClaims({ statements }: Writer, seq: number, claims: readonly StoredClaimRow[]): void {
  for (const [claimId, reviewed, digest, detail] of claims)
    statements.putClaim.run({ claim_id: claimId, event_seq: seq, reviewed, digest, detail });
}

/** Removes claims without an event, left by an act that failed or a killed process. */
export function dropStaged(writer: Writer): void {
  writer.staged = null;
  writer.statements.removeStaged.run(nextSeq(writer));
}

/**
 * Writes an event and its claims; returns the number of its row. `isFirst`: the event is the first of a transaction;
 * `number`: its number in the team's log.
 */
export function insertEvent(
  writer: Writer,
  row: ReviewEventRow,
  claims: readonly StoredClaimRow[],
  isFirst = true,
  number: number | null = null,
): number {
  const { staged } = writer;
  const stagedSeq = staged?.id === row.id ? staged.seq : null;
  if (staged === null ? isFirst : stagedSeq === null && nextSeq(writer) >= staged.seq) dropStaged(writer);
  const seq = writer.events.put({ ...row, seq: stagedSeq, number });
  if (stagedSeq !== null) writer.staged = null;
  putClaims(writer, seq, claims);
  return seq;
}

interface StagedClaims {
  readonly id: string;
  readonly claims: readonly ActedClaim[];
  readonly isFirst: boolean;
}

/**
 * Stores some claims of an act that is appended later under the same ID, so that an act on a million claims is one
 * event and needs memory for only a few thousand. Until then they are ignored.
 * @throws DeskError `store.busy`
 */
export function stageClaims(writer: Writer, { id, claims, isFirst }: StagedClaims): null {
  if (isFirst) {
    dropStaged(writer);
    writer.staged = { id, seq: nextSeq(writer) + eventsBetween };
  }
  if (writer.staged?.id !== id) throw new DeskError('store.busy');
  const { seq } = writer.staged;
  const rows = toRows(claims);
  putClaims(writer, seq, rows);
  writer.journal.append({ kind: 'put', table: 'reviewClaims', row: { id, seq, claims: toJournaled(rows) } });
  return null;
}
