import type { Database } from '../file/database.ts';

/** An entry of kind removal; `frame`: as it was sent. `statement`: for a removal what it removes, as JSON. */
export interface KeptRemoval {
  readonly id: string;
  readonly frame: Uint8Array;
  readonly statement: string | null;
  readonly isApplied: boolean;
  readonly isDue: boolean;
}

export interface PageRemovals {
  readonly removals: readonly Pick<KeptRemoval, 'id' | 'frame' | 'statement' | 'isDue'>[];
  /** Events whose content these removals remove. */
  readonly removedIds: readonly string[];
  /** Whether the page has events about what was removed before. */
  readonly isDue: boolean;
}

interface Marked {
  readonly workspaceId: string;
  readonly ids: readonly string[];
}

export const readRemovals = (
  database: Database,
  { workspaceId }: { workspaceId: string },
): { removals: KeptRemoval[]; removedIds: string[] } => ({
  removals: (
    database
      .prepare('SELECT id, frame, statement, is_applied, is_due FROM team_removals WHERE workspace_id=?')
      .all(workspaceId) as (Omit<KeptRemoval, 'isApplied' | 'isDue'> & {
      is_applied: number;
      is_due: number;
    })[]
  ).map(({ is_applied, is_due, ...removal }) => ({
    ...removal,
    isApplied: is_applied === 1,
    isDue: is_due === 1,
  })),
  removedIds: database
    .prepare('SELECT id FROM team_removed_entries WHERE workspace_id=?')
    .pluck()
    .all(workspaceId) as string[],
});

export function createTeamRemovals(database: Database) {
  const put = database.prepare(
    `INSERT OR IGNORE INTO team_removals (workspace_id, id, frame, statement, is_applied, is_due)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const putId = database.prepare(
    'INSERT OR IGNORE INTO team_removed_entries (workspace_id, id) VALUES (?, ?)',
  );
  const mark = (set: string, { workspaceId, ids }: Marked): null => {
    const update = database.prepare(`UPDATE team_removals SET ${set} WHERE workspace_id=? AND id=?`);
    for (const id of ids) update.run(workspaceId, id);
    return null;
  };
  return {
    /** Called within the transaction of a page. */
    addRemovals(workspaceId: string, { removals, removedIds, isDue }: PageRemovals): void {
      if (isDue)
        database
          .prepare('UPDATE team_removals SET is_due=1 WHERE workspace_id=? AND statement IS NOT NULL')
          .run(workspaceId);
      for (const removal of removals)
        put.run(
          workspaceId,
          removal.id,
          Buffer.from(removal.frame),
          removal.statement,
          removal.statement === null ? 1 : 0,
          removal.isDue ? 1 : 0,
        );
      for (const id of removedIds) putId.run(workspaceId, id);
    },
    /** Stores that this computer has removed what these removals name. */
    markApplied: (marked: Marked): null => mark('is_applied=1', marked),
    /** Stores that entries of the log may be about what these removals removed. */
    markDue: (marked: Marked): null => mark('is_due=1', marked),
    /** Stores that the log has no more entries about what these removals removed. */
    endDue: (marked: Marked): null => mark('is_due=0', marked),
  };
}
