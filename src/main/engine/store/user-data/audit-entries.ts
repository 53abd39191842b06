import { createHash } from 'node:crypto';
import type { AuditAction, AuditEntry, AuditRecord, AuditVerdict } from '../../../../contract/audit.ts';
import type { Connection } from '../file/connection.ts';
import { type JsonValue, writeCanonicalJson } from '../record/json.ts';

/** The newest entry as it stood after the last append; kept outside the file, so that a cut-off end shows. */
export interface AuditAnchor {
  readonly seq: number;
  readonly hash: string;
}

interface Row {
  seq: number;
  at: string;
  action: string;
  workspace_id: string | null;
  details: string;
  hash: string;
}

const genesis = '0'.repeat(64);

function chainHash(before: string, row: Omit<Row, 'hash'>): string {
  const text = writeCanonicalJson([row.seq, row.at, row.action, row.workspace_id, row.details] as JsonValue);
  return createHash('sha256').update(`${before}\n${text}`).digest('hex');
}

/**
 * Appends one entry; the write lock is taken first, so that processes at the same time form one chain.
 * `noteRow` gets the row before it is committed.
 */
export function appendAudit(
  connection: Connection,
  record: AuditRecord & { at: string },
  noteRow: (row: Readonly<Record<string, unknown>>) => void = () => undefined,
): AuditAnchor {
  return connection
    .transaction((): AuditAnchor => {
      const last = connection.prepare('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get() as
        | AuditAnchor
        | undefined;
      const row = {
        seq: (last?.seq ?? 0) + 1,
        at: record.at,
        action: record.action,
        workspace_id: record.workspaceId,
        details: JSON.stringify(record.details),
      };
      const hash = chainHash(last?.hash ?? genesis, row);
      connection
        .prepare('INSERT INTO audit (seq, at, action, workspace_id, details, hash) VALUES (?, ?, ?, ?, ?, ?)')
        .run(row.seq, row.at, row.action, row.workspace_id, row.details, hash);
      noteRow({ ...row, hash });
      return { seq: row.seq, hash };
    })
    .immediate();
}

/** Newest first. */
export function listAudit(connection: Connection, page: { offset: number; limit: number }) {
  const rows = connection
    .prepare('SELECT * FROM audit ORDER BY seq DESC LIMIT ? OFFSET ?')
    .all(page.limit, page.offset) as Row[];
  const total = connection.prepare('SELECT count(*) FROM audit').pluck().get() as number;
  const entries = rows.map(
    (row): AuditEntry => ({
      seq: row.seq,
      at: row.at,
      action: row.action as AuditAction,
      workspaceId: row.workspace_id,
      details: JSON.parse(row.details) as AuditEntry['details'],
      hash: row.hash,
    }),
  );
  return { entries, total };
}

/** Walks the whole chain. The anchor may be behind by what a killed process had no time to note. */
export function verifyAudit(connection: Connection, anchor: AuditAnchor | null): AuditVerdict {
  let before = genesis;
  let entries = 0;
  let isAnchored = anchor === null;
  const bad = (reason: AuditVerdict['reason'], firstBad: number): AuditVerdict => ({
    isIntact: false,
    entries,
    firstBad,
    reason,
  });
  for (const row of connection
    .prepare('SELECT * FROM audit ORDER BY seq')
    .iterate() as IterableIterator<Row>) {
    if (row.seq !== entries + 1) return bad('missing', entries + 1);
    if (chainHash(before, row) !== row.hash) return bad('altered', row.seq);
    if (anchor?.seq === row.seq) {
      if (anchor.hash !== row.hash) return bad('altered', row.seq);
      isAnchored = true;
    }
    before = row.hash;
    entries += 1;
  }
  if (anchor === null && entries > 0) return bad('anchorMissing', entries);
  if (!isAnchored) return bad('endMissing', entries + 1);
  return { isIntact: true, entries, firstBad: null, reason: null };
}
