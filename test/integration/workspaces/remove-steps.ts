/**
 * Adds two workspaces of a running service that share a key, syncs the first, removes both, and prints after each
 * step what is left. With the system's keychain it runs inside a session bus; with a vault anywhere.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getProfileId } from '../../../src/main/keychain/profile-identity.ts';
import { toErrorReport } from '../../../src/main/lib/errors.ts';
import { syncWorkspace } from '../../../src/main/shells/cli/commands/sync.ts';
import { createOutput } from '../../../src/main/shells/cli/output.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { registerKeyAt } from '../../support/key-page.ts';
import { listKeychainAccounts } from '../../support/keychain-entries.ts';
import { openProfileSecrets } from '../../support/profile-secrets.ts';

export type Leftovers = {
  /** Accounts in the secret store, the profile's id left out. */
  accounts: string[];
  keys: number;
  workspaces: number;
  /** Files whose name or content speaks of the first workspace. */
  traces: string[];
};

const [profileDir = '', baseUrl = '', email = ''] = process.argv.slice(2);
const session = await openSession({ options: { profile: profileDir, yes: true }, writes: true });
const passphrase = process.env.CLAIMDESK_VAULT_PASSPHRASE ?? '';
const { store: secrets } = openProfileSecrets(profileDir, { passphrase });

const first = await session.call('workspaces:add', { baseUrl, email, name: 'Ohio Benefits Trust' });
const key = await session.call('keys:generate', {
  type: 'ed25519',
  name: 'Front desk',
  workspaceId: first.id,
});
await registerKeyAt(baseUrl, key.publicKey);
await session.call('keys:check', { workspaceId: first.id });
const { error } = await syncWorkspace(session, first.id, createOutput({ isJson: true }), false);
if (error !== null) throw error;
const second = await session.call('workspaces:add', { baseUrl, email: `other-${email}`, name: 'Second' });
await session.call('keys:use', { workspaceId: second.id, keyId: key.id });

/** The file of the secrets holds its accounts encrypted, so those that there could be are asked for. */
async function listAccounts(): Promise<string[]> {
  const profileId = await getProfileId(profileDir);
  if (secrets.kind === 'keychain') {
    const accounts = listKeychainAccounts().filter((account) => account !== `audit-anchor/${profileId}`);
    if (accounts.join() !== `profile-key/${profileId}`) throw new Error('The keychain holds something else.');
  }
  const names = [
    'database-key/ours',
    'wrapping-key',
    ...[first, second].map(({ id }) => `database-key/${id}`),
  ];
  const found = await Promise.all(
    names.map(async (name) => {
      const [kind = '', ...rest] = name.split('/');
      return (await secrets.get([kind, profileId, ...rest].join('/'))) === null ? null : name;
    }),
  );
  return found.filter((name) => name !== null).sort();
}

function listTraces(): string[] {
  const marks = [first.id, 'Ohio Benefits Trust', `"${email}"`];
  const names = readdirSync(profileDir, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (path.includes(first.id)) return true;
      const text = entry.isFile() ? readFileSync(path, 'latin1') : '';
      return marks.some((mark) => text.includes(mark));
    })
    .map(({ name }) => name);
}

async function look(): Promise<Leftovers> {
  return {
    accounts: await listAccounts(),
    keys: (await session.call('keys:list', {})).keys.length,
    workspaces: (await session.call('workspaces:list', {})).workspaces.length,
    traces: listTraces(),
  };
}

const tell = (step: string, value: unknown): void =>
  void process.stdout.write(`${JSON.stringify([step, value])}\n`);
const remove = async (workspaceId: string, typedKeyName?: string): Promise<unknown> =>
  session
    .call('workspaces:remove', {
      workspaceId,
      alsoRemovesKeys: true,
      ...(typedKeyName === undefined ? {} : { typedKeyName }),
    })
    .catch((thrown: unknown) => toErrorReport(thrown).code);

tell('synced', await look());
tell('removed', await remove(first.id));
tell('afterFirst', await look());
tell('refused', await remove(second.id));
tell('stillThere', (await look()).workspaces);
tell('named', await remove(second.id, 'Front desk'));
tell('afterSecond', await look());
tell('keyId', key.id);
tell('firstId', first.id);
await session.close();
