import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DeskError, toDeskError } from './errors.ts';

/** The facts of a path, or of the nearest folder above it that exists. */
async function findExisting(path: string): Promise<{ path: string; isFolder: boolean } | null> {
  for (let at = path; ; at = dirname(at)) {
    const facts = await stat(at).catch(() => null);
    if (facts !== null) return { path: at, isFolder: facts.isDirectory() };
    if (dirname(at) === at) return null;
  }
}

/**
 * Checks that a path can be that of a profile folder: it is one, or could be made.
 * @throws DeskError `profile.notFolder`, `details.path` is the file in its place
 */
export async function requireProfilePath(profileDir: string): Promise<void> {
  const existing = await findExisting(profileDir);
  if (existing?.isFolder === false)
    throw new DeskError('profile.notFolder', { details: { path: existing.path } });
}

/**
 * Makes a profile folder, for this user alone. Node's own codes do not name the cause: on a read-only disk its recursive
 * `mkdir` answers ENOENT, and below a file ENOTDIR.
 * @throws DeskError `profile.notFolder`, `disk.readOnly`, `profile.unwritable`, `disk.full`; `details.path` is the path
 */
export async function makeProfileFolder(profileDir: string): Promise<void> {
  await requireProfilePath(profileDir);
  try {
    await mkdir(profileDir, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    const existing = await findExisting(profileDir);
    const cause =
      existing === null
        ? thrown
        : await access(existing.path, constants.W_OK).then(
            () => thrown,
            (error: unknown) => error,
          );
    const { code } = toDeskError(cause);
    const reportedCode = code === 'internal.fault' ? 'profile.unwritable' : code;
    throw new DeskError(reportedCode, { details: { path: profileDir }, cause: thrown });
  }
}
