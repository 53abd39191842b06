import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';
import { getProfileId } from './profile-identity.ts';

/** The part of the file of workspaces that says which there are. */
const bookSchema = z.object({ workspaces: z.array(z.object({ id: z.string() })) });

/**
 * The accounts that version 0.1 may have in the keychain for this profile: it had an entry for each secret. The
 * keychain cannot be asked for a list, so they follow from the workspaces in the book and from the folders.
 * @throws DeskError `profile.damaged` where the book cannot be read: none may be overlooked
 */
export async function listOldAccounts(profileDir: string): Promise<string[]> {
  const { workspaces, workspacesDir } = profilePaths(profileDir);
  const profileId = await getProfileId(profileDir);
  const ids = new Set([...(await readBook(workspaces)), ...(await listNames(workspacesDir))]);
  return [
    `wrapping-key/${profileId}`,
    `database-key/${profileId}/ours`,
    `audit-key/${profileId}`,
    ...[...ids].flatMap((id) => [`database-key/${profileId}/${id}`, `connect-secret/${profileId}/${id}`]),
  ];
}

/** Whether anything is here that some secret protects. */
export async function hasProtectedData(profileDir: string): Promise<boolean> {
  const { keysDir, workspacesDir, userData } = profilePaths(profileDir);
  if ((await listNames(keysDir)).length > 0) return true;
  if ((await listNames(profileDir)).some((name) => join(profileDir, name).startsWith(userData))) return true;
  for (const id of await listNames(workspacesDir)) {
    if ((await listNames(join(workspacesDir, id))).length > 0) return true;
  }
  return false;
}

async function readBook(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw toDeskError(error);
  });
  if (text === null) return [];
  try {
    return bookSchema.parse(JSON.parse(text)).workspaces.map(({ id }) => id);
  } catch {
    throw new DeskError('profile.damaged', { details: { file: 'workspaces.json' } });
  }
}

/** What is in a folder; nothing in one that is not there. */
async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw toDeskError(error);
  });
}
