import type { AuditVerdict } from '../../../../contract/audit.ts';
import type { Database } from '../file/database.ts';
import { type AuditAnchor, type AuditRow, genesis, keyedHash } from './audit-chain.ts';

/** Where verification of the chain begins: `before` is the hash that its first entry follows. */
export interface Start {
  readonly seq: number;
  readonly before: string;
}
/** `key`: null if the profile has none. */
interface Evidence {
  readonly anchors: readonly AuditAnchor[];
  readonly key: Uint8Array | null;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The details of the newest entry of an action. */
function newestOf(database: Database, action: string) {
  const row = database
    .prepare('SELECT seq, details FROM audit WHERE action=? ORDER BY seq DESC LIMIT 1')
    .get(action) as { seq: number; details: string } | undefined;
  return row === undefined
    ? null
    : { seq: row.seq, details: JSON.parse(row.details) as Record<string, unknown> };
}

/** Where the log begins: at its first entry or, after a removal of old entries, at the first one that remains. */
export function findStart(database: Database): Start {
  const first = database.prepare('SELECT min(seq) FROM audit').pluck().get() as number | null;
  const cut = newestOf(database, 'audit.trimmed')?.details;
  if (first !== null && first > 1 && cut?.through === first - 1 && isText(cut.hash))
    return { seq: first, before: cut.hash };
  return { seq: 1, before: genesis };
}

/** Finds the entry by which the user last accepted the log; it contains the hash that it follows. */
function findAccepted(database: Database): Start | null {
  const accepted = newestOf(database, 'audit.accepted');
  return accepted === null || !isText(accepted.details.follows)
    ? null
    : { seq: accepted.seq, before: accepted.details.follows };
}

/**
 * Verifies the chain. The entry of each anchor must be found, unless it was removed or accepted; the newest entries
 * may not be anchored yet.
 */
export function verifyAudit(database: Database, evidence: Evidence): AuditVerdict {
  const verdict = walk(database, findStart(database), evidence);
  if (verdict.isIntact) return verdict;
  const accepted = findAccepted(database);
  if (accepted === null || (verdict.firstBad ?? 0) > accepted.seq) return verdict;
  return walk(database, accepted, evidence);
}

function walk(database: Database, start: Start, evidence: Evidence): AuditVerdict {
  const rows = database
    .prepare(
      'SELECT seq, at, action, workspace_id, details, actor, hash FROM audit WHERE seq>=? ORDER BY seq',
    )
    .iterate(start.seq) as IterableIterator<AuditRow>;
  const total = database.prepare('SELECT count(*) FROM audit').pluck().get() as number;
  return checkChain(rows, start, evidence, total);
}

/** Verifies entries, oldest first, that begin at `start`; `total` is part of the verdict. */
export function checkChain(
  rows: Iterable<AuditRow>,
  start: Start,
  { anchors, key }: Evidence,
  total: number,
): AuditVerdict {
  const expected = new Map<number, string[]>();
  for (const { seq, hash } of anchors) expected.set(seq, [...(expected.get(seq) ?? []), hash]);
  const bad = (reason: AuditVerdict['reason'], firstBad: number): AuditVerdict => ({
    isIntact: false,
    entries: total,
    from: start.seq,
    firstBad,
    reason,
  });
  let { before } = start;
  let next = start.seq;
  for (const row of rows) {
    if (row.seq !== next) return bad('missing', next);
    if (key === null) return bad('keyMissing', row.seq);
    if (keyedHash(key, before, row) !== row.hash) return bad('altered', row.seq);
    if (expected.get(row.seq)?.some((hash) => hash !== row.hash)) return bad('altered', row.seq);
    before = row.hash;
    next += 1;
  }
  if (anchors.some(({ seq }) => seq >= next)) return bad('endMissing', next);
  return { isIntact: true, entries: total, from: start.seq, firstBad: null, reason: null };
}
