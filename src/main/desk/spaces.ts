import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SshKey } from '../../contract/ssh-keys.ts';
import { createTeamTokenSigner, type TeamTokenSigner } from '../auth/team-token.ts';
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

/** The parts that a space is opened with. */
interface SpacePorts {
  readonly profileDir: string;
  readonly secrets: SecretStore;
  /** Stores the hash of the newest entry of the audit log. */
  readonly anchors: AnchorStore;
  readonly clock: Clock;
  readonly isSample: boolean;
  /** Makes all secrets unreadable at once; where absent, secrets are deleted one by one. */
  readonly removeSecrets?: (() => Promise<void>) | undefined;
}

/**
 * A profile folder with its secrets, keys and workspaces. The real one and the sample's are two spaces that
 * share nothing, so that sample data cannot mix with real data.
 */
export interface Space extends SpacePorts {
  readonly keyRing: KeyRing;
  readonly book: WorkspaceBook;
  readonly signer: TokenSigner;
  readonly teamTokens: TeamTokenSigner;
  readonly journal: RotationJournal;
  /**
   * Workspaces that are being removed: opening their records now would create a new file, and a new key in the
   * keychain.
   */
  readonly leaving: Set<string>;
}

export function openSpace(ports: SpacePorts): Space {
  const { profileDir, secrets, clock } = ports;
  const keyRing = createKeyRing({ profileDir, secrets, clock });
  const space: Space = {
    ...ports,
    keyRing,
    book: createWorkspaceBook({ profileDir, clock }),
    signer: createTokenSigner({ keyRing, originsOf: (keyId) => originsOf(space, keyId), clock }),
    teamTokens: createTeamTokenSigner(clock),
    journal: createRotationJournal({ profileDir, clock }),
    leaving: new Set(),
  };
  return space;
}

/** Drops the tokens in memory. */
export function forgetTokens({ signer, teamTokens }: Space): void {
  signer.forget();
  teamTokens.forget();
}

/** The services that a key may sign for. @throws DeskError `key.unknown`, `key.damaged` */
export async function originsOf(
  { keyRing, book, journal }: Space,
  keyId: string,
): Promise<readonly string[]> {
  const { origins } = await keyRing.get(keyId);
  return origins ?? deriveKeyOrigins(keyId, await book.list(), await journal.list());
}

/** Whether the space holds nothing that a secret protects: no workspace, no key, no notes or audit log. */
export async function isSpaceEmpty({ keyRing, book, profileDir }: Space): Promise<boolean> {
  const workspaces = await book.list().catch(() => null);
  const keys = [...(await keyRing.list()), ...(await keyRing.listDamaged())];
  return workspaces?.length === 0 && keys.length === 0 && !existsSync(profilePaths(profileDir).userData);
}

/** The accounts of a workspace's secrets in the secret store. */
export async function accountsOf({ profileDir }: Space, workspaceId: string) {
  const profileId = await getProfileId(profileDir);
  return {
    databaseKeyAccount: `database-key/${profileId}/${workspaceId}`,
    connectSecretAccount: `connect-secret/${profileId}/${workspaceId}`,
    computerAccount: `team-computer/${profileId}/${workspaceId}`,
  };
}

/** @throws DeskError `workspace.unknown`, also of one that is being removed */
export async function findLocation(space: Space, workspaceId: string): Promise<WorkspaceLocation> {
  const workspace = await space.book.get(workspaceId);
  const { computerAccount: _computerAccount, ...accounts } = await accountsOf(space, workspaceId);
  if (space.leaving.has(workspaceId)) throw new DeskError('workspace.unknown');
  return {
    workspace: { ...workspace, isSample: space.isSample },
    folder: profilePaths(space.profileDir).workspaceDir(workspaceId),
    ...accounts,
  };
}

/**
 * Removes a workspace with its records and its database key, then what people wrote about them. `close` is called when
 * the records can no longer be opened. If a step fails, the workspace stays in the book and can be removed again.
 * @throws DeskError `workspace.unknown`, `keychain.*`, `vault.*`, `profile.unwritable`
 */
export async function removeWorkspace(
  space: Space,
  workspaceId: string,
  records: { close(): Promise<void>; forgetWritten(): Promise<void> },
): Promise<void> {
  const { book, leaving, profileDir } = space;
  await book.get(workspaceId);
  leaving.add(workspaceId);
  try {
    await records.close();
    // The database key first: without it, files that remain cannot be read.
    await deleteSecrets(space, workspaceId);
    const folder = profilePaths(profileDir).workspaceDir(workspaceId);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    // After the records, because it needs room on the disk.
    await records.forgetWritten();
    await book.remove(workspaceId);
  } finally {
    leaving.delete(workspaceId);
  }
}

async function deleteSecrets(space: Space, workspaceId: string): Promise<void> {
  for (const account of Object.values(await accountsOf(space, workspaceId)))
    await space.secrets.delete(account);
}

/**
 * Destroys every secret of the profile, then every file but the write lock. The records must be closed.
 * @throws DeskError `keychain.*`, `vault.*`, `profile.unwritable`: removal can then be tried again
 */
export async function removeEverything(space: Space): Promise<void> {
  const { profileDir, anchors, removeSecrets } = space;
  // The anchor is useless without the audit log; where the secrets are lost, it cannot be read.
  const profileId = await getProfileId(profileDir).catch(() => null);
  if (profileId !== null) await anchors.delete(`audit-anchor/${profileId}`).catch(() => undefined);
  // Secrets first: without them, files that remain cannot be read.
  await (removeSecrets?.() ?? deleteEachSecret(space));
  for (const name of await readdir(profileDir)) {
    const path = join(profileDir, name);
    if (path === profilePaths(profileDir).writeLockDir) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch((thrown) => {
      throw toDeskError(thrown);
    });
  }
}

async function deleteEachSecret(space: Space): Promise<void> {
  const profileId = await getProfileId(space.profileDir);
  for (const { id } of await space.book.list()) await deleteSecrets(space, id);
  for (const account of [
    `wrapping-key/${profileId}`,
    `database-key/${profileId}/ours`,
    `audit-key/${profileId}`,
    `audit-token/${profileId}`,
  ])
    await space.secrets.delete(account);
}

/**
 * Removes what a killed process left half-written, and binds keys of an older version to the services that use them.
 * Call it only while holding the write lock, before anything is written.
 */
export async function tidySpace(space: Space): Promise<void> {
  const { profileDir, keyRing } = space;
  for (const folder of [profileDir, profilePaths(profileDir).keysDir]) await sweepTempFiles(folder);
  // Where the origins of a key cannot be stored, they are computed at each use.
  for (const { id, origins } of await keyRing.list().catch(() => [])) {
    if (origins === null) await keyRing.bind(id, await originsOf(space, id)).catch(() => undefined);
  }
}

export async function listKeys({ keyRing, book, isSample }: Space): Promise<SshKey[]> {
  const workspaces = await book.list();
  return (await keyRing.list()).map((key) => toSshKey(key, workspaces, isSample));
}

/** The public part of a key, with the workspaces that it signs for. */
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
