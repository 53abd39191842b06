import type { Database } from '../file/database.ts';

/**
 * A computer of the team as this one read it, while the server's log lacks it: the role, null where its membership
 * ended, and its certificate.
 */
export interface KeptMember {
  readonly computer: string;
  readonly email: string;
  readonly role: 'admin' | 'reviewer' | 'reader' | null;
  readonly body: string;
  readonly signature: string;
}

export const readKeptMembers = (database: Database, { workspaceId }: { workspaceId: string }): KeptMember[] =>
  database
    .prepare(
      'SELECT computer, email, role, body, signature FROM team_kept_members WHERE workspace_id=? ORDER BY computer',
    )
    .all(workspaceId) as KeptMember[];

/** Replaces the stored members; within a transaction. */
export function writeKeptMembers(database: Database, workspaceId: string, kept: readonly KeptMember[]): void {
  database.prepare('DELETE FROM team_kept_members WHERE workspace_id=?').run(workspaceId);
  const put = database.prepare(
    `INSERT INTO team_kept_members (workspace_id, computer, email, role, body, signature)
     VALUES (:workspaceId, :computer, :email, :role, :body, :signature)`,
  );
  for (const member of kept) put.run({ workspaceId, ...member });
}
