import { randomBytes } from 'node:crypto';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { chooseBackupsToDrop } from '../file/backup.ts';
import { type Database, openDatabase, readSnapshot } from '../file/database.ts';
import { addedBytes } from '../file/sealed-parts.ts';
import { removeDatabase } from '../file/side-files.ts';
import { listCopiedDocuments } from '../user-data/copy-own.ts';
import { createSealedFiles } from '../user-data/documents.ts';
import { forgetReviews } from '../user-data/forget-reviews.ts';
import {
  type BackupFolder,
  keyFileOf,
  type Manifest,
  openBackupFolder,
  type Part,
  partsOf,
  type Removals,
} from './backup-folder.ts';
import { readRows, writeRows } from './copy-rows.ts';

/** The user data file, and the folder of its backups. `key`, `backupKey`: 32 bytes each. */
export interface BackedUp {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly dir: string;
  readonly backupKey: Uint8Array;
}

export interface BackupRequest {
  readonly at: string;
  readonly app: string;
  readonly files: Manifest['files'];
  readonly auditKey: string | null;
  /** The text of the file with the backups' key. */
  readonly keyFile: string;
  /** How many days keep their newest backup. */
  readonly kept: number;
  /** Whether the folder may be made: nothing was backed up there yet. */
  readonly isNew: boolean;
  /** Also reads every part that is there already. */
  readonly isFull: boolean;
  readonly removals: Removals;
}

/** `bytes`: of all parts of this backup; `written`: of those that were not there. `missing`: documents that can't be read here. */
export interface BackupReport {
  readonly at: string;
  readonly bytes: number;
  readonly written: number;
  readonly missing: number;
}

const nameOf = (at: string): string =>
  `backup-${at.replace(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.sealed`;

/**
 * Writes one backup: each part that is not there yet, each read back, and the manifest last; then removes backups beyond
 * the rule with the parts that only they had. A kill in between leaves the earlier backups as they were.
 *
 * @throws DeskError `backup.*`, `store.*`
 */
export function writeBackup(of: BackedUp, request: BackupRequest): BackupReport {
  const folder = openBackupFolder(of.dir, of.backupKey);
  folder.begin(request.isNew);
  folder.writeText(keyFileOf(of.dir), request.keyFile);
  if (request.removals.length > 0) applyRemovals(of, folder, request.removals);
  let written = 0;
  const put = (bytes: Uint8Array): Part => {
    const done = folder.putPart(bytes, request.isFull);
    written += done.written;
    return done.part;
  };
  const database = openDatabase(of.filePath, of.key, { isReadOnly: true });
  let missing = 0;
  let manifest: Manifest;
  try {
    manifest = readSnapshot(database, () => {
      const rows = writeRows(database, put);
      const { readDocument } = createSealedFiles(of.filePath, of.key, () => undefined, true);
      const documents = listCopiedDocuments(database)
        // A part that is there is not read again.
        .flatMap((document): Manifest['documents'] => {
          const { sha256, bytes } = document;
          const there: Part = [folder.partOf(sha256), bytes + addedBytes];
          if (folder.isWhole(there, request.isFull)) return [{ sha256, part: there }];
          const read = readDocument(document);
          if (read instanceof Uint8Array) return [{ sha256, part: put(read) }];
          missing += 1;
          return [];
        });
      const { at, app, files, auditKey } = request;
      return { version: 1, at, app, ...rows, documents, files, auditKey };
    });
  } finally {
    database.close();
  }
  folder.writeManifest(nameOf(request.at), manifest);
  prune(folder, request.kept);
  return { at: request.at, bytes: sumBytes([manifest]), written, missing };
}

const sumBytes = (manifests: readonly Manifest[]): number =>
  [...new Map(manifests.flatMap(partsOf)).values()].reduce((sum, bytes) => sum + bytes, 0);

/** Removes backups beyond the rule, and what only they had; nothing is removed where one of the others can't be read. */
function prune(folder: BackupFolder, kept: number): void {
  const backups = folder.list();
  const dropped = new Set(
    chooseBackupsToDrop(backups, { daily: kept, weekly: 0, maxBytes: Number.POSITIVE_INFINITY }),
  );
  for (const name of dropped) folder.removeManifest(name);
  const manifests = backups.filter(({ name }) => !dropped.has(name)).map(({ name }) => readIf(folder, name));
  if (manifests.every((manifest) => manifest !== null)) folder.removeUnused(manifests);
}

/** Null: it is damaged, or a newer version's. */
function readIf(folder: BackupFolder, name: string): Manifest | null {
  try {
    return folder.readManifest(name);
  } catch (thrown) {
    const { code } = toDeskError(thrown);
    if (code.startsWith('backup.folder')) throw thrown;
    return null;
  }
}

