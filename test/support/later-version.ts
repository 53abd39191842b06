import { vi } from 'vitest';
import type { Shape } from '../../src/main/engine/store/record/record-columns.ts';

/** A field that gets a column of its own: `key` is the service's name, `table` the table of its rows. */
interface NewField {
  readonly table: 'claims' | 'claim_lines' | 'members' | 'dependents';
  readonly key: string;
  readonly column: string;
  readonly kind: 'text' | 'integer' | 'real' | 'money' | 'boolean';
}

/**
 * What a migration does for such a field: it adds the column, says of all rows so far that they may lack the field, and
 * marks the records that kept it beside their columns, which are written again once the file is open.
 */
function addColumn({ table, key, column, kind }: NewField): string {
  const type = { text: 'TEXT', real: 'REAL', integer: 'INTEGER', money: 'INTEGER', boolean: 'INTEGER' }[kind];
  const [record, id] = {
    ...{ claims: ['claims', 'id'], claim_lines: ['claims', 'parent'] },
    ...{ members: ['members', 'id'], dependents: ['members', 'parent'] },
  }[table] as [string, string];
  return `ALTER TABLE ${table} ADD COLUMN ${column} ${type};
    UPDATE record_shapes SET markers=json_insert(markers, '$[#]', '${table}:${key}');
    INSERT OR IGNORE INTO records_to_write (kind, id) SELECT '${record}', ${id} FROM ${table}
      WHERE instr(extra, '"${key}"')>0;`;
}

/** All shapes reachable from these, by table. */
function shapesBelow(roots: readonly Shape[]): Map<string, Shape> {
  const found = new Map<string, Shape>();
  const visit = (shape: Shape): void => {
    if (found.has(shape.table)) return;
    found.set(shape.table, shape);
    for (const shared of shape.shared) visit(shared.shape());
    for (const list of shape.lists) if (list.kind !== 'map') visit(list.shape());
  };
  for (const root of roots) visit(root);
  return found;
}

/**
 * The store of a later version of Claimdesk that knows more fields: it has one more migration and some more columns.
 * All its modules are loaded a second time, so that both versions can be used in one test.
 */
export async function loadLaterVersion(fields: readonly NewField[]) {
  vi.resetModules();
  const shapes = await import('../../src/main/engine/store/record/record-columns.ts');
  const byTable = shapesBelow([shapes.memberShape, shapes.claimShape]);
  for (const { table, key, column, kind } of fields) {
    const columns = byTable.get(table)?.columns as { key: string; column: string; kind: string }[];
    columns.push({ key, column, kind });
  }
  const { migrationsOf, newestVersionOf } = await import(
    '../../src/main/engine/store/file/migration-list.ts'
  );
  const sql = fields.map(addColumn).join('');
  (migrationsOf.records as { version: number; sql: string }[]).push({
    version: newestVersionOf('records') + 1,
    sql,
  });
  return {
    ...(await import('../../src/main/engine/store/file/migrate.ts')),
    ...(await import('../../src/main/engine/store/threads/operations.ts')),
    ...(await import('../../src/main/engine/store/query/list-operations.ts')),
    ...(await import('../../src/main/engine/store/maintenance/check-records.ts')),
    ...(await import('./engine-sync.ts')),
  };
}
