import type { Command } from '../parse-command.ts';
import { openSession, type Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** Runs `act` in the workspace that is meant. */
export async function inWorkspace<T>(
  command: Command,
  writes: boolean,
  act: (session: Session, workspaceId: string) => Promise<T>,
): Promise<T> {
  const session = await openSession({ options: command.options, writes });
  try {
    return await act(session, (await session.findWorkspace()).id);
  } finally {
    await session.close();
  }
}

/** @throws UsageError */
export function wantEmail({ options }: Command): string {
  if (options.email === undefined) throw new UsageError('--email is required');
  return options.email;
}
