import { openSession } from '../../src/main/shells/cli/session.ts';

// Removes old claims with their reviews through the whole engine and prints when it begins and ends; for tests that
// kill it at any moment.
const [profileDir = '', date = ''] = process.argv.slice(2);
const session = await openSession({ options: { yes: true }, writes: true, profileDir });
const workspaceId = (await session.findWorkspace()).id;
process.stdout.write('begun\n');
await session.call('data:remove', { workspaceId, removal: { kind: 'claimsBefore', date }, typed: date });
process.stdout.write('done\n');
await session.close();
