import type { AuditAction } from '../../../../contract/audit.ts';
import type { Database } from '../file/database.ts';
import { certificateOf } from '../file/packed-proofs.ts';
import { hasId, type ReviewEventRow } from './stored-events.ts';

/** An event that is here, and the claims of a file's entry that it lacks. */
export interface KnownEntry
  extends Pick<ReviewEventRow, 'id' | 'at' | 'author' | 'kind' | 'fact' | 'undoes'> {
  readonly isImported: boolean;
  /** ID of the certificate with which it is signed; null: it is not signed, or was made on this computer. */
  readonly certificate: string | null;
  readonly lacking: readonly number[];
}

/** Finds the events of a workspace that are here, by the IDs and claims of a file. */
export function findKnownEntries(
  database: Database,
  request: {
    workspaceId: string;
    entries: readonly { readonly id: string; readonly claimIds: readonly number[] }[];
  },
): KnownEntry[] {
  const find = database.prepare(
    `SELECT seq, id, at, author, kind, fact, undoes, is_imported, proof FROM review_events
     WHERE workspace_id=:workspaceId AND ${hasId('packed_id', ':id')}`,
  );
  const hasClaim = database.prepare('SELECT 1 FROM review_event_claims WHERE event_seq=? AND claim_id=?');
  return request.entries.flatMap(({ id, claimIds }) => {
    const row = find.get({ workspaceId: request.workspaceId, id }) as
      | (ReviewEventRow & { seq: number })
      | undefined;
    if (row === undefined) return [];
    const { seq, is_imported, at, author, kind, fact, undoes, proof } = row;
    const lacking = claimIds.filter((claimId) => hasClaim.get(seq, claimId) === undefined);
    const certificate = proof === null ? null : certificateOf(proof);
    return [{ id, at, author, kind, fact, undoes, isImported: is_imported === 1, certificate, lacking }];
  });
}

/** After these actions, an event may have fewer claims than when it was made. */
const takingActions: readonly AuditAction[] = ['records.removalBegun', 'records.removed', 'store.repaired'];

/** Whether claims of events may be missing, by the audit log: records were removed, or the file was repaired. */
export const mayLackClaims = (database: Database, { workspaceId }: { workspaceId: string }): boolean =>
  database
    .prepare(
      'SELECT 1 FROM audit WHERE workspace_id=? AND action IN (SELECT value FROM json_each(?)) LIMIT 1',
    )
    .get(workspaceId, JSON.stringify(takingActions)) !== undefined;
