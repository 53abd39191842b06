import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { addedBytes, createSealing } from '../file/sealed-parts.ts';
import { timeInName, writeSideFile } from '../file/side-files.ts';

/** The name of a part, and its length in bytes as it is sealed. */
const partSchema = z.tuple([z.string().regex(/^[0-9a-f]{64}$/), z.int().min(0)]);
export type Part = z.infer<typeof partSchema>;

const manifestSchema = z.object({
  version: z.literal(1),
  at: z.iso.datetime(),
  app: z.string(),
  /** The form of the user data file, so that every later version can make it again and migrate it. */
  userVersion: z.int(),
  schema: z.array(z.object({ type: z.string(), name: z.string(), sql: z.string() })),
  tables: z.array(z.object({ name: z.string(), parts: z.array(partSchema) })),
  documents: z.array(z.object({ sha256: z.string(), part: partSchema })),
  /** The texts of files of the profile, by name. */
  files: z.record(z.string(), z.string()),
  /** The key of the audit log's chain, in base64; null: nothing was recorded yet. */
  auditKey: z.string().nullable(),
});
/** What one backup consists of. It is written last. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Removals since backups are made: keyed digests of what was removed, without any name. */
export const removalsSchema = z.array(z.object({ at: z.iso.datetime(), digests: z.array(z.string()) }));
export type Removals = z.infer<typeof removalsSchema>;

export const partsOf = ({ tables, documents }: Manifest): Part[] => [
  ...tables.flatMap(({ parts }) => parts),
  ...documents.map(({ part }) => part),
];

/** The folder of one profile's backups in the folder that the user chose. */
export const backupsOf = (folder: string, profileId: string): string =>
  join(folder, `claimdesk-${profileId}`);
/** The file with the backups' key, sealed under the recovery code or the passphrase. */
export const keyFileOf = (dir: string): string => join(dir, 'key.json');

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const refused = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Runs what uses the folder; its errors name the folder and not the profile. @throws DeskError `backup.*` */
export function inFolder<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof DeskError || code === undefined) throw toDeskError(cause);
    if (full.has(code)) throw new DeskError('backup.folderFull', { cause });
    if (refused.has(code)) throw new DeskError('backup.folderUnwritable', { cause });
    // A drive that was unplugged or a server that is away reports one of many codes.
    throw new DeskError('backup.folderMissing', { cause });
  }
}

const listNames = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir) : []);
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Reads and writes the sealed files of backups: parts, each under a keyed hash of its content and so written once, and one
 * manifest a backup. `key`, 32 bytes, seals all of them. All throw DeskError `backup.*`.
 */
export function openBackupFolder(dir: string, key: Uint8Array) {
  const { nameOf, seal, unseal } = createSealing(key, { parts: 'backups', names: 'backup names' });
  const partsDir = join(dir, 'parts');
  const removalsName = 'removed.sealed';
  const read = (path: string, name: string): Buffer => {
    const sealed = inFolder(() => readFileSync(path));
    try {
      return unseal(sealed, name);
    } catch (cause) {
      throw new DeskError('backup.damaged', { details: { file: name }, cause });
    }
  };
  /** Writes a file at once and reads it back. */
  const write = (path: string, name: string, bytes: Uint8Array): number => {
    const sealed = seal(bytes, name);
    inFolder(() => writeSideFile(path, sealed));
    if (!read(path, name).equals(bytes)) throw new DeskError('backup.damaged', { details: { file: name } });
    return sealed.length;
  };
  const sizeOf = (name: string): number | undefined =>
    inFolder(() => statSync(join(partsDir, name), { throwIfNoEntry: false })?.size);
  const readPart = ([name]: Part): Buffer => {
    if (sizeOf(name) === undefined) throw new DeskError('backup.damaged', { details: { file: name } });
    return read(join(partsDir, name), name);
  };
  const isWhole = (part: Part, isFull: boolean): boolean => {
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
  const parse = <T>(name: string, schema: z.ZodType<T>): T => {
    const text = read(join(dir, name), name).toString('utf8');
    const value = JSON.parse(text) as { version?: unknown };
    if (typeof value.version === 'number' && value.version > 1) throw new DeskError('store.newer');
    return schema.parse(value);
  };
  return {
    dir,
    isThere: (): boolean => existsSync(dir),
    /** Makes the folder of the profile; `mayMake` false: it was there before, so its drive is away. */
    begin(mayMake: boolean): void {
      inFolder(() => {
        if (!existsSync(dir)) {
          if (!mayMake) throw new DeskError('backup.folderMissing');
          mkdirSync(dir, { mode: 0o700 });
        }
        mkdirSync(partsDir, { recursive: true, mode: 0o700 });
      });
    },
    /** The digest by which a removal names something. */
    digestOf: (what: string): string => nameOf(`removed ${what}`),
    partOf: (sha256: string): string => nameOf(sha256),
    sizeOf,
    isWhole,
    readPart,
    /** Writes a part where it is not there yet; `isFull`: reads one that is there. Returns it, and the bytes that were written. */
    putPart(bytes: Uint8Array, isFull: boolean): { part: Part; written: number } {
      const name = nameOf(digestOf(bytes));
      const there: Part = [name, bytes.length + addedBytes];
      if (isWhole(there, isFull)) return { part: there, written: 0 };
      const written = write(join(partsDir, name), name, bytes);
      return { part: [name, written], written };
    },
    writeText(path: string, text: string): void {
      inFolder(() => {
        if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeSideFile(path, text);
      });
    },
    /** Names of backups with the time of each, newest first. */
    list: (): { name: string; at: string; bytes: number }[] =>
      inFolder(() => listNames(dir))
        .flatMap((name) => {
          const at = /^backup-.*\.sealed$/.test(name) ? timeInName(name) : null;
          return at === null ? [] : [{ name, at, bytes: 0 }];
        })
        .sort((a, b) => (a.at < b.at ? 1 : -1)),
    readManifest: (name: string): Manifest => parse(name, manifestSchema),
    writeManifest: (name: string, manifest: Manifest): void =>
      void write(join(dir, name), name, Buffer.from(JSON.stringify(manifest))),
    removeManifest: (name: string): void => inFolder(() => rmSync(join(dir, name), { force: true })),
    readRemovals: (): Removals =>
      existsSync(join(dir, removalsName)) ? parse(removalsName, removalsSchema) : [],
    writeRemovals: (removals: Removals): void =>
      void write(join(dir, removalsName), removalsName, Buffer.from(JSON.stringify(removals))),
    /** Removes the parts that none of these backups has, and unfinished files of a killed process. */
    removeUnused(manifests: readonly Manifest[]): void {
      const used = new Set(manifests.flatMap(partsOf).map(([name]) => name));
      inFolder(() => {
        for (const name of listNames(partsDir))
          if (!used.has(name)) rmSync(join(partsDir, name), { force: true });
        for (const name of listNames(dir))
          if (name.endsWith('.tmp')) rmSync(join(dir, name), { force: true });
      });
    },
  };
}
export type BackupFolder = ReturnType<typeof openBackupFolder>;
