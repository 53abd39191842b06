import type { Database } from '../file/database.ts';
import type { ListKind } from '../record/list-kind.ts';
import { forEachKey } from './seen-entries.ts';

/** The field by which the newest records are listed first. With `modified`, changed records come first as well. */
export type NewestFirst = 'modified' | 'created' | 'id';

/** The number of records that are compared: enough to detect an order, and less than a second on a large list. */
const maxRowsLookedAt = 100_000;

/** Milliseconds; a time without a zone is UTC (docs/service.md, "Lists and values"). NaN for anything else. */
function readTime(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) || !value.includes('T') ? value : `${value}Z`);
}

/**
 * The order in which a finished pass received the newest records first; null where there was no such order, or all
 * records have the same age.
 */
export function findNewestFirst(database: Database, kind: ListKind, pass: number): NewestFirst | null {
  const dates = database.prepare(`SELECT modifieddate, createddate FROM ${kind} WHERE id=?`).raw();
  const pages = database
    .prepare('SELECT entries FROM sync_pages WHERE kind=? AND pass=? ORDER BY page')
    .pluck();
  const left = new Map<NewestFirst, { last: number; fell: boolean }>(
    (['modified', 'created', 'id'] as const).map((name) => [
      name,
      { last: Number.POSITIVE_INFINITY, fell: false },
    ]),
  );
  let lookedAt = 0;
  for (const entries of pages.iterate(kind, pass) as IterableIterator<Buffer>) {
    const ids: number[] = [];
    forEachKey(entries, (isRecord, key) => isRecord && ids.push(key));
    for (const id of ids) {
      const [modified, created] = (dates.get(id) ?? []) as unknown[];
      const values = { modified: readTime(modified), created: readTime(created), id };
      for (const [name, state] of left) {
        const value = values[name];
        if (!(value <= state.last)) left.delete(name);
        else {
          state.fell ||= value < state.last && state.last !== Number.POSITIVE_INFINITY;
          state.last = value;
        }
      }
      lookedAt += 1;
      if (left.size === 0) return null;
    }
    if (lookedAt >= maxRowsLookedAt) break;
  }
  return [...left].find(([, { fell }]) => fell)?.[0] ?? null;
}
