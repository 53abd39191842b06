import type { Entity } from '../../../../contract/fields.ts';
import type { Connection } from '../file/connection.ts';
import { type BuiltPart, type ColumnCache, tablePath } from './column-cache.ts';
import { sourceOf } from './merge-values.ts';

/** The records must have stayed unchanged this long: while a sync writes, columns would be outdated at once. */
const settledMs = 3_000;
/** Time after the first answer before reading begins; a command that reads one list has ended by then. */
const beginMs = 400;
/** Pause between two parts, so that reading ahead leaves the processor to requests. */
const pauseMs = 30;

/** Reads a part in another thread, so that this one can answer meanwhile. */
export type BuildPart = (entity: Entity, path: string) => Promise<BuiltPart>;

/** Has the parts read that a list lacked, one at a time, while no sync writes. */
export function createWarmer(
  connection: Connection,
  cache: ColumnCache,
  options: { readonly minRows: number; readonly build: BuildPart | null },
) {
  const wanted = new Map<string, { entity: Entity; path: string }>();
  /** Tables that are too small to be worth it, by the version at which they were. */
  const small = new Map<Entity, number>();
  const seen = new Map<Entity, { version: number; atMs: number }>();
  let timer: NodeJS.Timeout | null = null;
  let isBuilding = false;

  const schedule = (delayMs: number): void => {
    if (timer !== null || isBuilding) return;
    timer = setTimeout(() => {
      timer = null;
      void step();
    }, delayMs);
    timer.unref();
  };

  const isSettled = (entity: Entity, version: number): boolean => {
    const now = performance.now();
    const last = seen.get(entity);
    // The first version seen is as old as the file: there is no sign of a running write.
    if (last === undefined) seen.set(entity, { version, atMs: now - settledMs });
    else if (last.version !== version) seen.set(entity, { version, atMs: now });
    return now - (seen.get(entity)?.atMs ?? now) >= settledMs;
  };

  /** Has one part read. False: not now. */
  const readOne = async (build: BuildPart, entity: Entity, path: string): Promise<boolean> => {
    const version = cache.refresh(entity);
    if (small.get(entity) === version) return true;
    if (!isSettled(entity, version)) return false;
    if (!cache.hasTable(entity)) cache.adopt(entity, tablePath, await build(entity, tablePath));
    if (!cache.hasTable(entity)) return false;
    const { keys, version: held } = cache.getTable(entity);
    if (keys.length < options.minRows) {
      small.set(entity, held);
      cache.dropAll(entity);
      return true;
    }
    // A column derived from another one is made at once when that one is there.
    const source = sourceOf(path);
    const read = source?.path ?? path;
    if (!cache.has(entity, read)) cache.adopt(entity, read, await build(entity, read));
    if (source !== null && cache.has(entity, read)) cache.getColumn(entity, path);
    return true;
  };

  async function step(): Promise<void> {
    const [first] = wanted;
    const { build } = options;
    if (first === undefined || build === null || !connection.open) return;
    const [name, { entity, path }] = first;
    isBuilding = true;
    let delayMs = pauseMs;
    try {
      if (await readOne(build, entity, path)) wanted.delete(name);
      else delayMs = settledMs;
    } catch {
      // The error recurs, and is reported, when the column is actually requested.
      wanted.clear();
    }
    isBuilding = false;
    if (wanted.size > 0) schedule(delayMs);
  }

  return {
    want(entity: Entity, paths: readonly string[]): void {
      if (options.build === null || small.get(entity) === cache.refresh(entity)) return;
      for (const path of paths) wanted.set(`${entity}/${path}`, { entity, path });
      if (wanted.size > 0) schedule(beginMs);
    },
    /** Puts parts that a request waits for before the others, and reads them at once. */
    wantNow(entity: Entity, paths: readonly string[]): void {
      if (options.build === null || small.get(entity) === cache.refresh(entity)) return;
      const others = [...wanted];
      wanted.clear();
      for (const path of paths) wanted.set(`${entity}/${path}`, { entity, path });
      for (const [name, part] of others) wanted.set(name, part);
      if (timer !== null) clearTimeout(timer);
      timer = null;
      schedule(0);
    },
    isBusy: (): boolean => wanted.size > 0,
  };
}
