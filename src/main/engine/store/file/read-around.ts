import type { Database } from './database.ts';

/** Damage is narrowed down to about this fraction of the range of ids. */
const maxParts = 1_000_000;
/** How often a damaged range is narrowed down before the rest of it counts as lost. */
const maxTries = 20_000;

/**
 * Lists the IDs of a table that can still be read around damaged pages: ranges that can't be read are halved until the
 * damage is isolated. Indexes that contain the ID add those whose rows are lost. `isComplete`: every ID that the table
 * had is included. `onPart` counts the reads, each of which may take a second at a million rows.
 */
export function readIdsAround(
  database: Database,
  table: string,
  onPart: (done: number, total: number) => void = () => undefined,
): { ids: number[]; isComplete: boolean } {
  const indexes = listWholeIndexes(database, table);
  let done = 0;
  // The last part is reported again for each range.
  const report = (): void => {
    onPart(Math.min(done, indexes.length + 3), indexes.length + 4);
    done += 1;
  };
  report();
  const whole = readAll(database, table);
  if (whole !== null) return { ids: whole, isComplete: true };
  const ids = new Set<number>();
  const addAll = (sql: string, ...values: number[]): boolean => {
    report();
    try {
      const rows = database
        .prepare(sql)
        .pluck()
        .iterate(...values) as IterableIterator<number>;
      for (const id of rows) ids.add(id);
      return true;
    } catch {
      return false;
    }
  };
  addAll(`SELECT id FROM ${table} NOT INDEXED ORDER BY id`);
  let isComplete = false;
  for (const index of indexes) {
    if (addAll(`SELECT id FROM ${table} INDEXED BY "${index}"`)) isComplete = true;
  }
  addAll(`SELECT id FROM ${table} NOT INDEXED ORDER BY id DESC`);
  if (isComplete) return { ids: sorted(ids), isComplete };

  const [smallest, largest] = rangeOf(ids);
  const resolution = Math.max(1, Math.floor((largest - smallest) / maxParts));
  let tries = 0;
  const pending: [number, number][] = [[smallest, largest]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [from, to] = range;
    tries += 1;
    if (addAll(`SELECT id FROM ${table} NOT INDEXED WHERE id BETWEEN ? AND ? ORDER BY id`, from, to))
      continue;
    if (to - from <= resolution || tries > maxTries) continue;
    const middle = from + Math.floor((to - from) / 2);
    pending.push([middle + 1, to], [from, middle]);
  }
  return { ids: sorted(ids), isComplete: false };
}

/** Reads all IDs in order, without a set of them, which takes 40 MB for a million; null where one can't be read. */
function readAll(database: Database, table: string): number[] | null {
  try {
    return database.prepare(`SELECT id FROM ${table} NOT INDEXED ORDER BY id`).pluck().all() as number[];
  } catch {
    return null;
  }
}

const sorted = (ids: Set<number>): number[] => [...ids].sort((a, b) => a - b);

function rangeOf(ids: ReadonlySet<number>): [number, number] {
  let [smallest, largest] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  for (const id of ids) {
    if (id < smallest) smallest = id;
    if (id > largest) largest = id;
  }
  return smallest > largest ? [0, 0] : [smallest, largest];
}

/** Lists the indexes that have an entry for each row. */
function listWholeIndexes(database: Database, table: string): string[] {
  try {
    return database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type='index' AND tbl_name=? AND sql NOT LIKE '% WHERE %'",
      )
      .pluck()
      .all(table) as string[];
  } catch {
    return [];
  }
}

/** Reads a small table's rows that are still readable, from both ends by `key`. `isComplete`: no row is missing. */
export function readRowsAround(
  database: Database,
  table: string,
  key = 'rowid',
): { rows: Record<string, unknown>[]; isComplete: boolean } {
  const read = (order: string): { rows: Record<string, unknown>[]; isComplete: boolean } => {
    const rows: Record<string, unknown>[] = [];
    try {
      const all = database.prepare(`SELECT * FROM ${table} ${order}`).iterate();
      for (const row of all as IterableIterator<Record<string, unknown>>) rows.push(row);
      return { rows, isComplete: true };
    } catch {
      return { rows, isComplete: false };
    }
  };
  const forward = read('');
  if (forward.isComplete) return forward;
  const keyOf = (row: Record<string, unknown>): string => JSON.stringify(Object.values(row));
  const forwardKeys = new Set(forward.rows.map(keyOf));
  const backward = read(`ORDER BY ${key} DESC`).rows.filter((row) => !forwardKeys.has(keyOf(row)));
  return { rows: [...forward.rows, ...backward], isComplete: false };
}
