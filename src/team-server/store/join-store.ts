import type { TeamDatabase } from './database.ts';

export interface Join {
  readonly invitation: string;
  readonly certificate: { readonly body: string; readonly signature: string };
  readonly proof: string;
  readonly commitment: string;
  readonly nonce: string | null;
  readonly answer: string | null;
  readonly invitedBy: string;
  readonly at: number;
}

/** Set-up codes, invitations, and the computers that use them. Times are milliseconds since 1970. */
export const createJoinStore = (database: TeamDatabase) => ({
  async addSetupCode(digest: string, expiresAt: number): Promise<void> {
    await database.all('INSERT INTO setup_codes (digest, expires_at) VALUES ($1, $2)', [digest, expiresAt]);
  },

  async addInvitation(digest: string, team: string, computer: string, expiresAt: number): Promise<void> {
    await database.all(
      `INSERT INTO invitations (digest, team, computer, expires_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
      [digest, team, computer, expiresAt],
    );
  },

  /**
   * Uses an invitation, or stores the nonce of the request that used it. Returns the answer so far; false if the
   * invitation is unknown, expired, or used by another request.
   */
  addJoin: (
    team: string,
    { invitation, certificate, proof, commitment, nonce, at }: Omit<Join, 'invitedBy' | 'answer'>,
  ): Promise<{ answer: string | null } | false> =>
    database.transaction(async (queries) => {
      await queries.all(
        `INSERT INTO joins (invitation, team, certificate, signature, proof, commitment, made_at)
           SELECT digest, team, $3, $4, $5, $6, $7 FROM invitations
           WHERE digest = $1 AND team = $2 AND expires_at > $7 ON CONFLICT DO NOTHING`,
        [invitation, team, certificate.body, certificate.signature, proof, commitment, at],
      );
      const [join] = await queries.all<{ answer: string | null }>(
        'SELECT answer FROM joins WHERE invitation = $1 AND team = $2 AND certificate = $3 AND commitment = $4',
        [invitation, team, certificate.body, commitment],
      );
      if (join !== undefined && nonce !== null)
        await queries.all('UPDATE joins SET nonce = $2 WHERE invitation = $1 AND nonce IS NULL', [
          ...[invitation, nonce],
        ]);
      return join ?? false;
    }),

  /** Stores the first answer of the computer that made an invitation to who used it. */
  async answerJoin(team: string, computer: string, invitation: string, answer: string): Promise<void> {
    await database.all(
      `UPDATE joins SET answer = $4 WHERE invitation = $3 AND answer IS NULL
         AND EXISTS (SELECT 1 FROM invitations WHERE digest = $3 AND team = $1 AND computer = $2)`,
      [team, computer, invitation, answer],
    );
  },

  /** Joins since a time, newest first. */
  async readJoins(team: string, since: number, count: number): Promise<Join[]> {
    const rows = await database.all<{
      invitation: string;
      certificate: string;
      signature: string;
      proof: string;
      commitment: string;
      nonce: string | null;
      answer: string | null;
      computer: string;
      made_at: number;
    }>(
      `SELECT invitation, certificate, signature, proof, commitment, nonce, answer, computer, made_at
         FROM joins JOIN invitations ON digest = invitation
         WHERE joins.team = $1 AND made_at > $2 ORDER BY made_at DESC LIMIT $3`,
      [team, since, count],
    );
    return rows.map(({ certificate, signature, computer, made_at, ...join }) => ({
      ...join,
      certificate: { body: certificate, signature },
      invitedBy: computer,
      at: made_at,
    }));
  },

  async markSeen(team: string, computer: string, at: number): Promise<void> {
    await database.all(
      `INSERT INTO computers (team, computer, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (team, computer) DO UPDATE SET seen_at = excluded.seen_at`,
      [team, computer, at],
    );
  },

  readComputers: (team: string): Promise<{ computer: string; seenAt: number }[]> =>
    database.all('SELECT computer, seen_at AS "seenAt" FROM computers WHERE team = $1', [team]),
});
