/**
 * Runs inside a session bus: puts the entries of a file into the system's keychain, opens the profile given
 * as a start of the app does, and prints what it says of itself as one JSON line.
 */
import { readFileSync } from 'node:fs';
import { createKeychainStore } from '../../../src/main/keychain/keychain-store.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { describeProfile } from '../../support/profile-fixture/describe-profile-0.2.ts';
import type { KeychainEntry } from '../../support/profile-fixture/open-profile-0.2.ts';

const [profileDir = '', entriesPath = ''] = process.argv.slice(2);
for (const { service, account, value } of JSON.parse(readFileSync(entriesPath, 'utf8')) as KeychainEntry[])
  await createKeychainStore({ serviceName: service }).set(account, Buffer.from(value, 'base64'));

const session = await openSession({ options: {}, writes: true, profileDir });
const { secrets } = await session.call('app:getInfo', {});
const description = await describeProfile(session);
await session.close();
process.stdout.write(`${JSON.stringify({ secrets, ...description })}\n`);
