import type { Database } from '../file/database.ts';

/** A value stored by name (`sync_state`); null: there is none. */
export function readState<T>(database: Database, name: string): T | null {
  const value = database.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(name);
  return value === undefined ? null : (JSON.parse(value as string) as T);
}

export function writeState(database: Database, name: string, value: unknown): void {
  database
    .prepare('INSERT OR REPLACE INTO sync_state (name, value) VALUES (?, ?)')
    .run(name, JSON.stringify(value));
}

export function removeState(database: Database, name: string): void {
  database.prepare('DELETE FROM sync_state WHERE name=?').run(name);
}
