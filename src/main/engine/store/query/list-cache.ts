import type { Entity } from '../../../../rules/list-fields.ts';
import type { Database } from '../file/database.ts';
import { readVersion } from '../record/records-version.ts';

/** A value, and its approximate size in bytes. */
export interface Measured<T> {
  readonly value: T;
  readonly bytes: number;
}

/** Identifies a cached value: its list, its name, and what it depends on besides the records. */
export type CacheKey = readonly [entity: Entity, name: string, stamp: string];

/** A cache of values read from tables, valid while the records stay the same; above `maxBytes` it drops the oldest. */
export function createListCache(database: Database, maxBytes: number) {
  const held = new Map<string, Measured<unknown> & { readonly stamp: string }>();
  const versions = new Map<Entity, number>();
  const measure = (): number => [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const dropOutdated = (entity: Entity): void => {
    const version = readVersion(database, entity);
    if (versions.get(entity) !== version)
      for (const other of held.keys()) if (other.startsWith(`${entity}/`)) held.delete(other);
    versions.set(entity, version);
  };
  return {
    measure,
    /** Whether a value for the current records is cached. */
    has(entity: Entity, name: string, stamp: string): boolean {
      dropOutdated(entity);
      return held.get(`${entity}/${name}`)?.stamp === stamp;
    },
    /** Reads a value once for the current records; `stamp` identifies what else it depends on. */
    keep<T>(entity: Entity, name: string, stamp: string, read: () => Measured<T>): T {
      dropOutdated(entity);
      const full = `${entity}/${name}`;
      const cached = held.get(full);
      const entry = cached?.stamp === stamp ? cached : { stamp, ...read() };
      held.delete(full);
      held.set(full, entry);
      let bytes = measure();
      for (const [oldest, old] of held) {
        if (bytes <= maxBytes || oldest === full) break;
        bytes -= old.bytes;
        held.delete(oldest);
      }
      return entry.value as T;
    },
  };
}
