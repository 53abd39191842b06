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
  type FoundBackup,
  isDamaged,
  type Manifest,
  type ManifestPart,
  type ManifestRemoval,
  openBackupFolder,
  partsOf,
  readable,
} from './backup-folder.ts';
import { readRows, writeRows } from './backup-rows.ts';

/** The user data file, and the folder of its backups. `key`, `backupKey`: 32 bytes each. */
export interface BackedUp {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly dir: string;
  readonly backupKey: Uint8Array;
}

export interface BackupRequest {
  /** Higher than any number in the folder; removals that are not in the folder yet get higher numbers. */
  readonly number: number;
  readonly at: string;
  readonly app: string;
  readonly files: Manifest['files'];
  readonly auditKey: string | null;
  /** The text of the file that contains the backups' key. */
  readonly keyFile: string;
  /** For how many days the newest backup of the day is kept. */
  readonly kept: number;
  /** Also reads every part that exists already. */
  readonly isFull: boolean;
  readonly removals: readonly ManifestRemoval[];
}

/** `bytes`: of all parts of this backup; `written`: of new ones. `missing`: documents that can't be read here. */
export interface BackupReport {
  readonly at: string;
  readonly bytes: number;
  readonly written: number;
  readonly missing: number;
}

/** Makes the folder where that is allowed, and returns the highest number of a backup or removal in it. */
export function beginBackups(of: Pick<BackedUp, 'dir' | 'backupKey'>, mayMake: boolean): number {
  const folder = openBackupFolder(of.dir, of.backupKey);
  folder.begin(mayMake);
  return highestOf(folder.list());
}

export const highestOf = (backups: readonly FoundBackup[]): number =>
  Math.max(0, ...backups.map(({ number }) => number), ...removalsOf(backups).map(({ number }) => number));

/**
 * Writes one backup: first each part that does not exist yet, which is read back, then the manifest. Then removes older
 * backups (`kept`) with the parts that only they used. If the process is killed in between, the earlier backups are
 * unchanged.
 * @throws DeskError `backup.*`, `store.*`
 */
export function writeBackup(of: BackedUp, request: BackupRequest): BackupReport {
  const folder = openBackupFolder(of.dir, of.backupKey);
  folder.begin(false);
  try {
    return write(of, folder, request);
  } catch (thrown) {
    if (toDeskError(thrown).code !== 'backup.folderFull') throw thrown;
    // Fewer backups may be kept now than before, and a failed attempt leaves parts that no backup uses.
    prune(folder, request.kept);
    return write(of, folder, request);
  }
}

function write(of: BackedUp, folder: BackupFolder, request: BackupRequest): BackupReport {
  folder.writeKeyFile(request.keyFile);
  const removals = applyRemovals(of, folder, request.removals);
  let written = 0;
  const put = (bytes: Uint8Array): ManifestPart => {
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
        // A part that exists is not read again.
        .flatMap((document): Manifest['documents'] => {
          const { sha256, bytes } = document;
          const stored: ManifestPart = [folder.partOf(sha256), bytes + addedBytes];
          if (folder.isWhole(stored, request.isFull)) return [{ sha256, part: stored }];
          const read = readDocument(document);
          if (read instanceof Uint8Array) return [{ sha256, part: put(read) }];
          missing += 1;
          return [];
        });
      const { number, at, app, files, auditKey } = request;
      return { version: 1, number, at, app, ...rows, documents, removals, files, auditKey };
    });
  } finally {
    database.close();
  }
  const name = folder.writeManifest(manifest);
  // A copy of this profile on another computer may have removed parts that no backup used yet.
  const lost = partsOf(manifest).find((part) => !folder.isWhole(part, false));
  if (lost !== undefined) {
    folder.removeManifest(name);
    throw new DeskError('backup.damaged', { details: { file: lost[0] } });
  }
  prune(folder, request.kept);
  return { at: request.at, bytes: sumBytes([manifest]), written, missing };
}

const sumBytes = (manifests: readonly Manifest[]): number =>
  [...new Map(manifests.flatMap(partsOf)).values()].reduce((sum, bytes) => sum + bytes, 0);

/** Removes older backups and the parts that only they used; no parts where one of the other backups can't be read. */
function prune(folder: BackupFolder, kept: number): void {
  const backups = folder.list();
  const sized = readable(backups).map(({ name, at }) => ({ name, at, bytes: 0 }));
  const dropped = new Set(
    chooseBackupsToDrop(sized, { daily: kept, weekly: 0, maxBytes: Number.POSITIVE_INFINITY }),
  );
  const oldest = readable(backups).findLast(({ name }) => !dropped.has(name))?.number ?? 0;
  for (const backup of backups) if (isDamaged(backup) && backup.number < oldest) dropped.add(backup.name);
  for (const name of dropped) folder.removeManifest(name);
  removeUnused(
    folder,
    backups.filter(({ name }) => !dropped.has(name)),
  );
}

function removeUnused(folder: BackupFolder, backups: readonly FoundBackup[]): void {
  const all = readable(backups);
  if (all.length === backups.length) folder.removeUnused(all.map(({ manifest }) => manifest));
}

type KnownRemoval = Manifest['removals'][number];

/** All removals that any backup in the folder lists, each once. */
export const removalsOf = (backups: readonly FoundBackup[]): KnownRemoval[] => [
  ...new Map(
    readable(backups)
      .flatMap(({ manifest }) => manifest.removals)
      .map((removal) => [removal.part[0], removal] as const),
  ).values(),
];

