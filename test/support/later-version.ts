import { vi } from 'vitest';
import type { Shape } from '../../src/main/engine/store/record/record-columns.ts';

type MovedField = Parameters<
  typeof import('../../src/main/engine/store/migrations/move-field.ts').moveField
>[0];

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
export async function loadLaterVersion(fields: readonly MovedField[]) {
  vi.resetModules();
  const shapes = await import('../../src/main/engine/store/record/record-columns.ts');
  const byTable = shapesBelow([shapes.memberShape, shapes.claimShape]);
  for (const { table, key, column, kind } of fields) {
    const columns = byTable.get(table)?.columns as { key: string; column: string; kind: string }[];
    columns.push({ key, column, kind });
  }
  const { moveField } = await import('../../src/main/engine/store/migrations/move-field.ts');
  const { migrate, migrationsOf, newestVersionOf } = await import(
    '../../src/main/engine/store/file/migrate.ts'
  );
  const sql = fields.map(moveField).join('');
  (migrationsOf.records as { version: number; sql: string }[]).push({
    version: newestVersionOf('records') + 1,
    sql,
  });
  return {
    migrate,
    ...(await import('../../src/main/engine/store/threads/operations.ts')),
    ...(await import('../../src/main/engine/store/query/list-operations.ts')),
    ...(await import('../../src/main/engine/store/maintenance/check-records.ts')),
    ...(await import('./engine-sync.ts')),
  };
}
