import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileIfAbsent } from '../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';

const identitySchema = z.object({ version: z.literal(1), id: z.string().regex(/^[0-9a-f]{16}$/) });

/**
 * Resolves to the random ID of a profile, made at the first call. It names the profile's keychain entries, so that two
 * profiles of one user never share or overwrite a secret. Two processes that make it at the same time get the same ID.
 *
 * @throws DeskError `profile.damaged` if the file cannot be read, or is missing while there are SSH keys:
 * their wrapping key is found by the old ID, so no new one is made
 */
export async function getProfileId(profileDir: string): Promise<string> {
  const path = profilePaths(profileDir).identity;
  try {
    const existing = await readIfThere(path);
    if (existing !== null) return parseIdentity(existing);
    if (await hasKeys(profileDir)) throw damaged();
    await mkdir(profileDir, { recursive: true, mode: 0o700 });
    const made = { version: 1, id: randomBytes(8).toString('hex') };
    await writeFileIfAbsent(path, `${JSON.stringify(made)}\n`);
    return parseIdentity(await readFile(path, 'utf8'));
  } catch (error) {
    throw toDeskError(error);
  }
}

const readIfThere = async (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

function parseIdentity(text: string): string {
  try {
    return identitySchema.parse(JSON.parse(text)).id;
  } catch (error) {
    throw damaged(error);
  }
}

const damaged = (cause?: unknown): DeskError =>
  new DeskError('profile.damaged', { details: { file: 'profile.json' }, cause });

async function hasKeys(profileDir: string): Promise<boolean> {
  const names = await readdir(profilePaths(profileDir).keysDir).catch(() => []);
  return names.some((name) => name.endsWith('.json'));
}
