import { rm } from 'node:fs/promises';
import type { SshKey } from '../../contract/workspace.ts';
import { createTokenSigner, type TokenSigner } from '../auth/token-signer.ts';
import { getProfileId } from '../keychain/profile-identity.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { StoredKey } from '../keys/key-files.ts';
import { createKeyRing, type KeyRing } from '../keys/key-ring.ts';
import { createRotationJournal, type RotationJournal } from '../keys/rotation-journal.ts';
import { sweepTempFiles } from '../lib/atomic-file.ts';
import type { Clock } from '../lib/clock.ts';
import type { WorkspacePlace } from '../lib/engine-protocol.ts';
import { DeskError } from '../lib/errors.ts';
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
  /** @throws DeskError `workspace.unknown`, also of one that is being removed */
  placeOf(workspaceId: string): Promise<WorkspacePlace>;
  listKeys(): Promise<SshKey[]>;
  /**
   * Removes a workspace with its records and its database key. `closeRecords` is called once nobody can open
   * them any more. If anything fails the workspace stays in the book, and can be removed again.
   * @throws DeskError `workspace.unknown`, `keychain.*`, `vault.*`, `profile.unwritable`
   */
  removeWorkspace(workspaceId: string, closeRecords: () => Promise<void>): Promise<void>;
  /** Removes what a killed process left half-written. Only with the lease, and before anything is written. */
  sweep(): Promise<void>;
}

export function openSpace(ports: {
  profileDir: string;
  secrets: SecretStore;
  clock: Clock;
  isSample: boolean;
}): Space {
  const { profileDir, secrets, clock } = ports;
  const paths = profilePaths(profileDir);
  const keyRing = createKeyRing({ profileDir, secrets, clock });
  const book = createWorkspaceBook({ profileDir, clock });
  /** Who asks for the records of these would make a new file, and a new key in the keychain. */
  const leaving = new Set<string>();

  const accountOf = async (workspaceId: string): Promise<string> =>
    `database-key/${await getProfileId(profileDir)}/${workspaceId}`;

  return {
    ...ports,
    keyRing,
    book,
    signer: createTokenSigner({ keyRing, clock }),
    journal: createRotationJournal({ profileDir, clock }),
    async placeOf(workspaceId) {
      const workspace = await book.get(workspaceId);
      const databaseKeyAccount = await accountOf(workspaceId);
      if (leaving.has(workspaceId)) throw new DeskError('workspace.unknown');
      return {
        workspace: { ...workspace, isSample: ports.isSample },
        folder: paths.workspaceDir(workspaceId),
        databaseKeyAccount,
      };
    },
    async listKeys() {
      const workspaces = await book.list();
      return (await keyRing.list()).map((key) => toSshKey(key, workspaces, ports.isSample));
    },
    async removeWorkspace(workspaceId, closeRecords) {
      await book.get(workspaceId);
      leaving.add(workspaceId);
      try {
        await closeRecords();
        // The key first: without it, what is left of the files says nothing to anybody.
        await secrets.delete(await accountOf(workspaceId));
        await rm(paths.workspaceDir(workspaceId), { recursive: true, force: true, maxRetries: 5 });
        await book.remove(workspaceId);
      } finally {
        leaving.delete(workspaceId);
      }
    },
    async sweep() {
      for (const folder of [profileDir, paths.keysDir]) await sweepTempFiles(folder);
    },
  };
}

/** The public side of a key, with the workspaces it signs for. */
export function toSshKey(
  key: StoredKey,
  workspaces: readonly { id: string; keyId: string | null }[],
  isSample: boolean,
): SshKey {
  return {
    ...key,
    workspaceIds: workspaces
      .filter((workspace) => workspace.keyId === key.id)
      .map((workspace) => workspace.id),
    isSample,
  };
}
