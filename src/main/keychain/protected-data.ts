import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toDeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';

/** Whether the profile holds data that is encrypted with a secret. */
export async function hasProtectedData(profileDir: string): Promise<boolean> {
  const { keysDir, workspacesDir, userData } = profilePaths(profileDir);
  if ((await listNames(keysDir)).length > 0) return true;
  if ((await listNames(profileDir)).some((name) => join(profileDir, name).startsWith(userData))) return true;
  for (const id of await listNames(workspacesDir)) {
    if ((await listNames(join(workspacesDir, id))).length > 0) return true;
  }
  return false;
}

/** The names in a folder; none where the folder does not exist. */
const listNames = async (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw toDeskError(error);
  });
