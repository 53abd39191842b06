import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { removalSchema } from '../../../lib/backup-record.ts';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { addedBytes, createSealing } from '../file/sealed-parts.ts';
import { timeInName, writeSideFile } from '../file/side-files.ts';

/** The name of a part, and the length in bytes of its sealed file. */
const partSchema = z.tuple([z.string().regex(/^[0-9a-f]{64}$/), z.int().min(0)]);
export type ManifestPart = z.infer<typeof partSchema>;

export type ManifestRemoval = z.infer<typeof removalSchema>;

const manifestSchema = z.object({
  version: z.literal(1),
  /** Counts the backups and removals of a profile. Times can't order them, because clocks can go back. */
  number: z.int(),
  at: z.iso.datetime(),
  app: z.string(),
  /** The schema version of the user data file, so that every later version can restore the file and migrate it. */
  userVersion: z.int(),
  schema: z.array(z.object({ type: z.string(), name: z.string(), sql: z.string() })),
  tables: z.array(z.object({ name: z.string(), parts: z.array(partSchema) })),
  documents: z.array(z.object({ sha256: z.string(), part: partSchema })),
  /** Every removal until this was written; this backup contains nothing that they removed. */
  removals: z.array(z.object({ number: z.int(), part: partSchema })),
  /** The texts of files of the profile, by name. */
  files: z.record(z.string(), z.string()),
  /** The key of the audit log's chain, in base64; null: nothing was recorded yet. */
  auditKey: z.string().nullable(),
});
/** Lists the parts of one backup. It is written last. */
export type Manifest = z.infer<typeof manifestSchema>;

export const partsOf = ({ tables, documents, removals }: Manifest): ManifestPart[] => [
  ...tables.flatMap(({ parts }) => parts),
  ...documents.map(({ part }) => part),
  ...removals.map(({ part }) => part),
];

/** A backup in the folder; `manifest` is the error where it can't be read. */
export interface FoundBackup {
  readonly name: string;
  readonly at: string;
  readonly number: number;
  readonly manifest: Manifest | DeskError;
}
/** A newer version's backup is left as it is: only what is damaged may be removed. */
export const isDamaged = ({ manifest }: FoundBackup): boolean =>
  manifest instanceof DeskError && manifest.code === 'backup.damaged';
export const readable = (backups: readonly FoundBackup[]): (FoundBackup & { manifest: Manifest })[] =>
  backups.filter(
    (backup): backup is FoundBackup & { manifest: Manifest } => !(backup.manifest instanceof DeskError),
  );

/** The folder of one profile's backups in the folder that the user chose. */
export const backupsOf = (folder: string, profileId: string): string =>
  join(folder, `claimdesk-${profileId}`);
/** The file with the backups' key, sealed under the recovery code or the passphrase. */
export const keyFileOf = (dir: string): string => join(dir, 'key.json');

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const refused = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The error of an operation on the folder; it names the folder, not the profile. */
export function toFolderError(cause: unknown): DeskError {
  const { code } = cause as NodeJS.ErrnoException;
  if (cause instanceof DeskError || code === undefined) return toDeskError(cause);
  if (full.has(code)) return new DeskError('backup.folderFull', { cause });
  if (refused.has(code)) return new DeskError('backup.folderUnwritable', { cause });
  // An unplugged drive or an unreachable server reports one of many codes.
  return new DeskError('backup.folderMissing', { cause });
}

/** Runs an operation on the folder. @throws DeskError `backup.*` */
function inFolder<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw toFolderError(cause);
  }
}

/** Requires that the folder exists and is not in the profile. @throws DeskError `backup.folder*` */
export async function requireFolder(folder: string, profileDir: string): Promise<void> {
  try {
    if (!isAbsolute(folder) || !(await stat(folder)).isDirectory())
      throw new DeskError('backup.folderMissing');
    const inside = relative(await realpath(profileDir), await realpath(folder));
    if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
      throw new DeskError('backup.folderInside');
  } catch (thrown) {
    throw toFolderError(thrown);
  }
}

/** Lists files only: Claimdesk makes no folders or links there. */
const listFiles = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    : [];
const partName = /^[0-9a-f]{64}(\.\d+-\d+\.tmp)?$/;
const unfinishedName = /^(backup-[^.]*\.sealed|key\.json)\.\d+-\d+\.tmp$/;
const backupName = /^backup-(\d{8})-\d{8}T\d{9}Z-[0-9a-f]{8}\.sealed$/;
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Reads and writes the sealed files of backups: parts, and one manifest for each backup. A part is named by a keyed
 * hash of its content, so equal content is written once. `key`, 32 bytes, seals all of them. Every method throws
 * DeskError `backup.*`.
 */
