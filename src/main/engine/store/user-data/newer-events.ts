import { reviewFactSchema } from '../../../../rules/review/event-kinds.ts';
import type { Database } from '../file/database.ts';

const knownKinds = reviewFactSchema.options.map(({ shape }) => shape.kind.value);

/** The claims among these that have an event of a kind that only a newer version of Claimdesk has. */
export const findNewer = (
  database: Database,
  { workspaceId, claimIds }: { workspaceId: string; claimIds: readonly number[] },
): number[] =>
  database
    .prepare(
      `SELECT DISTINCT c.claim_id FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
       WHERE c.claim_id IN (SELECT value FROM json_each(?)) AND e.workspace_id=?
       AND e.kind NOT IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(JSON.stringify(claimIds), workspaceId, JSON.stringify(knownKinds)) as number[];
