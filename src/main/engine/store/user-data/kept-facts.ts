import type { TeamFact } from '../../../../rules/review/event-kinds.ts';
import type { Database } from '../file/database.ts';
import { unsentOnly } from './list-events.ts';

/** An accepted entry of a team's log that is about no claim; `fact`: JSON text of a `TeamFact`. */
export interface KeptFact {
  readonly number: number;
  readonly id: string;
  readonly at: string;
  readonly author: string;
  /** The author's computer, and its role at the time. */
  readonly computer: string;
  readonly role: 'admin' | 'reviewer' | 'reader';
  readonly kind: string;
  readonly is_own: 0 | 1;
  readonly fact: string;
}

/** A fact of this computer that is not in the log yet. */
type UnsentFact = Pick<KeptFact, 'id' | 'at' | 'author' | 'fact'>;

/** `kind` is checked here, so that no statement is prepared for another table. */
interface Wanted {
  readonly workspaceId: string;
  readonly kind: TeamFact['kind'];
}

/**
 * Reads the facts of a kind, and those of this computer that were not sent yet. A fact that the server lost
 * is included until it is sent again or was refused.
 */
export const readTeamFacts = (
  database: Database,
  { workspaceId, kind }: Wanted,
): { kept: KeptFact[]; unsent: UnsentFact[] } => ({
  kept: database
    .prepare(
      `SELECT number, id, at, author, computer, role, kind, is_own, fact FROM team_facts f
         WHERE workspace_id=:workspaceId AND kind=:kind AND (number>0 OR NOT EXISTS
           (SELECT 1 FROM team_facts t WHERE t.workspace_id=f.workspace_id AND t.kind=f.kind AND t.id=f.id
            AND t.number>0))`,
    )
    .all({ workspaceId, kind }) as KeptFact[],
  // Without a team, this would read all events of the workspace.
  unsent: !isInTeam(database, workspaceId)
    ? []
    : (database
        .prepare(
          `SELECT id, at, author, fact FROM review_events e WHERE ${unsentOnly} AND kind=:kind
         AND NOT EXISTS (SELECT 1 FROM team_facts f WHERE f.workspace_id=e.workspace_id AND f.id=e.id)`,
        )
        .all({ workspaceId, kind }) as UnsentFact[]),
});

const isInTeam = (database: Database, workspaceId: string): boolean =>
  database.prepare('SELECT 1 FROM team_position WHERE workspace_id=?').get(workspaceId) !== undefined;

/** A computer's newest fact about itself. `topSeq`: its highest audit log number that the team witnessed. */
type ComputerFactRow = Pick<KeptFact, 'at' | 'author' | 'computer' | 'fact'> & {
  topSeq: number | null;
};

/** Reads each computer's newest fact about itself. */
export const readComputerFacts = (
  database: Database,
  { workspaceId }: { workspaceId: string },
): ComputerFactRow[] =>
  database
    .prepare(
      `SELECT max(f.at) AS at, f.author, f.computer, f.fact,
         (SELECT max(t.fact ->> '$.audit.seq') FROM team_facts t
          WHERE t.workspace_id=f.workspace_id AND t.kind='computer' AND t.computer=f.computer) AS topSeq
       FROM team_facts f WHERE f.workspace_id=? AND f.kind='computer' GROUP BY f.computer ORDER BY f.computer`,
    )
    .all(workspaceId) as ComputerFactRow[];

/** The entries of this profile's audit log for which its teams have evidence: numbers and hashes. */
export const readWitnessed = (database: Database): { seq: number; hash: string }[] =>
  database
    .prepare(
      `SELECT DISTINCT fact ->> '$.audit.seq' AS seq, fact ->> '$.audit.hash' AS hash FROM team_facts
       WHERE kind='computer' AND is_own=1 AND fact ->> '$.audit.seq' IS NOT NULL`,
    )
    .all() as { seq: number; hash: string }[];

/** Makes the function that stores accepted facts, in the transaction of their page. */
export function createFactWriter(
  database: Database,
): (workspaceId: string, facts: readonly KeptFact[]) => void {
  const put = database.prepare(
    `INSERT OR REPLACE INTO team_facts (workspace_id, kind, number, id, at, author, computer, role, is_own, fact)
     VALUES (:workspaceId, :kind, :number, :id, :at, :author, :computer, :role, :is_own, :fact)`,
  );
  return (workspaceId, facts) => {
    for (const fact of facts) put.run({ workspaceId, ...fact });
  };
}