export function openBackupFolder(dir: string, key: Uint8Array) {
  const { nameOf, seal, unseal } = createSealing(key, { parts: 'backups', names: 'backup names' });
  const partsDir = join(dir, 'parts');
  const read = (path: string, name: string): Buffer => {
    const sealed = inFolder(() => readFileSync(path));
    try {
      return unseal(sealed, name);
    } catch (cause) {
      throw new DeskError('backup.damaged', { details: { file: name }, cause });
    }
  };
  /** Writes a file completely or not at all, and reads it back. */
  const write = (path: string, name: string, bytes: Uint8Array): number => {
    const sealed = seal(bytes, name);
    inFolder(() => writeSideFile(path, sealed));
    if (!read(path, name).equals(bytes)) throw new DeskError('backup.damaged', { details: { file: name } });
    return sealed.length;
  };
  const sizeOf = (name: string): number | undefined =>
    inFolder(() => statSync(join(partsDir, name), { throwIfNoEntry: false })?.size);
  const readPart = ([name]: ManifestPart): Buffer => {
    if (sizeOf(name) === undefined) throw new DeskError('backup.damaged', { details: { file: name } });
    return read(join(partsDir, name), name);
  };
  const isWhole = (part: ManifestPart, isFull: boolean): boolean => {
    if (sizeOf(part[0]) !== part[1]) return false;
    if (!isFull) return true;
    try {
      readPart(part);
      return true;
    } catch (thrown) {
      if (toDeskError(thrown).code === 'backup.damaged') return false;
      throw thrown;
    }
  };
  const readManifest = (name: string): Manifest => {
    const value = JSON.parse(read(join(dir, name), name).toString('utf8')) as { version?: unknown };
    if (typeof value.version === 'number' && value.version > 1) throw new DeskError('store.newer');
    return manifestSchema.parse(value);
  };
  const readIf = (name: string): Manifest | DeskError => {
    try {
      return readManifest(name);
    } catch (thrown) {
      const error = toDeskError(thrown);
      if (error.code.startsWith('backup.folder')) throw error;
      return error.code === 'store.newer'
        ? error
        : new DeskError('backup.damaged', { details: { file: name }, cause: thrown });
    }
  };
  return {
    isThere: (): boolean => existsSync(dir),
    /**
     * Makes the profile's folder. With `mayMake` false it must exist: if it does not, its drive is not connected. Links
     * are refused, because they may lead to other files.
     */
    begin(mayMake: boolean): void {
      inFolder(() => {
        if (!existsSync(dir)) {
          if (!mayMake) throw new DeskError('backup.folderMissing');
          mkdirSync(dir, { mode: 0o700 });
        }
        mkdirSync(partsDir, { recursive: true, mode: 0o700 });
        for (const path of [dir, partsDir])
          if (!lstatSync(path).isDirectory()) throw new DeskError('backup.folderUnwritable');
      });
    },
    /** The digest by which a removal identifies what was removed. */
    digestOf: (what: string): string => nameOf(`removed ${what}`),
    partOf: (sha256: string): string => nameOf(sha256),
    isWhole,
    /**
     * Writes a part unless it exists; with `isFull`, an existing part is read to verify it. Returns the part and the
     * number of bytes written.
     */
    putPart(bytes: Uint8Array, isFull: boolean): { part: ManifestPart; written: number } {
      const name = nameOf(digestOf(bytes));
      const part: ManifestPart = [name, bytes.length + addedBytes];
      if (isWhole(part, isFull)) return { part, written: 0 };
      const written = write(join(partsDir, name), name, bytes);
      return { part: [name, written], written };
    },
    readPart,
    readRemoval: ({ part }: Manifest['removals'][number]): ManifestRemoval =>
      removalSchema.parse(JSON.parse(readPart(part).toString('utf8'))),
    /** Null: there is no such file. */
    readKeyFile: (): string | null =>
      inFolder(() => (existsSync(keyFileOf(dir)) ? readFileSync(keyFileOf(dir), 'utf8') : null)),
    /** Writes the file that opens the backups, and reads it back. */
    writeKeyFile(text: string): void {
      const path = keyFileOf(dir);
      const isThere = (): boolean => existsSync(path) && readFileSync(path, 'utf8') === text;
      inFolder(() => {
        if (isThere()) return;
        writeSideFile(path, text);
        if (!isThere()) throw new DeskError('backup.damaged', { details: { file: 'key.json' } });
      });
    },
    /** The backups, the newest first. */
    list: (): FoundBackup[] =>
      inFolder(() => listFiles(dir))
        .filter((name) => backupName.test(name))
        .sort()
        .reverse()
        .map((name) => {
          const number = Number(backupName.exec(name)?.[1]);
          return { name, at: timeInName(name) ?? '', number, manifest: readIf(name) };
        }),
    writeManifest(manifest: Manifest): string {
      const number = String(manifest.number).padStart(8, '0');
      const time = manifest.at.replace(/[-:.]/g, '');
      const name = `backup-${number}-${time}-${randomBytes(4).toString('hex')}.sealed`;
      write(join(dir, name), name, Buffer.from(JSON.stringify(manifest)));
      return name;
    },
    removeManifest: (name: string): void => inFolder(() => rmSync(join(dir, name), { force: true })),
    /** Removes the parts that none of these backups uses, and unfinished files that a killed process left. */
    removeUnused(manifests: readonly Manifest[]): void {
      const used = new Set(manifests.flatMap(partsOf).map(([name]) => name));
      const isUnused = (name: string): boolean => partName.test(name) && !used.has(name);
      inFolder(() => {
        for (const name of listFiles(partsDir).filter(isUnused))
          rmSync(join(partsDir, name), { force: true });
        for (const name of listFiles(dir).filter((fileName) => unfinishedName.test(fileName)))
          rmSync(join(dir, name), { force: true });
      });
    },
  };
}
export type BackupFolder = ReturnType<typeof openBackupFolder>;
