import { setTimeout as sleep } from 'node:timers/promises';
import { DeskError } from '../../lib/errors.ts';
import type { Printer } from './output.ts';
import type { Command } from './parse-command.ts';
import { openSession, type Session } from './session.ts';

/** Whether a command takes the profile's write lock; `ifFree`: only if no other process has it. */
export type Writes = boolean | 'ifFree';

/** The objects that a command uses while it runs in a workspace. */
export interface Work {
  readonly session: Session;
  readonly workspaceId: string;
  readonly command: Command;
  readonly output: Printer;
}

/** Runs a command; resolves to the exit code, or to anything else for 0. */
type Act<Rest extends readonly unknown[]> = (session: Session, ...rest: Rest) => Promise<unknown>;

const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof DeskError && thrown.code === code;

/** How often, and how many times, a read-only command checks whether another process has computed the facts. */
const waits = { times: 20, ms: 500 } as const;

/** Opens a session for a command, runs it, and closes the session in every case. @throws DeskError as `openSession` */
async function runOnce({ options }: Pick<Command, 'options'>, writes: Writes, act: Act<[]>): Promise<number> {
  const session = await openSession({ options, writes: writes !== false }).catch((thrown) => {
    if (hasCode(thrown, 'profile.busy') && writes === 'ifFree')
      return openSession({ options, writes: false });
    throw thrown;
  });
  try {
    const code = await act(session);
    return typeof code === 'number' ? code : 0;
  } finally {
    await session.close();
  }
}

/**
 * Opens a session with current facts: it computes them first if they are older than the newest claims and decisions. A
 * read-only command waits until the process that has the profile open has computed them.
 *
 * @throws DeskError `facts.behind` where that process does not
 */
export async function inSession(
  command: Pick<Command, 'options'>,
  writes: Writes,
  act: Act<[]>,
): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await runOnce(command, writes, act);
    } catch (thrown) {
      if (!hasCode(thrown, 'facts.behind') || tries === waits.times) throw thrown;
    }
    await runOnce(command, true, async (session) => {
      await session.call('worklists:update', { workspaceId: (await session.findWorkspace()).id });
      return 0;
    }).catch((thrown) => {
      if (!hasCode(thrown, 'profile.busy')) throw thrown;
      return sleep(waits.ms);
    });
  }
}

/** Opens a session with the workspace that the command names. @throws DeskError `workspace.*` */
export const inWorkspace = (
  command: Pick<Command, 'options'>,
  writes: Writes,
  act: Act<[workspaceId: string]>,
): Promise<number> =>
  inSession(command, writes, async (session) => act(session, (await session.findWorkspace()).id));
