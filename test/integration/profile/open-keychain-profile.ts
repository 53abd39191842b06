/**
 * Runs inside a session bus: puts the entries of the fixture into the system's keychain, opens the profile given
 * as a start of the app does, and prints what it says of itself as one JSON line.
 */
import { createKeychainStore } from '../../../src/main/keychain/keychain-store.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { readKeychainEntries } from '../../support/profile-fixture/open-profile-fixture.ts';

const [profileDir = ''] = process.argv.slice(2);
for (const { service, account, value } of readKeychainEntries())
  await createKeychainStore({ serviceName: service }).set(account, Buffer.from(value, 'base64'));

const session = await openSession({ options: {}, writes: true, profileDir });
const { workspaces } = await session.call('workspaces:list', {});
const claims: number[] = [];
for (const { id } of workspaces)
  claims.push((await session.call('records:getSummary', { workspaceId: id })).claims);
const { isIntact } = await session.call('audit:verify', {});
const { secrets } = await session.call('app:getInfo', {});
await session.close();
process.stdout.write(`${JSON.stringify({ secrets, claims, isIntact })}\n`);
