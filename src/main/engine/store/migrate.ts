import { DeskError } from '../../lib/errors.ts';
import type { Connection } from './connection.ts';
import { sql as records } from './migrations/0001-records.ts';

/** In order; a migration never changes once released, and imports nothing that lives. */
const migrations: readonly { readonly version: number; readonly sql: string }[] = [
  { version: 1, sql: records },
];

export const newestVersion = migrations.at(-1)?.version ?? 0;

/**
 * Brings a file to the newest version, each step in one transaction with its number.
 *
 * @throws DeskError `store.newer` when a newer Claimdesk wrote the file
 */
export function migrate(connection: Connection, target = newestVersion): void {
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version > newestVersion) throw new DeskError('store.newer', { details: { version, newestVersion } });
  for (const migration of migrations) {
    if (migration.version <= version || migration.version > target) continue;
    connection.transaction(() => {
      connection.exec(migration.sql);
      connection.pragma(`user_version=${migration.version}`);
    })();
  }
}
