import type { StoreProgress } from '../../../../contract/store.ts';
import { DeskError } from '../../../lib/errors.ts';
import { sql as recordsBaseline } from '../migrations/0015-baseline.ts';
import { sql as version03 } from '../migrations/0046-version-0.3.ts';
import { sql as userDataBaseline } from '../user-data-migrations/0005-baseline.ts';
import { sql as eventTimes } from '../user-data-migrations/0006-event-times.ts';
import { sql as packedValues } from '../user-data-migrations/0007-packed-values.ts';
import { sql as signatures } from '../user-data-migrations/0008-signatures.ts';
import { sql as team } from '../user-data-migrations/0009-team.ts';
import { sql as seen } from '../user-data-migrations/0010-seen.ts';
import { sql as teamFacts } from '../user-data-migrations/0012-team-facts.ts';
import { sql as teamRemovals } from '../user-data-migrations/0013-team-removals.ts';
import { sql as packedProofs } from '../user-data-migrations/0014-packed-proofs.ts';
import { sql as runEvents } from '../user-data-migrations/0015-runs.ts';
import { sql as teamLog } from '../user-data-migrations/0019-team-log.ts';
import { sql as keptMembers } from '../user-data-migrations/0021-kept-members.ts';
import { sql as teamDoubts } from '../user-data-migrations/0022-team-doubts.ts';
import { sql as namedInvitations } from '../user-data-migrations/0023-named-invitations.ts';
import { sql as checkpoints } from '../user-data-migrations/0025-checkpoints.ts';
import { sql as comparedJoins } from '../user-data-migrations/0026-compared-joins.ts';
import { sql as otherLogs } from '../user-data-migrations/0027-other-logs.ts';
import { sql as plans } from '../user-data-migrations/0028-plans.ts';
import { sql as dismissedLogs } from '../user-data-migrations/0029-dismissed-logs.ts';
import { sql as compactEvents } from '../user-data-migrations/0030-compact-events.ts';
import type { Database } from './database.ts';
import { toStoredProof, toStoredSeen } from './packed-proofs.ts';
import { packValues } from './packed-values.ts';

/**
 * A statement that runs once, or one that runs for each range of `rowid` of a table, whose two ends are bound to its
 * parameters.
 */
type MigrationPart = string | { readonly rowsOf: string; readonly sql: string };

interface Migration {
  readonly version: number;
  /** Divided into parts where it takes seconds at a million claims, so that progress can be shown. */
  readonly sql: string | readonly MigrationPart[];
}

/**
 * Migrations of the two files, in order: what the service sent, and what people wrote. The first migration makes the
 * file of version 0.2, the first release. A released migration never changes, and imports no code that may change.
 */
export const migrationsOf: Readonly<Record<'records' | 'userData', readonly Migration[]>> = {
  records: [
    { version: 15, sql: recordsBaseline },
    { version: 46, sql: version03 },
  ],
  userData: [
    { version: 5, sql: userDataBaseline },
    { version: 6, sql: eventTimes },
    { version: 7, sql: packedValues },
    { version: 8, sql: signatures },
    { version: 9, sql: team },
    { version: 10, sql: seen },
    { version: 12, sql: teamFacts },
    { version: 13, sql: teamRemovals },
    { version: 14, sql: packedProofs },
    { version: 15, sql: runEvents },
    { version: 19, sql: teamLog },
    { version: 21, sql: keptMembers },
    { version: 22, sql: teamDoubts },
    { version: 23, sql: namedInvitations },
    { version: 25, sql: checkpoints },
    { version: 26, sql: comparedJoins },
    { version: 27, sql: otherLogs },
    { version: 28, sql: plans },
    { version: 29, sql: dismissedLogs },
    { version: 30, sql: compactEvents },
  ],
};

export const newestVersionOf = (file: 'records' | 'userData'): number =>
  migrationsOf[file].at(-1)?.version ?? 0;

/**
 * Checks the version of a file that is opened read-only and cannot be migrated. Without this check, a missing column
 * would look like damage.
 * @throws DeskError `store.older`, `store.newer`, `store.empty`
 */
export function requireNewest(database: Database, file: 'records' | 'userData'): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  const newestVersion = newestVersionOf(file);
  if (version === newestVersion) return;
  // Version 0: another process is making the file.
  if (version === 0) throw new DeskError('store.empty');
  throw new DeskError(version > newestVersion ? 'store.newer' : 'store.older', {
    details: { version, newestVersion },
  });
}

/** Rows that one statement of a migration changes: a fraction of a second. */
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
  if (version !== 0 && !migrationsOf[file].some((one) => one.version === version))
    throw new DeskError('store.newer', { details: { version, newestVersion } });
  const isOld = version > 0 && version < target;
  if (isOld) options.backUp?.(version);
  const pending = migrationsOf[file].filter((one) => one.version > version && one.version <= target);
  const of = isOld ? pending.flatMap(partsOf).reduce((sum, part) => sum + countRuns(database, part), 0) : 0;
  if (file === 'userData') {
    database.function('pack_values', (text) => (typeof text === 'string' ? packValues(text) : null));
    database.function('pack_proof', toStoredProof);
    database.function('pack_seen', toStoredSeen);
    database.function('bytes_of', (text) => Buffer.from(text as string, 'base64url'));
  }
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
  const isThere = database.prepare('SELECT 1 FROM sqlite_schema WHERE name=?').get(part.rowsOf);
  // The table does not exist yet: an earlier migration creates it, and it is empty or small.
  if (isThere === undefined) return 1;
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
