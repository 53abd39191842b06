import type { Database } from '../file/database.ts';

/** A certificate of a colleague's computer, with which events of a file are signed. */
export interface KeptCertificate {
  readonly id: string;
  /** Texts of the certificate (`src/team-protocol/certificate.ts`), and the fingerprint of the SSH key that signed it. */
  readonly body: string;
  readonly signature: string;
  readonly fingerprint: string;
}

export const putCertificateSql = `INSERT OR IGNORE INTO certificates (workspace_id, id, body, signature, fingerprint)
  VALUES (:workspace_id, :id, :body, :signature, :fingerprint)`;

/**
 * Maps a certificate to the email and the key of its computer; the key distinguishes the computers of one author. The
 * body was checked before it was stored.
 */
export function readComputers(
  database: Database,
  workspaceId: string,
): Map<string, { email: string; key: string }> {
  const kept = listCertificates(database, { workspaceId });
  return new Map(
    kept.map(({ id, body }) => {
      const { email, signingKey } = JSON.parse(body) as { email: string; signingKey: string };
      return [id, { email, key: signingKey }];
    }),
  );
}

/** Lists the people who have several computers. */
export function listWithSeveral(computers: Iterable<{ email: string; key: string }>): Set<string> {
  const keys = new Map<string, Set<string>>();
  for (const { email, key } of computers) keys.set(email, (keys.get(email) ?? new Set()).add(key));
  return new Set([...keys].filter(([, all]) => all.size > 1).map(([email]) => email));
}

/** The certificates of a workspace: a few for each colleague. */
export const listCertificates = (
  database: Database,
  { workspaceId }: { workspaceId: string },
): KeptCertificate[] =>
  database
    .prepare('SELECT id, body, signature, fingerprint FROM certificates WHERE workspace_id=?')
    .all(workspaceId) as KeptCertificate[];
