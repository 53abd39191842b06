import { parseArgs } from 'node:util';
import { createColleague, readInvitation } from './colleague.ts';

const parentPollMs = 1_000;

/** Electron's port to the process that started this one. */
interface ParentPort {
  once(name: 'message', listener: (event: { data: unknown }) => void): void;
}

/** The invitation, which the parent sends as a message: other users of the computer can read arguments. */
const receiveInvitation = async (): Promise<string> => {
  const { parentPort } = process as { parentPort?: ParentPort };
  const message = await new Promise<unknown>((resolve) => {
    if (parentPort === undefined) process.once('message', resolve);
    else parentPort.once('message', ({ data }) => resolve(data));
  });
  return (message as { invitation: string }).invitation;
};

/**
 * Entry of the sample's simulated colleague, a separate program: `node src/sandbox/colleague/index.ts --claims 1,2,3`,
 * which is sent `{ invitation }`. The first line on stdout is one JSON object with its computer, when it has asked to join. It ends with
 * its parent, on SIGTERM, and when it is removed from the team.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    strict: true,
    options: { claims: { type: 'string', default: '' } },
  });
  const parent = process.ppid;
  process.on('disconnect', () => process.exit(0));
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, parentPollMs).unref();
  const claimIds = values.claims.split(',').filter(Boolean).map(Number);
  const colleague = createColleague(readInvitation(await receiveInvitation()), claimIds);
  await colleague.join();
  process.stdout.write(`${JSON.stringify({ event: 'asked', computer: colleague.computer })}\n`);
  await colleague.work();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'The colleague could not start.'}\n`);
    process.exit(1);
  },
);
