import type { Database } from '../file/database.ts';

/** An entry of a team's log about checkpoints; `act`: its head as JSON; `entry`: its number. */
export interface KeptCheckpoint {
  readonly entry: number;
  readonly id: string;
  readonly computer: string;
  readonly act: string;
}

/** How much a computer that began with a checkpoint has read of it, and of the log before it: up to a number and hash. */
export interface BehindPosition {
  /** The header of the checkpoint, and its act as JSON. */
  readonly header: string;
  readonly act: string;
  readonly parts: number;
  readonly number: number;
  readonly hash: string;
}

export const readCheckpoints = (database: Database, { workspaceId }: { workspaceId: string }) =>
  database
    .prepare('SELECT entry, id, computer, act FROM team_checkpoints WHERE workspace_id=? ORDER BY entry')
    .all(workspaceId) as KeptCheckpoint[];

export const readBehindPosition = (
  database: Database,
  { workspaceId }: { workspaceId: string },
): BehindPosition | null =>
  (database
    .prepare('SELECT header, act, parts, number, hash FROM team_behind WHERE workspace_id=?')
    .get(workspaceId) as BehindPosition | undefined) ?? null;

export const endBehind = (database: Database, { workspaceId }: { workspaceId: string }): null => {
  database.prepare('DELETE FROM team_behind WHERE workspace_id=?').run(workspaceId);
  return null;
};

/** Makes the functions that store a page's entries about checkpoints, in the transaction of the page. */
export function createCheckpointWriter(database: Database) {
  const put = database.prepare(
    `INSERT OR REPLACE INTO team_checkpoints (workspace_id, entry, id, computer, act)
     VALUES (:workspaceId, :entry, :id, :computer, :act)`,
  );
  const putBehind = database.prepare(
    `INSERT OR REPLACE INTO team_behind (workspace_id, header, act, parts, number, hash)
     VALUES (:workspaceId, :header, :act, :parts, :number, :hash)`,
  );
  return {
    putCheckpoints(workspaceId: string, checkpoints: readonly KeptCheckpoint[]): void {
      for (const checkpoint of checkpoints) put.run({ workspaceId, ...checkpoint });
    },
    putBehind: (workspaceId: string, behind: BehindPosition): void =>
      void putBehind.run({ workspaceId, ...behind }),
  };
}
