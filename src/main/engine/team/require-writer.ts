import { findMember } from '../../../team-protocol/membership.ts';
import { DeskError } from '../../lib/errors.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { isLowered } from './kept-members.ts';
import type { TeamSession } from './team-ports.ts';

type OwnLog = Pick<TeamSession, 'computer'> & { readonly log: Pick<TeamSession['log'], 'state'> };

/** Whether this computer's role in the team lets it only read. False while it waits to be admitted. */
export function isReader({ computer, log }: OwnLog): boolean {
  const { members, kept } = log.state;
  const member = findMember(members.members, computer);
  return member?.role === 'reader' || (member !== null && isLowered(kept, computer, 'reviewer'));
}

/**
 * Refuses acts before they are written if this computer may only read in the team: they would never reach anyone else.
 * A computer that waits to be admitted stores its acts and sends them later.
 * @throws DeskError `team.readOnly`, and as `requireRead`
 */
export function requireWriter(session: OwnLog): void {
  if (isReader(session)) throw new DeskError('team.readOnly');
  requireRead(session);
}

/**
 * @throws DeskError `team.stillReading` if the log was never read up to its head, so that reviews by colleagues are
 * missing
 */
export function requireRead({ log }: OwnLog): void {
  if (log.state.position.isRead === 0) throw new DeskError('team.stillReading');
}

/**
 * The acts of this computer that the team does not receive, because they were made before its role became read-only;
 * newest first. Users who may only read can undo them here.
 */
export const listHeld = async (
  session: OwnLog & Pick<TeamSession, 'workspaceId'>,
  userData: UserDataStore,
): Promise<string[]> =>
  isReader(session) ? userData.call('listUnsentActs', { workspaceId: session.workspaceId }) : [];
