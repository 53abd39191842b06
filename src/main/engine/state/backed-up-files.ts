import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { ProfilePaths } from '../../lib/paths.ts';

type Files = Readonly<Record<string, string>>;

/** The texts of the profile's settings and workspaces, and how far the audit log was forwarded, without secrets. */
export async function backUpFiles({ settings, workspaces, auditForwarded }: ProfilePaths): Promise<Files> {
  const existing = [settings, workspaces, auditForwarded].filter((path) => existsSync(path));
  const texts = existing.map(async (path) => [basename(path), await readFile(path, 'utf8')]);
  return Object.fromEntries(await Promise.all(texts)) as Files;
}

/**
 * Writes the files of a backup into a new profile: without SSH keys, which are in no backup; as a new computer that
 * waits to be admitted to the team; and without a backup folder, which may be a different one here. Workspaces are
 * written last.
 */
export async function restoreFiles(
  { settings, workspaces, auditForwarded }: ProfilePaths,
  files: Files,
): Promise<void> {
  const cursor = files[basename(auditForwarded)];
  if (cursor !== undefined) await writeFileAtomic(auditForwarded, cursor);
  const { backupFolder: _folder, ...kept } = JSON.parse(files[basename(settings)] ?? '{}');
  await writeFileAtomic(settings, `${JSON.stringify(kept, null, 2)}\n`);
  const text = files[basename(workspaces)];
  if (text === undefined) return;
  const book = JSON.parse(text) as {
    activeId: string | null;
    workspaces: ({ id: string; team?: unknown } & Record<string, unknown>)[];
  };
  const all = book.workspaces.map(({ team, ...workspace }) => ({
    ...workspace,
    keyId: null,
    ...(team === undefined ? {} : { awaitsTeam: true }),
  }));
  const activeId = all.some(({ id }) => id === book.activeId) ? book.activeId : null;
  await writeFileAtomic(workspaces, `${JSON.stringify({ ...book, activeId, workspaces: all }, null, 2)}\n`);
}
