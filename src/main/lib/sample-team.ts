import { z } from 'zod';
import { findEntry } from './entries.ts';
import { DeskError } from './errors.ts';
import { endProcess, type LaunchSample, readFirstLine, type SampleProcess } from './sample-process.ts';

/** Tries a team with the sample: a team server on this computer, and a simulated colleague, a process each. */
export function createSampleTeam(launch: LaunchSample) {
  let server: { readonly process: SampleProcess; readonly origin: string } | null = null;
  let colleague: SampleProcess | null = null;
  const endColleague = async (): Promise<void> => {
    const ending = colleague;
    colleague = null;
    if (ending !== null) await endProcess(ending);
  };
  return {
    /** Starts the server on a folder, unless it runs, and makes a set-up code. @throws DeskError `sandbox.failed` */
    async startTeam(folder: string): Promise<{ server: string; setupCode: string }> {
      if (server === null) {
        const process = launch(findEntry('team-server'), ['--data', folder, '--port', '0']);
        const { origin } = await readFirstLine(process, z.object({ origin: z.url() }));
        server = { process, origin };
        process.onEnded(() => {
          if (server?.process === process) server = null;
        });
      }
      const { origin } = server;
      const { setupCode } = await readFirstLine(
        launch(findEntry('team-server'), ['code', '--data', folder]),
        z.object({ setupCode: z.string() }),
      );
      return { server: origin, setupCode };
    },
    /** Makes a colleague ask to join, who decides these claims once admitted. @throws DeskError `sandbox.failed` */
    async addColleague(invitation: string, claimIds: readonly number[]): Promise<{ computer: string }> {
      if (server === null) throw new DeskError('sandbox.failed');
      await endColleague();
      colleague = launch(findEntry('colleague'), ['--claims', claimIds.join(',')]);
      colleague.send({ invitation });
      return readFirstLine(colleague, z.object({ computer: z.string() }));
    },
    async endTeam(): Promise<void> {
      await endColleague();
      const ending = server?.process;
      server = null;
      if (ending !== undefined) await endProcess(ending);
    },
  };
}
