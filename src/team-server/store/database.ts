import type { NewEntry, TeamHead } from './new-entry.ts';

/** A value of a row; bytes are a Buffer. Only PostgreSQL functions take lists. */
export type Value = string | number | Uint8Array | null | readonly (string | number | Uint8Array)[];

export interface Queries {
  /** Runs one statement with parameters `$1`, `$2` … and returns its rows. */
  all<Row extends object>(sql: string, values?: readonly Value[]): Promise<Row[]>;
}

/** The interface that SQLite and PostgreSQL share. Each failure is a `StoreError`, or a server fault. */
export interface TeamDatabase extends Queries {
  /** Runs statements as one: all of them count, or none. */
  transaction<Result>(run: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Locks a team's row until the transaction ends, so that entries and parts are added one after the other. */
  lockTeam(queries: Queries, team: string): Promise<void>;
  /**
   * Adds entries after the team's newest one, and removes the content that removals among them list: PostgreSQL does
   * this in a function that assigns the numbers and computes the chain, so that the server's role can change neither.
   */
  addEntries(
    queries: Queries,
    team: string,
    entries: readonly NewEntry[],
    after: TeamHead,
    computer: string,
  ): Promise<void>;
  /** Numbers a part that this computer sent separately, by arrival. The team's row is locked. */
  addArrival(queries: Queries, team: string, number: number, part: number, computer: string): Promise<void>;
  /** Deletes removed content when its retention time is over; SQLite keeps none. */
  purgeRemoved(): Promise<void>;
  /** The bytes that the database uses on its disk, and the free bytes there; null if unknown. */
  measure(): Promise<{ readonly usedBytes: number; readonly freeBytes: number | null }>;
  /** Empties the write-ahead log, in which deleted rows could still be read. */
  forgetDeleted(): Promise<void>;
  /** Notifies other processes on this database that a team has news, once the transaction is committed. */
  notify(queries: Queries, team: string): Promise<void>;
  /** Calls the listener when another process has notified. Notifications can be lost. */
  onNotified(listener: (team: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** The database does not answer, or is full. The transaction had no effect, or the request can be repeated. */
export class StoreError extends Error {
  readonly code: 'store.unavailable' | 'store.full';
  constructor(code: 'store.unavailable' | 'store.full', cause: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Why a server does not start, as a code and a sentence. */
export class StartError extends Error {
  readonly code: string;
  constructor(code: string, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

export const olderDatabase = (): StartError =>
  new StartError(
    'database.older',
    'The database is from before teams were released. Make an empty one, and create the team again.',
  );
