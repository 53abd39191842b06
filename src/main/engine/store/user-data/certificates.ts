import type { Database } from '../file/database.ts';

/** A certificate of a colleague's computer, under which events of a file are signed. */
export interface KeptCertificate {
  /** Follows from the body and the SSH key. */
  readonly id: string;
  /** Texts of the certificate (`src/team-protocol/certificate.ts`), and the fingerprint of the SSH key that signed it. */
  readonly body: string;
  readonly signature: string;
  readonly fingerprint: string;
}

export const putCertificateSql = `INSERT OR IGNORE INTO certificates (workspace_id, id, body, signature, fingerprint)
  VALUES (:workspace_id, :id, :body, :signature, :fingerprint)`;

/** The certificates of a workspace: a few for each colleague. */
export const listCertificates = (
  database: Database,
  { workspaceId }: { workspaceId: string },
): KeptCertificate[] =>
  database
    .prepare('SELECT id, body, signature, fingerprint FROM certificates WHERE workspace_id=?')
    .all(workspaceId) as KeptCertificate[];
