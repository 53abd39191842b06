import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, nameCopy, sideFilesOf } from './side-files.ts';

/**
 * Replaces a file with another and keeps the old one with its log under another name. There is a file at this path at
 * any moment: the old one gets a second name first, and its log is removed before the new one is renamed to the path.
 * Returns the name of the old file; without `at` it is not kept.
 */
export function replaceFile(filePath: string, next: string, at: string | null): string | null {
  const { log, logIndex, keptAsideDir, marks, findings, firstPage } = sideFilesOf(filePath);
  let kept: string | null = null;
  if (at !== null && existsSync(filePath)) {
    kept = `${nameCopy(filePath, at)}.db`;
    const aside = join(makeFolder(keptAsideDir), kept);
    try {
      linkSync(filePath, aside);
    } catch {
      // File systems without hard links need a copy.
      copyFileSync(filePath, aside);
    }
    if (existsSync(log)) renameSync(log, `${aside}-wal`);
  }
  rmSync(log, { force: true });
  rmSync(logIndex, { force: true });
  for (const stale of [marks, findings, firstPage]) rmSync(stale, { force: true });
  renameSync(next, filePath);
  return kept;
}
