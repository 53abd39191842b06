import { DeskError } from '../../lib/errors.ts';
import type { Command } from './parse-command.ts';
import { openSession, type Session } from './session.ts';

/** Whether a command takes the profile's write lease; `ifFree`: only if no other process has it. */
type Writes = boolean | 'ifFree';

/** Runs a command; resolves to the exit code, or to nothing for 0. */
type Act<Rest extends readonly unknown[]> = (session: Session, ...rest: Rest) => Promise<number | undefined>;

/** Opens a session for a command, runs it, and closes the session in every case. @throws DeskError as `openSession` */
export async function inSession(
  { options }: Pick<Command, 'options'>,
  writes: Writes,
  act: Act<[]>,
): Promise<number> {
  const session = await openSession({ options, writes: writes !== false }).catch((thrown) => {
    const isBusy = thrown instanceof DeskError && thrown.code === 'profile.busy';
    if (isBusy && writes === 'ifFree') return openSession({ options, writes: false });
    throw thrown;
  });
  try {
    return (await act(session)) ?? 0;
  } finally {
    await session.close();
  }
}

/** The same, with the workspace that the command names. @throws DeskError `workspace.*` */
export const inWorkspace = (
  command: Pick<Command, 'options'>,
  writes: Writes,
  act: Act<[workspaceId: string]>,
): Promise<number> =>
  inSession(command, writes, async (session) => act(session, (await session.findWorkspace()).id));
