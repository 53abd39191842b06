import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { createEphemeralStore, type SecretStore } from '../../../src/main/keychain/secret-store.ts';
import { profilePaths } from '../../../src/main/lib/paths.ts';
import { openSession, type Session, type SessionOptions } from '../../../src/main/shells/cli/session.ts';
import { vaultPassphrase } from '../cheap-secrets.ts';
import type { ProfileDescription } from './describe-profile.ts';

export const fixtureFolder = fileURLToPath(new URL('../../fixtures/profile-0.1', import.meta.url));

/** `keychain`: the large one, its secrets in `keychain.json`; `vault`: a small one with a vault of its own. */
export type FixtureVariant = 'keychain' | 'vault';

/** An entry of the keychain as keytar has it: `value` is base64. */
export type KeychainEntry = { service: string; account: string; value: string };

/** Records as the service sent them, one JSON text each. */
export type SentRecords = { members: string[]; claims: string[] };

/** The sandbox that a workspace was filled from; `name` begins the names of the files of what it sent. */
export type FixtureService = { workspaceId: string; name: string; sandboxArgs: string[] };

export type ExpectedProfile = ProfileDescription & {
  services: FixtureService[];
  retiredKeyIds: string[];
  connectWaiting: { policyHolderId: number; email: string; patientAccess: string } | null;
};

/** A copy of a profile that an older version wrote, in a folder of its own. */
export interface ProfileFixture {
  readonly profileDir: string;
  /** What the app said of the profile when it was written, through describeProfile(). */
  readonly expected: ExpectedProfile;
  /** The keychain of its computer; empty beside a vault. */
  readonly keychain: SecretStore;
  /** A session that holds the lease, its secrets by a keychain in memory or by a passphrase. Close it before the next. */
  open(
    options?: Pick<SessionOptions, 'confirm'> & { passphrase?: string; keychain?: SecretStore },
  ): Promise<Session>;
  /** The records of a workspace as the service sent them, those that are no longer sent included. */
  readSent(workspaceId: string): SentRecords;
  /**
   * Points a workspace at another address, for a service started by a test. Only while no session is open.
   * Its key is bound as if the workspace had always been there.
   * What Connect remembers belongs to the address: it is hidden until the old one is set again.
   */
  setAddress(workspaceId: string, baseUrl: string): void;
  remove(): Promise<void>;
}

export async function openProfileFixture(variant: FixtureVariant): Promise<ProfileFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-profile-'));
  const profileDir = join(folder, 'profile');
  await mkdir(profileDir, { mode: 0o700 });
  execFileSync('tar', ['-xzf', join(fixtureFolder, `${variant}.tar.gz`), '-C', profileDir]);
  const expected = readJson<ExpectedProfile>(join(fixtureFolder, `${variant}.expected.json`));
  const keychain = variant === 'keychain' ? fillKeychain() : createEphemeralStore();
  return {
    profileDir,
    expected,
    keychain,
    open: ({ passphrase, keychain: other = keychain, ...options } = {}) =>
      openSession({
        ...options,
        options: {},
        writes: true,
        profileDir,
        keychain: other,
        askPassphrase: async () => passphrase ?? (variant === 'vault' ? vaultPassphrase : null),
      }),
    readSent(workspaceId) {
      const name = expected.services.find((one) => one.workspaceId === workspaceId)?.name;
      if (name === undefined) throw new Error(`No service of ${workspaceId} is known.`);
      return { members: readLines(sentPath(name, 'members')), claims: readLines(sentPath(name, 'claims')) };
    },
    setAddress(workspaceId, baseUrl) {
      const path = profilePaths(profileDir).workspaces;
      const book = readJson<{ workspaces: { id: string }[] }>(path);
      const workspaces = book.workspaces.map((one) => (one.id === workspaceId ? { ...one, baseUrl } : one));
      writeFileSync(path, JSON.stringify({ ...book, workspaces }));
      const { keysDir } = profilePaths(profileDir);
      for (const name of readdirSync(keysDir)) {
        const file = readJson<{ key: object }>(join(keysDir, name));
        writeFileSync(join(keysDir, name), JSON.stringify({ ...file, key: { ...file.key, origins: null } }));
      }
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export function sentPath(name: string, list: 'members' | 'claims'): string {
  return join(fixtureFolder, `${name}.${list}.ndjson.br`);
}

export function readKeychainEntries(): KeychainEntry[] {
  return readJson(join(fixtureFolder, 'keychain.json'));
}

/** What a keychain holds of the profile, in memory. */
export function fillKeychain(): SecretStore {
  return createEphemeralStore(
    readKeychainEntries().map(({ account, value }) => [account, Buffer.from(value, 'base64')] as const),
  );
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

export function readLines(path: string): string[] {
  const text = brotliDecompressSync(readFileSync(path)).toString('utf8');
  return text.trimEnd().split('\n');
}
