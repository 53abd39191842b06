import { syncWorkspace } from '../../src/main/shells/cli/commands/sync.ts';
import { openSession } from '../../src/main/shells/cli/session.ts';

// Runs a complete sync, with what rules decide after it, and prints when it begins and ends; for tests that kill it at
// every step.
const [profileDir = '', step = ''] = process.argv.slice(2);
process.env.CLAIMDESK_KILL_STEP = step;
const session = await openSession({ options: { yes: true }, writes: true, profileDir });
const { id: workspaceId } = await session.findWorkspace();
process.stdout.write('begun\n');
const silent = { json: async () => undefined, line: async () => undefined, info: () => undefined };
await syncWorkspace(session, workspaceId, silent, false);
process.stdout.write('done\n');
await session.close();
