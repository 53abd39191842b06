import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { Policy } from '../../contract/policy.ts';
import type { SavePurpose } from '../../contract/save-target.ts';
import { DeskError } from '../lib/errors.ts';

/**
 * The folders in which the policy allows a file of this purpose, with links resolved; null: any.
 * @throws DeskError `policy.folderNotAllowed` where none of them exists
 */
export async function findExportFolders(
  { exportFolders }: Policy,
  purpose: SavePurpose,
): Promise<readonly string[] | null> {
  if (exportFolders === undefined || purpose === 'publicKey' || purpose === 'keyBackup') return null;
  const resolved = await Promise.all(exportFolders.map((folder) => realpath(folder).catch(() => null)));
  const existing = resolved.filter((folder) => folder !== null);
  if (existing.length === 0) throw new DeskError('policy.folderNotAllowed');
  return existing;
}

/** @throws DeskError `policy.folderNotAllowed` where a file is in none of these folders, nor below one */
export async function requireInside(folders: readonly string[], path: string): Promise<void> {
  // A folder that does not exist can't be written to either; the export reports it.
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const isInside = folders.some((allowed) => {
    const below = relative(allowed, folder);
    return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  });
  if (!isInside) throw new DeskError('policy.folderNotAllowed');
}
