import { sql as recordsBaseline } from '../migrations/0015-baseline.ts';
import { sql as recordsVersion03 } from '../migrations/0052-version-0.3.ts';
import { sql as userDataBaseline } from '../user-data-migrations/0005-baseline.ts';
import { sql as userDataVersion03 } from '../user-data-migrations/0035-version-0.3.ts';

/** A statement that runs once, or once for each range of `rowid` of a table, whose ends are its parameters. */
export type MigrationPart = string | { readonly rowsOf: string; readonly sql: string };

export interface Migration {
  readonly version: number;
  /** Divided into parts where it takes seconds at a million claims, so that progress can be shown. */
  readonly sql: string | readonly MigrationPart[];
}

/**
 * Migrations of the two files, in order: what the service sent, and what users wrote. The first migration creates the
 * file of version 0.2, the first release. A released migration never changes and imports no code that may change.
 */
export const migrationsOf: Readonly<Record<'records' | 'userData', readonly Migration[]>> = {
  records: [
    { version: 15, sql: recordsBaseline },
    { version: 52, sql: recordsVersion03 },
  ],
  userData: [
    { version: 5, sql: userDataBaseline },
    { version: 35, sql: userDataVersion03 },
  ],
};

export const newestVersionOf = (file: 'records' | 'userData'): number =>
  migrationsOf[file].at(-1)?.version ?? 0;
