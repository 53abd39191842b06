import { openSession } from '../../src/main/shells/cli/session.ts';

// Exchanges with the team through the whole engine and prints when it begins and ends; for tests that kill it at any
// moment.
const [profileDir = ''] = process.argv.slice(2);
const session = await openSession({ options: { yes: true }, writes: true, profileDir });
const workspaceId = (await session.findWorkspace()).id;
process.stdout.write('begun\n');
await session.call('team:sync', { workspaceId });
process.stdout.write('done\n');
await session.close();
