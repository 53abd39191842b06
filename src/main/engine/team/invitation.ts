import { createHash, createHmac, hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { tokenHeaderSchema, tokenSchemeSchema } from '../../../contract/workspace.ts';
import { bytesSchema, digestSchema } from '../../../team-protocol/entry.ts';
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
]);

/** The content of an invitation. */
export interface Invitation {
  readonly server: string;
  readonly team: string;
  /** The chain's hash after the team's first entry, so that a server cannot present another team. */
  readonly root: string;
  /** 16 random bytes as base64url; the server gets their digest only. */
  readonly secret: string;
  /** So that nobody has to type its address. The person who joins confirms it before any token is sent there. */
  readonly service: z.infer<typeof serviceSchema>;
}

export const makeInvitation = (of: Omit<Invitation, 'secret'>): Invitation => ({
  ...of,
  secret: randomBytes(16).toString('base64url'),
});

export const writeInvitation = ({ server, team, root, secret, service }: Invitation): string =>
  mark + Buffer.from(JSON.stringify([server, team, root, secret, service])).toString('base64url');

/** @throws DeskError `team.wrongInvitation` */
export function readInvitation(text: string): Invitation {
  try {
    if (!text.startsWith(mark)) throw new Error('It begins with something else.');
    const json: unknown = JSON.parse(Buffer.from(text.slice(mark.length), 'base64url').toString('utf8'));
    const [server, team, root, secret, service] = contentSchema.parse(json);
    return { server, team, root, secret, service };
  } catch {
    throw new DeskError('team.wrongInvitation');
  }
}

export const digestOf = ({ secret }: Pick<Invitation, 'secret'>): string =>
  hash('sha256', Buffer.from(secret, 'base64url'), 'base64url');

/** Proves to the inviter that the sender of a request to join has the invitation. */
export const proveInvitation = ({ secret }: Pick<Invitation, 'secret'>, certificateBody: string): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(certificateBody).digest('base64url');

/** Without characters that look alike. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** The eight characters that the joining person and the admin compare: 40 bits over invitation and certificate. */
export function codeOf({ secret }: Pick<Invitation, 'secret'>, certificateBody: string): string {
  const bytes = createHash('sha256').update(`claimdesk join\n${secret}\n${certificateBody}`).digest();
  const code = Array.from(
    { length: 8 },
    (_none, index) => letters[(bytes[index] as number) % letters.length],
  );
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`;
}
