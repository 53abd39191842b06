import { codeOfJoin } from '../../../team-protocol/join-code.ts';
import { DeskError } from '../../lib/errors.ts';
import type { KeptInvitation } from '../store/user-data/team-log.ts';
import { proveInvitation, readInvitation, tokenOf } from './invitation.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';

/** Whether a session failed because this computer was not admitted yet. */
export const isAwaited = (
  { log, computer }: Pick<TeamSession, 'log' | 'computer'>,
  thrown: unknown,
): boolean =>
  thrown instanceof DeskError &&
  thrown.code === 'team.notMember' &&
  log.state.members.members?.computers.has(computer) !== true;

/** The invitation with which this computer joins; undefined if it has none, or only some that it made. */
const findUsed = async (
  { getUserData }: Pick<TeamPorts, 'getUserData'>,
  workspaceId: string,
): Promise<KeptInvitation | undefined> =>
  (await (await getUserData(workspaceId)).call('listInvitations', { workspaceId })).find(
    ({ nonce }) => nonce !== null,
  );

/** Reads the code for the admin: null until the request is answered, or if this computer does not join. */
export async function readOwnCode(
  ports: Pick<TeamPorts, 'getUserData'>,
  workspaceId: string,
): Promise<string | null> {
  const used = await findUsed(ports, workspaceId);
  return used === undefined ? null : codeOf(used, used.nonce);
}

/** The code of a join whose nonce is known; null until both computers have answered. */
export const codeOf = (
  { invitation, request, answer }: KeptInvitation,
  nonce: string | null,
): string | null =>
  request === null || answer === null || nonce === null
    ? null
    : codeOfJoin({ invitation, request, answer, nonce });

/**
 * Sends the request to join and, once it was answered, the nonce. It takes only the first answer: whoever sends a
 * second one knows the nonce. Returns whether there is a code since this call.
 * @throws DeskError `team.*`
 */
export async function advanceJoin(
  ports: Pick<TeamPorts, 'getUserData'>,
  { workspaceId, client }: Pick<TeamSession, 'workspaceId' | 'client'>,
): Promise<boolean> {
  const used = await findUsed(ports, workspaceId);
  if (used?.request == null) return false;
  const { digest, request, nonce } = used;
  const [body, signature, commitment] = JSON.parse(request) as [string, string, string];
  const invitation = readInvitation(used.invitation);
  const join = {
    invitation: tokenOf(invitation),
    certificate: { body, signature },
    commitment,
    proof: proveInvitation(invitation, body),
  };
  const answer = used.answer ?? (await client.join({ ...join, nonce: null }));
  if (answer === null) return false;
  const userData = await ports.getUserData(workspaceId);
  await userData.call('answerInvitation', { workspaceId, digest, request, answer });
  await client.join({ ...join, nonce });
  return used.answer === null;
}
