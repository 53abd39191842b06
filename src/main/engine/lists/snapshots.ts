import { randomUUID } from 'node:crypto';
import type { Entity } from '../../../rules/list-fields.ts';
import type { ListQuery } from '../../../rules/query.ts';
import { DeskError } from '../../lib/errors.ts';
import type { MadeList } from '../store/query/list-operations.ts';
import type { QueuedList } from './list-queue.ts';

/** How many lists stay open; the least recently used is closed first. */
const maxSnapshots = 24;
/** The limit for the keys of all open lists: a million keys are 4 MB where IDs fit four bytes, otherwise 8 MB. */
const maxBytes = 96 * 1024 * 1024;

/** The keys of the first rows of a list, and the version of the records that they were read from. */
interface FirstKeys {
  readonly keys: Float64Array;
  readonly version: number;
}

/** Whether a list begins with these rows, as they were read. */
export const beginsWith = ({ keys, version }: MadeList, first: FirstKeys): boolean =>
  version === first.version && first.keys.every((key, place) => keys[place] === key);

/**
 * Reads the keys to which positions of a list refer: its own, or only the first rows where the user saw these and the
 * list does not begin with them.
 */
export async function readShownKeys({ list, first }: Snapshot): Promise<MadeList['keys']> {
  const made = await list.made;
  return first === null || beginsWith(made, first) ? made.keys : first.keys;
}

interface Snapshot {
  readonly workspaceId: string;
  readonly entity: Entity;
  readonly query: ListQuery;
  /** Rejects where the list could not be made. */
  readonly list: QueuedList<MadeList>;
  /** The first rows, where they were shown before the list was made; null where they were shown together with it. */
  readonly first: FirstKeys | null;
}

/** Keeps open lists as keys, made once for a filter and a sort, so that rows do not move while a sync writes. */
export function createSnapshots(
  limits: { count: number; bytes: number } = { count: maxSnapshots, bytes: maxBytes },
) {
  const open = new Map<string, { snapshot: Snapshot; bytes: number }>();

  const shrink = (newest: string): void => {
    let bytes = 0;
    for (const entry of open.values()) bytes += entry.bytes;
    for (const [oldest, entry] of open) {
      if (oldest === newest || (open.size <= limits.count && bytes <= limits.bytes)) break;
      open.delete(oldest);
      entry.snapshot.list.drop();
      bytes -= entry.bytes;
    }
  };

  return {
    add(snapshot: Snapshot): string {
      const id = randomUUID();
      const entry = { snapshot, bytes: 0 };
      open.set(id, entry);
      shrink(id);
      snapshot.list.made.then(
        ({ keys }) => {
          entry.bytes = keys.byteLength;
          shrink(id);
        },
        () => undefined,
      );
      return id;
    },
    /** @throws DeskError `snapshot.expired` */
    get(workspaceId: string, id: string): Snapshot {
      const entry = open.get(id);
      if (entry === undefined || entry.snapshot.workspaceId !== workspaceId)
        throw new DeskError('snapshot.expired');
      open.delete(id);
      open.set(id, entry);
      return entry.snapshot;
    },
    /** Closes a list; calls that still await it get `snapshot.expired`. */
    remove(id: string): void {
      open.get(id)?.snapshot.list.drop();
      open.delete(id);
    },
  };
}
