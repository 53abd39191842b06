import { randomUUID } from 'node:crypto';
import type { Entity } from '../../../contract/fields.ts';
import { DeskError } from '../../lib/errors.ts';

/** Lists that stay open; the one used longest ago goes first. A million keys are 8 MB. */
const mostSnapshots = 24;

export interface Snapshot {
  readonly workspaceId: string;
  readonly entity: Entity;
  readonly keys: Float64Array;
}

/** Results as lists of keys, made once for one filter and sort: rows do not jump while a sync writes. */
export function createSnapshots() {
  const open = new Map<string, Snapshot>();
  return {
    add(snapshot: Snapshot): string {
      const id = randomUUID();
      open.set(id, snapshot);
      for (const oldest of open.keys()) {
        if (open.size <= mostSnapshots) break;
        open.delete(oldest);
      }
      return id;
    },
    /** @throws DeskError `snapshot.gone` */
    get(workspaceId: string, id: string): Snapshot {
      const snapshot = open.get(id);
      if (snapshot === undefined || snapshot.workspaceId !== workspaceId)
        throw new DeskError('snapshot.gone');
      open.delete(id);
      open.set(id, snapshot);
      return snapshot;
    },
    remove: (id: string): void => void open.delete(id),
  };
}
