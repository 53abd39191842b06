import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { Policy } from '../../contract/policy.ts';
import { type SavePurpose, standardOutput } from '../../contract/save-target.ts';
import { DeskError } from '../lib/errors.ts';
import { realAncestor } from '../lib/find-notices.ts';

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

/** @throws DeskError `policy.folderNotAllowed` where a file is in none of these folders, nor below one; null: any */
export async function requireInside(folders: readonly string[] | null, path: string): Promise<void> {
  // What is printed goes to the program that reads it, which the folders don't limit.
  if (folders === null || path === standardOutput) return;
  // Of a folder that doesn't exist yet, the deepest one that does decides: a link in its path may lead elsewhere.
  const folder = await realAncestor(dirname(path));
  const isInside = folders.some((allowed) => {
    const below = relative(allowed, folder);
    return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  });
  if (!isInside) throw new DeskError('policy.folderNotAllowed');
}