/** The digests of the removals after a backup. @throws DeskError `backup.damaged` where one is missing */
export const readRemoved = (
  folder: Pick<BackupFolder, 'readRemoval'>,
  removals: readonly KnownRemoval[],
  { number }: Pick<Manifest, 'number'>,
): Set<string> =>
  new Set(
    removals
      .filter((removal) => removal.number > number)
      .flatMap((removal) => folder.readRemoval(removal).digests),
  );

/**
 * Removes from a restored file what was removed after its backup was made. Returns a function that says whether
 * something was removed.
 */
export function forgetRemoved(
  database: Database,
  { digestOf }: Pick<BackupFolder, 'digestOf'>,
  digests: ReadonlySet<string>,
): (what: string) => boolean {
  const isRemoved = (what: string): boolean => digests.has(digestOf(what));
  if (digests.size === 0) return isRemoved;
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
  return isRemoved;
}

/**
 * Writes the file that opens the backups in a folder, and removes from all of them what was removed since.
 * @throws DeskError `backup.*`
 */
export function renewBackups(
  of: BackedUp,
  { keyFile, removals }: { keyFile: string | null } & Pick<BackupRequest, 'removals'>,
): null {
  const folder = openBackupFolder(of.dir, of.backupKey);
  folder.begin(false);
  if (keyFile !== null) folder.writeKeyFile(keyFile);
  applyRemovals(of, folder, removals);
  return null;
}

/**
 * Rewrites every backup in the folder that still contains something removed since, under a new name. Returns the list
 * of removals by all profiles that write here. The backups list them, so that a backup from an old copy of the folder
 * is rewritten as well.
 */
function applyRemovals(of: BackedUp, folder: BackupFolder, made: readonly ManifestRemoval[]): KnownRemoval[] {
  const backups = folder.list();
  const stated = new Map(removalsOf(backups).map((removal) => [removal.part[0], removal]));
  for (const removal of made) {
    const { part } = folder.putPart(Buffer.from(JSON.stringify(removal)), false);
    stated.set(part[0], { number: removal.number, part });
  }
  const removals = [...stated.values()];
  const path = `${of.filePath}.rewriting`;
  let isChanged = false;
  try {
    for (const backup of backups) {
      const { name, number, manifest } = backup;
      const done = new Set(
        manifest instanceof DeskError ? [] : manifest.removals.map(({ part: [id] }) => id),
      );
      if (!removals.some((removal) => removal.number > number && !done.has(removal.part[0]))) continue;
      if (!(manifest instanceof DeskError)) rewrite(of.key, path, folder, name, manifest, removals);
      // A damaged backup can't be restored anyway, and would keep what was removed.
      else if (isDamaged(backup)) folder.removeManifest(name);
      isChanged = true;
    }
  } finally {
    removeDatabase(path);
  }
  if (isChanged) removeUnused(folder, folder.list());
  return removals;
}

function rewrite(
  key: Uint8Array,
  path: string,
  folder: BackupFolder,
  name: string,
  before: Manifest,
  removals: readonly KnownRemoval[],
): void {
  try {
    const after = readRows({ path, key }, before, folder, (database): Manifest => {
      const isRemoved = forgetRemoved(database, folder, readRemoved(folder, removals, before));
      const attached = new Set(listCopiedDocuments(database).map(({ sha256 }) => sha256));
      const documents = before.documents.filter(
        ({ sha256 }) => attached.has(sha256) && !isRemoved(`document ${sha256}`),
      );
      const rows = readSnapshot(database, () =>
        writeRows(database, (bytes) => folder.putPart(bytes, false).part),
      );
      const files = withoutWorkspaces(before.files, isRemoved);
      return { ...before, ...rows, documents, removals: [...removals], files };
    });
    folder.writeManifest(after);
  } catch (thrown) {
    if (toDeskError(thrown).code !== 'backup.damaged') throw thrown;
  }
  folder.removeManifest(name);
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
  /** The names of files that can't be read; for a part, also what it contains. */
  readonly damaged: readonly { readonly file: string; readonly of: string }[];
  /** The text of the file that opens them. */
  readonly keyFile: string | null;
  /** The size of all of them together. */
  readonly bytes: number;
}

/**
 * Reads the folder: every manifest and the sizes of the parts; with `isFull`, also every part.
 * @throws DeskError `backup.folder*`
 */
export function findBackups(
  { dir, backupKey }: Pick<BackedUp, 'dir' | 'backupKey'>,
  { isFull }: { isFull: boolean },
): BackupsFound {
  const folder = openBackupFolder(dir, backupKey);
  if (!folder.isThere()) throw new DeskError('backup.folderMissing');
  const backups = folder.list();
  const manifests = readable(backups).map(({ manifest }) => manifest);
  const owners = new Map<string, string>();
  for (const { tables, documents, removals } of manifests) {
    for (const { name, parts } of tables) for (const [part] of parts) owners.set(part, name);
    for (const { part } of documents) owners.set(part[0], 'document');
    for (const { part } of removals) owners.set(part[0], 'removals');
  }
  const parts = new Map(manifests.flatMap(partsOf));
  const damagedParts = [...parts].filter((part) => !folder.isWhole(part, isFull));
  return {
    backups: backups.filter((backup) => !isDamaged(backup)).map(({ name, at }) => ({ file: name, at })),
    damaged: [
      ...backups.filter(isDamaged).map(({ name }) => ({ file: name, of: 'backup' })),
      ...damagedParts.map(([file]) => ({ file, of: owners.get(file) ?? '' })),
    ],
    keyFile: folder.readKeyFile(),
    bytes: sumBytes(manifests),
  };
}
