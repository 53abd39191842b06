import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { DeskError } from '../../../lib/errors.ts';
import { replaceFile } from '../file/replace-file.ts';
import { removeDatabase, sideFilesOf } from '../file/side-files.ts';
import { listCopiedDocuments } from '../user-data/copy-own.ts';
import { restoreDocument } from '../user-data/documents.ts';
import { type FoundBackup, type Manifest, type ManifestRemoval, openBackupFolder } from './backup-folder.ts';
import { readRows } from './backup-rows.ts';
import {
  type BackedUp,
  forgetRemoved,
  highestOf,
  readRemoved,
  removalsOf,
  withoutWorkspaces,
} from './write-backup.ts';

export interface Restored extends Pick<Manifest, 'at' | 'files' | 'auditKey'> {
  /** The highest number of a backup or removal in the folder. */
  readonly number: number;
  /** All removals that any backup in the folder lists. */
  readonly removals: readonly ManifestRemoval[];
  readonly events: number;
  readonly documents: number;
  readonly auditEntries: number;
}

interface Choice {
  /** The newest backup that is not later; null: the newest one. */
  readonly before: string | null;
}
const choose = (backups: readonly FoundBackup[], { before }: Choice): FoundBackup | undefined =>
  backups.find(({ at }) => before === null || at <= before);

/** When the backup that would be restored was made; null: there is none. @throws DeskError `backup.folder*` */
export const findRestorable = (of: Pick<BackedUp, 'dir' | 'backupKey'>, choice: Choice): string | null =>
  choose(openBackupFolder(of.dir, of.backupKey).list(), choice)?.at ?? null;

/**
 * Restores the user data file and its documents from a backup, into a profile that has none. What was removed after the
 * backup is left out. The file gets its name last.
 * @throws DeskError `backup.none`, `backup.damaged` with the `file`, `backup.folder*`, `store.newer`, `disk.*`
 */
export function restoreBackup({ filePath, key, dir, backupKey }: BackedUp, choice: Choice): Restored {
  const folder = openBackupFolder(dir, backupKey);
  const backups = folder.list();
  const manifest = choose(backups, choice)?.manifest;
  if (manifest === undefined) throw new DeskError('backup.none');
  if (manifest instanceof DeskError) throw manifest;
  const removals = removalsOf(backups);
  const removed = readRemoved(folder, removals, manifest);
  const { next, journal } = sideFilesOf(filePath);
  let files = manifest.files;
  const counts = readRows({ path: next, key }, manifest, folder, (database) => {
    const isRemoved = forgetRemoved(database, folder, removed);
    files = withoutWorkspaces(files, isRemoved);
    const attached = new Set(listCopiedDocuments(database).map(({ sha256 }) => sha256));
    const documents = manifest.documents.filter(
      ({ sha256 }) => attached.has(sha256) && !isRemoved(`document ${sha256}`),
    );
    for (const { sha256, part } of documents) {
      const bytes = folder.readPart(part);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        throw new DeskError('backup.damaged', { details: { file: part[0] } });
      restoreDocument(filePath, key, bytes, sha256);
    }
    const countOf = (table: string): number =>
      database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    return {
      events: countOf('stored_events'),
      documents: documents.length,
      auditEntries: countOf('audit'),
    };
  });
  // A restore that was killed may have left these files.
  removeDatabase(filePath);
  rmSync(journal, { force: true });
  replaceFile(filePath, next, null);
  removeDatabase(next);
  return {
    ...counts,
    at: manifest.at,
    files,
    auditKey: manifest.auditKey,
    number: highestOf(backups),
    removals: removals.map(folder.readRemoval),
  };
}
