import { rm } from 'node:fs/promises';
import type { SshKey } from '../../contract/workspace.ts';
import { createTokenSigner, type TokenSigner } from '../auth/token-signer.ts';
import { getProfileId } from '../keychain/profile-identity.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { StoredKey } from '../keys/key-files.ts';
import { createKeyRing, type KeyRing } from '../keys/key-ring.ts';
import type { Clock } from '../lib/clock.ts';
import type { WorkspacePlace } from '../lib/engine-protocol.ts';
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
  readonly isSample: boolean;
  placeOf(workspaceId: string): Promise<WorkspacePlace>;
  listKeys(): Promise<SshKey[]>;
  /** Removes a workspace with its records and its database key. */
  removeWorkspace(workspaceId: string): Promise<void>;
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

  const accountOf = async (workspaceId: string): Promise<string> =>
    `database-key/${await getProfileId(profileDir)}/${workspaceId}`;

  return {
    ...ports,
    keyRing,
    book,
    signer: createTokenSigner({ keyRing, clock }),
    async placeOf(workspaceId) {
      const workspace = await book.get(workspaceId);
      return {
        workspace: { ...workspace, isSample: ports.isSample },
        folder: paths.workspaceDir(workspaceId),
        databaseKeyAccount: await accountOf(workspaceId),
      };
    },
    async listKeys() {
      const workspaces = await book.list();
      return (await keyRing.list()).map((key) => toSshKey(key, workspaces));
    },
    async removeWorkspace(workspaceId) {
      await book.get(workspaceId);
      // The key first: without it, what is left of the files says nothing to anybody.
      await secrets.delete(await accountOf(workspaceId));
      await rm(paths.workspaceDir(workspaceId), { recursive: true, force: true, maxRetries: 5 });
      await book.remove(workspaceId);
    },
  };
}

/** The public side of a key, with the workspaces it signs for. */
export function toSshKey(
  key: StoredKey,
  workspaces: readonly { id: string; keyId: string | null }[],
): SshKey {
  return {
    ...key,
    workspaceIds: workspaces
      .filter((workspace) => workspace.keyId === key.id)
      .map((workspace) => workspace.id),
  };
}
