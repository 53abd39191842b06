/** A value of a row; bytes are a Buffer. */
export type Value = string | number | Uint8Array | null;

export interface Queries {
  /** Runs one statement with parameters `$1`, `$2` …; its rows, none where it returns none. */
  all<Row extends object>(sql: string, values?: readonly Value[]): Promise<Row[]>;
}

/** What SQLite and PostgreSQL have in common. Each failure is a `StoreError`, or a fault of the server. */
export interface Database extends Queries {
  /** Runs statements as one: all of them count, or none. */
  transaction<Result>(run: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * The end of a SELECT that locks its rows until the transaction ends; empty where transactions exclude each other
   * anyway.
   */
  readonly forUpdate: string;
  /**
   * Deletes the content of the entries that a removal lists, and records them. Nothing else lets the server delete what
   * members sent; it does nothing for an entry of another kind.
   */
  removeContent(queries: Queries, team: string, removal: number): Promise<void>;
  /** Empties the log of changes, where deleted rows could still be read. */
  forgetDeleted(): Promise<void>;
  /** Notifies other processes on this database of something new in a team, once the transaction is committed. */
  notify(queries: Queries, team: string): Promise<void>;
  /** Calls the listener when another process has notified. Notifications can get lost. */
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
