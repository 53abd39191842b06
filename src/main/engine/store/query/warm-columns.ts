import type { Entity } from '../../../../contract/fields.ts';
import type { Connection } from '../connection.ts';
import { amountsPath, type ColumnCache } from './column-cache.ts';

/** So long nobody may have asked for anything before a column is read. */
const idleMs = 120;
/** So long the records must have stayed the same: while a sync writes, what is read would not hold. */
const settledMs = 3_000;

/** Reads columns that a list lacked, one at a time, while nobody waits and no sync writes. */
export function createWarmer(
  connection: Connection,
  cache: ColumnCache,
  options: { readonly leastRows: number },
) {
  const wanted = new Map<string, { entity: Entity; path: string }>();
  /** Tables that are too small to be worth it, at the version at which they were. */
  const small = new Map<Entity, number>();
  let seenVersion = -1;
  let seenAtMs = 0;
  let timer: NodeJS.Timeout | null = null;

  const schedule = (delayMs: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(step, delayMs);
    timer.unref();
  };

  const isSettled = (version: number): boolean => {
    const now = performance.now();
    if (version !== seenVersion) {
      // The first version seen is as old as the file: nothing is known to write.
      seenAtMs = seenVersion < 0 ? now - settledMs : now;
      seenVersion = version;
    }
    return now - seenAtMs >= settledMs;
  };

  const readOne = connection.transaction((entity: Entity, path: string): boolean => {
    const version = cache.refresh(entity);
    if (small.get(entity) === version) return true;
    if (!isSettled(version)) return false;
    if (cache.getTable(entity).keys.length < options.leastRows) {
      small.set(entity, version);
      cache.dropAll(entity);
    } else if (path === amountsPath) cache.getAmounts(entity);
    else cache.getColumn(entity, path);
    return true;
  });

  function step(): void {
    timer = null;
    const [first] = wanted;
    if (first === undefined || !connection.open) return;
    const [name, { entity, path }] = first;
    try {
      if (!readOne(entity, path)) {
        schedule(settledMs);
        return;
      }
      wanted.delete(name);
    } catch {
      // What cannot be read ahead is met again, with its error, when somebody asks for it.
      wanted.clear();
    }
    if (wanted.size > 0) schedule(idleMs);
  }

  return {
    want(entity: Entity, paths: readonly string[]): void {
      for (const path of paths) wanted.set(`${entity}/${path}`, { entity, path });
      if (wanted.size > 0) schedule(idleMs);
    },
    isBusy: (): boolean => wanted.size > 0,
  };
}
