import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { openProfileSecrets } from '../../support/profile-secrets.ts';
import { prepareBenchStore } from './million-store.ts';

export const passphrase = 'bench passphrase';

/** Makes a profile whose one workspace has a copy of the shared store, under the key of that store. Resolves to its ID. */
export async function prepareProfile(profileDir: string, baseUrl = 'http://127.0.0.1:9'): Promise<string> {
  process.env.CLAIMDESK_VAULT_PASSPHRASE = passphrase;
  const store = prepareBenchStore();
  const session = await openSession({ options: {}, writes: true, profileDir });
  const { id } = await session.call('workspaces:add', { baseUrl, email: 'bench@example.org' });
  await session.call('keys:generate', { type: 'ed25519', workspaceId: id });
  await session.close();
  const profile = JSON.parse(readFileSync(join(profileDir, 'profile.json'), 'utf8')) as { id: string };
  const { store: vault } = openProfileSecrets(profileDir, { passphrase });
  await vault.set(`database-key/${profile.id}/${id}`, store.key);
  const workspaceDir = join(profileDir, 'workspaces', id);
  mkdirSync(workspaceDir, { recursive: true });
  copyFileSync(store.filePath, join(workspaceDir, 'records.db'));
  // Worklists are made and the file is checked once, as on any later day.
  const settled = await openSession({ options: {}, writes: true, profileDir });
  await settled.call('worklists:report', { workspaceId: id });
  await settled.call('store:check', { workspaceId: id, isFull: false });
  await settled.close();
  return id;
}
