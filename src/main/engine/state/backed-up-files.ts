import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { ProfilePaths } from '../../lib/paths.ts';

type Files = Readonly<Record<string, string>>;

/** The texts of the profile's settings and workspaces, which hold no secret. */
export async function backUpFiles({ settings, workspaces }: ProfilePaths): Promise<Files> {
  const texts = await Promise.all(
    [settings, workspaces].map(async (path) => [
      basename(path),
      await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '{}';
        throw error;
      }),
    ]),
  );
  return Object.fromEntries(texts) as Files;
}

/**
 * Writes the files of a backup into a new profile: without SSH keys, which are in no backup; in a team it is a new computer
 * that waits to be admitted; and without a backup folder, which may be another one here. Workspaces are written last.
 */
export async function restoreFiles({ settings, workspaces }: ProfilePaths, files: Files): Promise<void> {
  const { backupFolder: _folder, ...kept } = JSON.parse(files[basename(settings)] ?? '{}');
  await writeFileAtomic(settings, `${JSON.stringify(kept, null, 2)}\n`);
  const book = JSON.parse(files[basename(workspaces)] ?? '{}') as {
    activeId: string | null;
    workspaces?: ({ id: string; team?: unknown } & Record<string, unknown>)[];
  };
  if (book.workspaces === undefined) return;
  const all = book.workspaces.map(({ team, ...workspace }) => ({
    ...workspace,
    keyId: null,
    ...(team === undefined ? {} : { awaitsTeam: true }),
  }));
  const activeId = all.some(({ id }) => id === book.activeId) ? book.activeId : null;
  await writeFileAtomic(workspaces, `${JSON.stringify({ ...book, activeId, workspaces: all }, null, 2)}\n`);
}
