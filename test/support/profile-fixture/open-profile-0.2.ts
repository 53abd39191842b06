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
import type { ProfileDescription } from './describe-profile-0.2.ts';

export const fixturePath = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/profile-0.2/${name}`, import.meta.url));

/** `keychain`: the full profile; `passphrase`: a small one, made on a computer without a keychain. */
export type FixtureVariant = 'keychain' | 'passphrase';

/** The result of describeProfile() in version 0.2, and what was not finished in the profile. */
interface Expected {
  keychain: ProfileDescription & {
    retiredKeyId: string;
    connectWaiting: { policyHolderId: number; email: string; patientAccess: string };
  };
  passphrase: ProfileDescription & { recoveryCode: string };
}

/** A copy of the profile that version 0.2 wrote, in a folder of its own: test/fixtures/profile-0.2/README.md. */
export interface ProfileFixture<Variant extends FixtureVariant = FixtureVariant> {
  readonly profileDir: string;
  readonly expected: Expected[Variant];
  /**
   * Opens a session that holds the lease, with the keychain of its computer or the given secrets. Close it before the
   * next.
   */
  open(
    options?: Pick<SessionOptions, 'confirm'> & {
      passphrase?: string;
      keychain?: SecretStore;
      writes?: boolean;
    },
  ): Promise<Session>;
  /**
   * Changes the address of a workspace to that of a service started by a test. Only while no session is open. Its key
   * is bound to the address as if it had always been used there. Connect's data belong to an address: they are hidden
   * until the old one is set again.
   */
  setAddress(workspaceId: string, baseUrl: string): void;
  remove(): Promise<void>;
}

export async function openProfileFixture<Variant extends FixtureVariant>(
  variant: Variant,
): Promise<ProfileFixture<Variant>> {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-profile-'));
  const profileDir = join(folder, 'profile');
  await mkdir(profileDir, { mode: 0o700 });
  execFileSync('tar', ['-xzf', fixturePath(`${variant}.tar.gz`), '-C', profileDir]);
  const paths = profilePaths(profileDir);
  const usual = createEphemeralStore(
    variant === 'keychain'
      ? readJson<KeychainEntry[]>(fixturePath('keychain.json')).map(
          ({ account, value }) => [account, Buffer.from(value, 'base64')] as const,
        )
      : [],
  );
  return {
    profileDir,
    expected: readJson(fixturePath(`${variant}.expected.json`)),
    open: ({ passphrase, keychain = usual, writes = true, ...options } = {}) =>
      openSession({
        ...options,
        options: {},
        writes,
        profileDir,
        keychain,
        askPassphrase: async () => passphrase ?? (variant === 'passphrase' ? vaultPassphrase : null),
      }),
    setAddress(workspaceId, baseUrl) {
      const book = readJson<{ workspaces: { id: string }[] }>(paths.workspaces);
      const workspaces = book.workspaces.map((one) => (one.id === workspaceId ? { ...one, baseUrl } : one));
      writeFileSync(paths.workspaces, JSON.stringify({ ...book, workspaces }));
      for (const name of readdirSync(paths.keysDir)) {
        const path = join(paths.keysDir, name);
        const file = readJson<{ key: object }>(path);
        writeFileSync(path, JSON.stringify({ ...file, key: { ...file.key, origins: null } }));
      }
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Northwind's records as the service sent them, one JSON text each, including those that it no longer returns. */
export function readSent(list: 'members' | 'claims'): string[] {
  const text = brotliDecompressSync(readFileSync(fixturePath(`${list}.ndjson.br`))).toString('utf8');
  return text.trimEnd().split('\n');
}

/** An entry of the keychain as keytar has it: `value` is base64. */
export type KeychainEntry = { service: string; account: string; value: string };

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