/** Removes from a restored file what was removed after its backup was made. Returns whether there was any. */
export function forgetRemoved(
  database: Database,
  folder: Pick<BackupFolder, 'digestOf'>,
  removals: Removals,
  at: string,
): { isChanged: boolean; isRemoved: (what: string) => boolean } {
  const digests = new Set(
    removals.filter((removal) => removal.at >= at).flatMap((removal) => removal.digests),
  );
  const isRemoved = (what: string): boolean => digests.has(folder.digestOf(what));
  if (digests.size === 0) return { isChanged: false, isRemoved };
  const workspaces = database
    .prepare('SELECT workspace_id FROM views UNION SELECT text FROM review_texts')
    .pluck()
    .all() as string[];
  const removedWorkspaces = workspaces.filter((workspaceId) => isRemoved(`workspace ${workspaceId}`));
  const claims = database
    .prepare(
      `SELECT DISTINCT e.workspace_id, c.claim_id FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq`,
    )
    .raw()
    .all() as [workspaceId: string, claimId: number][];
  const removed = claims.filter(([workspaceId, claimId]) => isRemoved(`claim ${workspaceId} ${claimId}`));
  for (const workspaceId of removedWorkspaces) {
    forgetReviews(database, { workspaceId });
    for (const table of ['views', 'kept_rules'])
      database.prepare(`DELETE FROM ${table} WHERE workspace_id=?`).run(workspaceId);
  }
  for (const [workspaceId, ofOne] of Map.groupBy(removed, ([id]) => id))
    forgetReviews(database, { workspaceId, claimIds: ofOne.map(([, claimId]) => claimId) });
  return { isChanged: removedWorkspaces.length + removed.length > 0, isRemoved };
}

/** Removes from all backups in a folder what was removed since. @throws DeskError `backup.*` */
export function removeFromBackups(of: BackedUp, { removals }: { removals: Removals }): null {
  const folder = openBackupFolder(of.dir, of.backupKey);
  folder.begin(false);
  applyRemovals(of, folder, removals);
  return null;
}

/**
 * Writes every backup in the folder again without what was removed since, in the place of the old one. The list of what was
 * removed is written first, so that a restore applies it also where this ends in between.
 */
function applyRemovals(of: BackedUp, folder: BackupFolder, removals: Removals): void {
  folder.writeRemovals(removals);
  const path = `${of.filePath}.rewriting`;
  const newest = removals.at(-1)?.at ?? '';
  try {
    for (const { name, at } of folder.list()) {
      if (at > newest) continue;
      const before = readIf(folder, name);
      // What can't be read can't be restored either, and would keep what was removed.
      if (before === null) folder.removeManifest(name);
      else rewrite(of.key, path, folder, name, before, removals);
    }
  } finally {
    removeDatabase(path);
  }
  const manifests = folder.list().map(({ name }) => folder.readManifest(name));
  folder.removeUnused(manifests);
}

function rewrite(
  key: Uint8Array,
  path: string,
  folder: BackupFolder,
  name: string,
  before: Manifest,
  removals: Removals,
): void {
  try {
    const after = readRows({ path, key }, before, folder, (database): Manifest => {
      const { isRemoved } = forgetRemoved(database, folder, removals, before.at);
      const attached = new Set(listCopiedDocuments(database).map(({ sha256 }) => sha256));
      const documents = before.documents.filter(
        ({ sha256 }) => attached.has(sha256) && !isRemoved(`document ${sha256}`),
      );
      const rows = readSnapshot(database, () =>
        writeRows(database, (bytes) => folder.putPart(bytes, false).part),
      );
      return { ...before, ...rows, documents, files: withoutWorkspaces(before.files, isRemoved) };
    });
    folder.writeManifest(name, after);
  } catch (thrown) {
    if (toDeskError(thrown).code !== 'backup.damaged') throw thrown;
    folder.removeManifest(name);
  }
}

/** The texts of the profile's files without the workspaces that were removed. */
export function withoutWorkspaces(
  files: Manifest['files'],
  isRemoved: (what: string) => boolean,
): Manifest['files'] {
  const book = files['workspaces.json'];
  if (book === undefined) return files;
  const { workspaces, ...rest } = JSON.parse(book) as { workspaces: { id: string }[] };
  const kept = workspaces.filter(({ id }) => !isRemoved(`workspace ${id}`));
  return { ...files, 'workspaces.json': JSON.stringify({ ...rest, workspaces: kept }) };
}

export interface BackupsFound {
  readonly backups: readonly { readonly file: string; readonly at: string }[];
  /** The names of files that can't be read; of a part, with what is in it. */
  readonly damaged: readonly { readonly file: string; readonly of: string }[];
  /** The size of all of them together. */
  readonly bytes: number;
}

/**
 * Reads what is in the folder: every manifest and the sizes of the parts; `isFull`: every part.
 * @throws DeskError `backup.folder*`
 */
export function findBackups(
  { dir, backupKey }: Pick<BackedUp, 'dir' | 'backupKey'>,
  { isFull }: { isFull: boolean },
): BackupsFound {
  const folder = openBackupFolder(dir, backupKey);
  if (!folder.isThere()) throw new DeskError('backup.folderMissing');
  const found = folder.list().map(({ name, at }) => ({ name, at, manifest: readIf(folder, name) }));
  const manifests = found.flatMap(({ manifest }) => (manifest === null ? [] : [manifest]));
  const owners = new Map<string, string>();
  for (const { tables, documents } of manifests) {
    for (const { name, parts } of tables) for (const [part] of parts) owners.set(part, name);
    for (const { part } of documents) owners.set(part[0], 'document');
  }
  const parts = new Map(manifests.flatMap(partsOf));
  const damagedParts = [...parts].filter((part) => !folder.isWhole(part, isFull));
  return {
    backups: found.flatMap(({ name, at, manifest }) => (manifest === null ? [] : [{ file: name, at }])),
    damaged: [
      ...found.flatMap(({ name, manifest }) => (manifest === null ? [{ file: name, of: 'backup' }] : [])),
      ...damagedParts.map(([file]) => ({ file, of: owners.get(file) ?? '' })),
    ],
    bytes: sumBytes(manifests),
  };
}
