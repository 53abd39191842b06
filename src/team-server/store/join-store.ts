import type { Database } from './database.ts';

export interface Join {
  readonly invitation: string;
  readonly certificate: { readonly body: string; readonly signature: string };
  readonly proof: string;
  readonly invitedBy: string;
  readonly at: number;
}

/** Set-up codes, invitations, and the computers that use them. Times are milliseconds since 1970. */
export function createJoinStore(database: Database) {
  return {
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

    /** Uses an invitation; false where it is unknown, expired, or used by another certificate. */
    addJoin: (
      team: string,
      { invitation, certificate, proof, at }: Omit<Join, 'invitedBy'>,
    ): Promise<boolean> =>
      database.transaction(async (queries) => {
        const [valid] = await queries.all(
          'SELECT 1 FROM invitations WHERE digest = $1 AND team = $2 AND expires_at > $3',
          [invitation, team, at],
        );
        if (valid === undefined) return false;
        const [made] = await queries.all(
          `INSERT INTO joins (invitation, team, certificate, signature, proof, made_at)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING invitation`,
          [invitation, team, certificate.body, certificate.signature, proof, at],
        );
        if (made !== undefined) return true;
        const [same] = await queries.all('SELECT 1 FROM joins WHERE invitation = $1 AND certificate = $2', [
          ...[invitation, certificate.body],
        ]);
        return same !== undefined;
      }),

    /** Joins since a time, newest first. */
    async readJoins(team: string, since: number, count: number): Promise<Join[]> {
      const rows = await database.all<{
        invitation: string;
        certificate: string;
        signature: string;
        proof: string;
        computer: string;
        made_at: number;
      }>(
        `SELECT invitation, certificate, signature, proof, computer, made_at
         FROM joins JOIN invitations ON digest = invitation
         WHERE joins.team = $1 AND made_at > $2 ORDER BY made_at DESC LIMIT $3`,
        [team, since, count],
      );
      return rows.map(({ invitation, certificate, signature, proof, computer, made_at }) => ({
        ...{ invitation, certificate: { body: certificate, signature }, proof },
        ...{ invitedBy: computer, at: made_at },
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
  };
}
