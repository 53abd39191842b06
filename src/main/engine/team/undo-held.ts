import { DeskError } from '../../lib/errors.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { listHeld } from './require-writer.ts';
import type { TeamSession } from './team-ports.ts';

/**
 * Undoes on this computer what the team does not receive (`listHeld`), newest first; does nothing if this computer may
 * write. `left`: acts on which others depend, such as a step of a run.
 */
export async function undoHeld(
  session: TeamSession,
  userData: UserDataStore,
  undo: (workspaceId: string, eventId: string) => Promise<unknown>,
): Promise<{ undone: number; left: number }> {
  const held = await listHeld(session, userData);
  for (const eventId of held)
    await undo(session.workspaceId, eventId).catch((thrown: unknown) => {
      // `review.unknown`: it was undone together with another one, as one act.
      const isLeft = thrown instanceof DeskError && ['run.laterStep', 'review.unknown'].includes(thrown.code);
      if (!isLeft) throw thrown;
    });
  const { length: left } = await listHeld(session, userData);
  return { undone: held.length - left, left };
}
