import type { Database } from '../file/database.ts';
import { knownKeysOf } from './decompose.ts';
import type { PreparedRow } from './prepare-page.ts';
import { claimLineShape, claimShape } from './record-columns.ts';

/** The position in `unread_amounts` of a claim's own amounts; its lines have positions from 0. */
export const ofClaimItself = -1;
const linesAt = claimShape.lists
  .filter(({ kind }) => kind !== 'map')
  .findIndex(({ table }) => table === claimLineShape.table);

/** Writes what the cells of a claim and its lines don't hold: amounts that are not numbers, and unknown fields. */
export function createOddWriter(database: Database) {
  const clear = database.prepare('DELETE FROM unread_amounts WHERE claim_id=?');
  const insert = database.prepare('INSERT INTO unread_amounts (claim_id, position, field) VALUES (?, ?, ?)');
  const name = database.prepare('INSERT OR IGNORE INTO unknown_fields (list, field) VALUES (?, ?)');
  const named = new Set<string>();
  const writeRow = (list: 'claims' | 'lines', id: number, row: PreparedRow, position: number): void => {
    for (const field of row.unreadAmounts ?? []) insert.run(id, position, field);
    for (const field of row.unknown ?? []) {
      if (named.has(`${list} ${field}`)) continue;
      name.run(list, field);
      named.add(`${list} ${field}`);
    }
  };
  return {
    write(id: number, row: PreparedRow, isNew: boolean): void {
      if (!isNew) clear.run(id);
      writeRow('claims', id, row, ofClaimItself);
      const lines = row.lists[linesAt] as readonly PreparedRow[];
      for (const [position, line] of lines.entries()) writeRow('lines', id, line, position);
    },
    /** Called after a rollback, because names in the cache may not have been written. */
    forget: (): void => named.clear(),
  };
}

/** The unknown fields of claims or lines received so far, in order. */
export function listUnknownFields(database: Database, list: 'claims' | 'lines'): string[] {
  const knownKeys = knownKeysOf(list === 'claims' ? claimShape : claimLineShape);
  const fields = database
    .prepare('SELECT field FROM unknown_fields WHERE list=? ORDER BY field')
    .pluck()
    .all(list) as string[];
  return fields.filter((field) => !knownKeys.has(field));
}
