import type { StoreProgress } from '../../../../contract/store.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Database } from './database.ts';
import { type Migration, type MigrationPart, migrationsOf, newestVersionOf } from './migration-list.ts';
import { packValues } from './packed-values.ts';

/**
 * Checks the version of a file that is opened read-only and cannot be migrated. Without this check, a missing column
 * would look like damage.
 * @throws DeskError `store.older`, `store.newer`, `store.empty`
 */
export function requireNewest(database: Database, file: 'records' | 'userData'): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  const newestVersion = newestVersionOf(file);
  if (version === newestVersion) return;
  // Version 0: another process is creating the file.
  if (version === 0) throw new DeskError('store.empty');
  throw new DeskError(version > newestVersion ? 'store.newer' : 'store.older', {
    details: { version, newestVersion },
  });
}

/** How many rows one statement of a migration changes: it takes a fraction of a second. */
const rowsAtOnce = 5_000;

/**
 * Migrates a file to the newest version. Each migration and its version number are written in one transaction, so that
 * a killed process loses one migration at most. `backUp` is called before a file with content is changed; if it throws,
 * the file stays unchanged. `onProgress` counts the parts of all migrations.
 *
 * @throws DeskError `store.newer` when a newer Claimdesk wrote the file, or it is from before the first release; what
 *   `backUp` throws
 */
export function migrate(
  database: Database,
  file: 'records' | 'userData' = 'records',
  options: {
    target?: number;
    backUp?: (version: number) => void;
    onProgress?: ((progress: StoreProgress) => void) | undefined;
  } = {},
): void {
  const newestVersion = newestVersionOf(file);
  const target = options.target ?? newestVersion;
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version !== 0 && !migrationsOf[file].some((migration) => migration.version === version))
    throw new DeskError('store.newer', { details: { version, newestVersion } });
  const isOld = version > 0 && version < target;
  if (isOld) options.backUp?.(version);
  const pending = migrationsOf[file].filter(
    (migration) => migration.version > version && migration.version <= target,
  );
  const of = isOld ? pending.flatMap(partsOf).reduce((sum, part) => sum + countRuns(database, part), 0) : 0;
  if (file === 'userData')
    database.function('pack_values', (text) => (typeof text === 'string' ? packValues(text) : null));
  let done = 0;
  const count = (): void => {
    if (isOld) options.onProgress?.({ doing: 'migrating', done, of });
    done += 1;
  };
  for (const migration of pending) {
    database
      .transaction(() => {
        // Another process may have migrated while this one waited for the lock.
        if ((database.pragma('user_version', { simple: true }) as number) >= migration.version) return;
        for (const part of partsOf(migration)) runPart(database, part, count);
        database.pragma(`user_version=${migration.version}`);
      })
      .immediate();
  }
}

const partsOf = ({ sql }: Migration): readonly MigrationPart[] => (typeof sql === 'string' ? [sql] : sql);

function countRuns(database: Database, part: MigrationPart): number {
  if (typeof part === 'string') return 1;
  const rows = database.prepare(`SELECT count(*) FROM ${part.rowsOf}`).pluck().get() as number;
  return Math.ceil(rows / rowsAtOnce);
}

function runPart(database: Database, part: MigrationPart, count: () => void): void {
  if (typeof part === 'string') {
    count();
    database.exec(part);
    return;
  }
  const run = database.prepare(part.sql);
  const findEnd = database
    .prepare(
      `SELECT max(rowid) FROM (SELECT rowid FROM ${part.rowsOf} WHERE rowid>? ORDER BY rowid LIMIT ${rowsAtOnce})`,
    )
    .pluck();
  let from = Number.MIN_SAFE_INTEGER - 1;
  for (;;) {
    const end = findEnd.get(from) as number | null;
    if (end === null) return;
    count();
    run.run(from, end);
    from = end;
  }
}
