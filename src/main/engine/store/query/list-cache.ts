import type { Entity } from '../../../../contract/fields.ts';
import type { Database } from '../file/database.ts';
import { readVersion } from '../record/records-version.ts';

/** A value, and about how many bytes it takes. */
export interface Measured<T> {
  readonly value: T;
  readonly bytes: number;
}

/** What was read of tables, as long as their records are the same; of more than `maxBytes` the oldest are dropped. */
export function createListCache(database: Database, maxBytes: number) {
  const held = new Map<string, Measured<unknown> & { readonly stamp: string }>();
  const versions = new Map<Entity, number>();
  const measure = (): number => [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    measure,
    /** Reads once for these records; `stamp` says what else the value depends on. */
    keep<T>(entity: Entity, name: string, stamp: string, read: () => Measured<T>): T {
      const version = readVersion(database, entity);
      if (versions.get(entity) !== version)
        for (const other of held.keys()) if (other.startsWith(`${entity}/`)) held.delete(other);
      versions.set(entity, version);
      const full = `${entity}/${name}`;
      const known = held.get(full);
      const entry = known?.stamp === stamp ? known : { stamp, ...read() };
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
