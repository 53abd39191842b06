import type { MissingSince } from '../../../../contract/sync.ts';
import type { Database } from '../file/database.ts';
import type { ListKind } from '../record/list-kind.ts';
import type { ChangeLog, ChangeSource } from './change-log.ts';
import type { PassPages } from './pass-pages.ts';

/** Records in the store that a pass did not receive, and the number of records in the store. */
function findUnseen(database: Database, pages: PassPages, kind: ListKind, pass: number) {
  const seen = pages.seenIds(kind, pass);
  const here = database.prepare(`SELECT id FROM ${kind} WHERE gone_since IS NULL`).pluck().all() as number[];
  return { here: here.length, unseen: here.filter((id) => !seen.has(id)) };
}

/** How many records are in the store, and how many of them markMissing() would mark. */
export function countUnseen(database: Database, pages: PassPages, kind: ListKind, pass: number) {
  const { here, unseen } = findUnseen(database, pages, kind, pass);
  return { here, unseen: unseen.length };
}

/**
 * Marks records that a verified pass did not return: records that were already missing are confirmed, others are newly
 * marked. Marked records are kept; a record that is returned again loses its mark. Unreadable records that the pass did
 * not receive are removed. Returns how many are newly marked.
 */
export function markMissing(
  database: Database,
  pages: PassPages,
  changes: ChangeLog,
  options: { kind: ListKind; pass: number; at: string; changes: ChangeSource },
): number {
  const { kind, at } = options;
  const logChange = (id: number, change: 'missing' | 'confirmed'): void =>
    changes.logChange(options.changes, { kind, id, change, at });
  return database.transaction(() => {
    const isMissing = `EXISTS (SELECT 1 FROM ${kind} WHERE id=gone_records.id AND gone_since IS NOT NULL)`;
    database.prepare(`DELETE FROM gone_records WHERE kind=? AND NOT ${isMissing}`).run(kind);
    const confirmed = database
      .prepare('UPDATE gone_records SET confirmed_at=? WHERE kind=? AND confirmed_at IS NULL RETURNING id')
      .pluck()
      .all(at, kind) as number[];
    for (const id of confirmed) logChange(id, 'confirmed');
    const mark = database.prepare(`UPDATE ${kind} SET gone_since=? WHERE id=?`);
    const keep = database.prepare('INSERT OR REPLACE INTO gone_records (kind, id, since) VALUES (?, ?, ?)');
    const { unseen } = findUnseen(database, pages, kind, options.pass);
    for (const id of unseen) {
      mark.run(at, id);
      keep.run(kind, id, at);
      logChange(id, 'missing');
    }
    removeMended(database, pages, kind, options.pass);
    return unseen.length;
  })();
}

function removeMended(database: Database, pages: PassPages, kind: ListKind, pass: number): void {
  const seen = pages.seenOddKeys(kind, pass);
  const remove = database.prepare('DELETE FROM set_aside WHERE digest=?');
  const digests = database.prepare('SELECT digest FROM set_aside WHERE kind=?').pluck().all(kind);
  for (const digest of digests as Buffer[]) if (!seen.has(digest.readUIntBE(0, 6))) remove.run(digest);
}

/** Since when the service no longer returns a record; null where it still does, or where there is no such record. */
export function readMissingSince(database: Database, kind: ListKind, id: number): MissingSince | null {
  const mark = database
    .prepare(
      `SELECT r.gone_since AS since, g.confirmed_at AS confirmedAt FROM ${kind} r
       LEFT JOIN gone_records g ON g.kind=? AND g.id=r.id WHERE r.id=? AND r.gone_since IS NOT NULL`,
    )
    .get(kind, id) as MissingSince | undefined;
  return mark ?? null;
}
