import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SshKey } from '../../contract/ssh-keys.ts';
import { createTokenSigner, type TokenSigner } from '../auth/token-signer.ts';
import type { AnchorStore } from '../keychain/anchor-store.ts';
import { getProfileId } from '../keychain/profile-identity.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { StoredKey } from '../keys/key-files.ts';
import { deriveKeyOrigins } from '../keys/key-origins.ts';
import { createKeyRing, type KeyRing } from '../keys/key-ring.ts';
import { createRotationJournal, type RotationJournal } from '../keys/rotation-journal.ts';
import { sweepTempFiles } from '../lib/atomic-file.ts';
import type { Clock } from '../lib/clock.ts';
import type { WorkspaceLocation } from '../lib/engine-protocol.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';
import { createWorkspaceBook, type WorkspaceBook } from '../workspaces/workspace-book.ts';

/**
 * A profile folder with its secrets, keys and workspaces. The real one and the sample's are two spaces that
 * share nothing, so that sample data cannot mix with real data.
 */
export interface Space {
  readonly profileDir: string;
  readonly secrets: SecretStore;
  readonly keyRing: KeyRing;
  readonly book: WorkspaceBook;
  readonly signer: TokenSigner;
  readonly journal: RotationJournal;
  readonly isSample: boolean;
  /** The services that a key may sign for. @throws DeskError `key.unknown`, `key.damaged` */
  originsOf(keyId: string): Promise<readonly string[]>;
  /** Whether there is nothing yet that a secret protects: no workspace, no key, no notes or audit log. */
  isEmpty(): Promise<boolean>;
  /** @throws DeskError `workspace.unknown`, also of one that is being removed */
  findLocation(workspaceId: string): Promise<WorkspaceLocation>;
  listKeys(): Promise<SshKey[]>;
  /**
   * Removes a workspace with its records and its database key. `closeRecords` is called once nobody can open
   * them any more. If anything fails the workspace stays in the book, and can be removed again.
   * @throws DeskError `workspace.unknown`, `keychain.*`, `vault.*`, `profile.unwritable`
   */
  removeWorkspace(workspaceId: string, closeRecords: () => Promise<void>): Promise<void>;
  /**
   * Destroys every secret of the profile, then every file but the lease. Nobody may have its records open.
   * @throws DeskError `keychain.*`, `vault.*`, `profile.unwritable`: what is left can be removed again
   */
  removeEverything(): Promise<void>;
  /**
   * Removes what a killed process left half-written, and binds keys of an older version to the services that use
   * them. Only with the lease, and before anything is written.
   */
  tidy(): Promise<void>;
}

export function openSpace(ports: {
  profileDir: string;
  secrets: SecretStore;
  /** Where the newest entry of its audit log is noted. */
  anchors: AnchorStore;
  clock: Clock;
  isSample: boolean;
  /** Makes all secrets unreadable at once; each by itself unless given. */
  removeSecrets?: (() => Promise<void>) | undefined;
}): Space {
  const { profileDir, secrets, clock } = ports;
  const removeSecrets =
    ports.removeSecrets ??
    (async () => {
      const profileId = await getProfileId(profileDir);
      for (const { id } of await book.list()) {
        await secrets.delete(await accountOf(id));
        await secrets.delete(await connectAccountOf(id));
      }
      for (const account of [
        `wrapping-key/${profileId}`,
        `database-key/${profileId}/ours`,
        `audit-key/${profileId}`,
      ])
        await secrets.delete(account);
    });
  const paths = profilePaths(profileDir);
  const keyRing = createKeyRing({ profileDir, secrets, clock });
  const book = createWorkspaceBook({ profileDir, clock });
  const journal = createRotationJournal({ profileDir, clock });
  /** Who asks for the records of these would make a new file, and a new key in the keychain. */
  const leaving = new Set<string>();

  const accountOf = async (workspaceId: string): Promise<string> =>
    `database-key/${await getProfileId(profileDir)}/${workspaceId}`;
  const connectAccountOf = async (workspaceId: string): Promise<string> =>
    `connect-secret/${await getProfileId(profileDir)}/${workspaceId}`;

  const removeWorkspace: Space['removeWorkspace'] = async (workspaceId, closeRecords) => {
    await book.get(workspaceId);
    leaving.add(workspaceId);
    try {
      await closeRecords();
      // The key first: without it, what is left of the files says nothing to anybody.
      await secrets.delete(await accountOf(workspaceId));
      await secrets.delete(await connectAccountOf(workspaceId));
      await rm(paths.workspaceDir(workspaceId), { recursive: true, force: true, maxRetries: 5 });
      await book.remove(workspaceId);
    } finally {
      leaving.delete(workspaceId);
    }
  };

  const originsOf = async (keyId: string): Promise<readonly string[]> => {
    const { origins } = await keyRing.get(keyId);
    return origins ?? deriveKeyOrigins(keyId, await book.list(), await journal.list());
  };

  return {
    ...ports,
    keyRing,
    book,
    signer: createTokenSigner({ keyRing, originsOf, clock }),
    journal,
    originsOf,
    async isEmpty() {
      const [workspaces, keys, damaged] = [
        await book.list().catch(() => null),
        await keyRing.list(),
        await keyRing.listDamaged(),
      ];
      const isUsed = workspaces?.length !== 0 || keys.length > 0 || damaged.length > 0;
      return !isUsed && !existsSync(paths.userData);
    },
    async findLocation(workspaceId) {
      const workspace = await book.get(workspaceId);
      const databaseKeyAccount = await accountOf(workspaceId);
      if (leaving.has(workspaceId)) throw new DeskError('workspace.unknown');
      return {
        workspace: { ...workspace, isSample: ports.isSample },
        folder: paths.workspaceDir(workspaceId),
        databaseKeyAccount,
        connectSecretAccount: await connectAccountOf(workspaceId),
      };
    },
    async listKeys() {
      const workspaces = await book.list();
      return (await keyRing.list()).map((key) => toSshKey(key, workspaces, ports.isSample));
    },
    removeWorkspace,
    async removeEverything() {
      // The old anchor says nothing without the log; where the secrets are lost, it cannot be had.
      const profileId = await getProfileId(profileDir).catch(() => null);
      if (profileId !== null) await ports.anchors.delete(`audit-anchor/${profileId}`).catch(() => undefined);
      // First: without them, what is left of the files says nothing to anybody.
      await removeSecrets();
      for (const name of await readdir(profileDir)) {
        const path = join(profileDir, name);
        if (path === paths.leaseDir) continue;
        await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch((thrown) => {
          throw toDeskError(thrown);
        });
      }
    },
    async tidy() {
      for (const folder of [profileDir, paths.keysDir]) await sweepTempFiles(folder);
      // One that cannot be written down is worked out whenever it is asked for.
      for (const { id, origins } of await keyRing.list().catch(() => [])) {
        if (origins === null) await keyRing.bind(id, await originsOf(id)).catch(() => undefined);
      }
    },
  };
}

/** The public side of a key, with the workspaces it signs for. */
export function toSshKey(
  key: StoredKey,
  workspaces: readonly { id: string; keyId: string | null }[],
  isSample: boolean,
): SshKey {
  const { origins: _origins, ...shown } = key;
  return {
    ...shown,
    workspaceIds: workspaces
      .filter((workspace) => workspace.keyId === key.id)
      .map((workspace) => workspace.id),
    isSample,
  };
}
