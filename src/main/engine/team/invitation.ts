import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { tokenHeaderSchema, tokenSchemeSchema } from '../../../contract/workspace.ts';
import { bytesSchema, digestSchema } from '../../../team-protocol/entry.ts';
import { digestOfToken, invitationTokenOf } from '../../../team-protocol/invitation-token.ts';
import { type TeamRole, teamRoles } from '../../../team-protocol/membership.ts';
import { DeskError } from '../../lib/errors.ts';

const mark = 'claimdesk-team-1.';
/** The claims service of the team's workspaces: `address` is that of `serviceOf`; how a token travels; and a name. */
const serviceSchema = z.strictObject({
  address: z.string().max(2_000),
  name: z.string().min(1).max(80),
  header: tokenHeaderSchema,
  scheme: tokenSchemeSchema,
});
const contentSchema = z.tuple([
  z.string().max(300),
  bytesSchema(16),
  digestSchema,
  bytesSchema(16),
  serviceSchema,
  z.string().regex(/^\P{C}{1,320}$/u),
  z.enum(teamRoles),
]);

/** The content of an invitation. */
interface Invitation {
  readonly server: string;
  readonly team: string;
  /** The chain's hash after the team's first entry, so that a server can't present another team. */
  readonly root: string;
  /** 16 random bytes as base64url, which the server does not receive (`invitation-token.ts`). */
  readonly secret: string;
  /** The service's address, so that users need not type it; they confirm it before any token is sent there. */
  readonly service: z.infer<typeof serviceSchema>;
  /** The only email and role that it admits. */
  readonly email: string;
  readonly role: TeamRole;
}

export const makeInvitation = (invitation: Omit<Invitation, 'secret'>): Invitation => ({
  ...invitation,
  secret: randomBytes(16).toString('base64url'),
});

export const writeInvitation = (invitation: Invitation): string => {
  const { server, team, root, secret, service, email, role } = invitation;
  const content = [server, team, root, secret, service, email, role];
  return mark + Buffer.from(JSON.stringify(content)).toString('base64url');
};

/** @throws DeskError `team.wrongInvitation` */
export function readInvitation(text: string): Invitation {
  try {
    if (!text.startsWith(mark)) throw new Error('It begins with something else.');
    const json: unknown = JSON.parse(Buffer.from(text.slice(mark.length), 'base64url').toString('utf8'));
    const [server, team, root, secret, service, email, role] = contentSchema.parse(json);
    return { server, team, root, secret, service, email, role };
  } catch {
    throw new DeskError('team.wrongInvitation');
  }
}

export const tokenOf = ({ secret }: Pick<Invitation, 'secret'>): string =>
  invitationTokenOf(Buffer.from(secret, 'base64url'));
export const digestOf = (invitation: Pick<Invitation, 'secret'>): string =>
  digestOfToken(tokenOf(invitation));

/** Proves to the inviter that the sender of a request to join has the invitation. */
export const proveInvitation = ({ secret }: Pick<Invitation, 'secret'>, certificateBody: string): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(certificateBody).digest('base64url');
