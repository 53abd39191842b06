import type { AuditRecord } from '../../../contract/audit.ts';
import { type AuditAnchor, appendAudit, listAudit, verifyAudit } from './audit-entries.ts';
import type { Connection } from './connection.ts';

/** What is done with the second file, which a sync never touches. */
export function createOurOperations(connection: Connection) {
  // An entry that was confirmed must survive a power failure.
  connection.pragma('synchronous=FULL');
  return {
    appendAudit: (record: AuditRecord & { at: string }) => appendAudit(connection, record),
    listAudit: (page: { offset: number; limit: number }) => listAudit(connection, page),
    verifyAudit: (anchor: AuditAnchor | null) => verifyAudit(connection, anchor),
  };
}
