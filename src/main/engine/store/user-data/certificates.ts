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

/** What proves who wrote an imported event; with its content it makes the signed header again. */
export interface EventProof {
  /** ID of the certificate. */
  readonly certificate: string;
  /** The signed time and position, which may differ from those by which the event is ordered here. */
  readonly at: string;
  readonly seen: { readonly number: number; readonly hash: string } | null;
  /** 16 and 64 bytes, as base64url. */
  readonly salt: string;
  readonly signature: string;
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
