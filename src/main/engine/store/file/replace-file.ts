import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, nameCopy, sideFilesOf } from './side-files.ts';

/**
 * Puts a file in the place of another, which is kept aside with its log. At no moment is there neither: the
 * old one gets a second name first, and the log of the old one must be gone before the new one is there.
 * Returns the name of what was kept aside; without `at` nothing is.
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
      // A file system without hard links.
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
