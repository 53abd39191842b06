import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { z } from 'zod';
import {
  type DocumentsCheck,
  documentsCheckSchema,
  type FailedBackup,
  failedBackupSchema,
  type RepairReport,
  repairReportSchema,
  type StoreCheck,
  storeCheckSchema,
} from '../../../../contract/store.ts';

/** The other files of an encrypted file. None of them contains a record in plain text. */
export function sideFilesOf(filePath: string) {
  const folder = dirname(filePath);
  return {
    log: `${filePath}-wal`,
    logIndex: `${filePath}-shm`,
    /** Data that distinguishes a wrong key from a damaged file. */
    keyCheck: `${filePath}.check`,
    /** The state of the file when it was last written. */
    marks: `${filePath}.marks`,
    /** Results of checks and repairs. Separate from the marks, since checks run in other processes as well. */
    findings: `${filePath}.findings`,
    /** An encrypted copy of the first page. */
    firstPage: `${filePath}.page1`,
    /** Changes to the user data file since its newest backup, sealed. */
    journal: `${filePath}.journal`,
    /** Exists while a process repairs the user data file. */
    repairing: `${filePath}.repairing`,
    /** A new file in preparation; it replaces the old one by a rename, or is removed. */
    next: `${filePath}.next`,
    /** Attached documents, each sealed. */
    documentsDir: join(folder, 'documents'),
    /** The second copy of each of them. */
    documentCopiesDir: join(folder, 'backups', 'documents'),
    backupsDir: join(folder, 'backups'),
    keptAsideDir: join(folder, 'kept-aside'),
  };
}

const marksSchema = z.object({
  /** False after a regular close: all data is in the file itself and there is no log. */
  isOpen: z.boolean(),
  /** How much of the log was in use at the last write, and its salt, which distinguishes it from an older log. */
  log: z.object({ salt: z.string(), frames: z.number().int() }).nullable(),
});
const findingsSchema = z.object({
  lastCheck: storeCheckSchema.nullable(),
  lastRepair: repairReportSchema.nullable(),
  failedBackup: failedBackupSchema.nullable().default(null),
  documents: documentsCheckSchema.nullable().default(null),
});
export interface StoreMarks {
  isOpen: boolean;
  log: { salt: string; frames: number } | null;
  lastCheck: StoreCheck | null;
  lastRepair: RepairReport | null;
  failedBackup: FailedBackup | null;
  documents: DocumentsCheck | null;
}

const noFindings = { lastCheck: null, lastRepair: null, failedBackup: null, documents: null };

/** Reads the marks. Missing or unreadable marks count as empty, because they only add information. */
export function readMarks(filePath: string): StoreMarks {
  const { marks, findings } = sideFilesOf(filePath);
  return {
    ...(readSideFile(marks, marksSchema) ?? { isOpen: false, log: null }),
    ...(readSideFile(findings, findingsSchema) ?? noFindings),
  };
}

function readSideFile<T>(path: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

export function writeMarks(filePath: string, changes: Partial<StoreMarks>, isDurable = true): void {
  const { marks, findings } = sideFilesOf(filePath);
  const { isOpen, log, ...stored } = { ...readMarks(filePath), ...changes };
  const write = (path: string, value: object): void =>
    writeSideFile(path, `${JSON.stringify(value)}\n`, isDurable);
  if ('isOpen' in changes || 'log' in changes) write(marks, { isOpen, log });
  if (Object.keys(noFindings).some((name) => name in changes)) write(findings, stored);
}

/** Writes a small file completely or not at all. */
export function writeSideFile(path: string, data: string | Uint8Array, isDurable = true): void {
  const temporary = `${path}.${process.pid}-${threadId}.tmp`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    if (isDurable) fsyncSync(descriptor);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}

/** The first bytes of a file; fewer where it is shorter, none where it is missing. */
export function readHead(path: string, length: number): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0);
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Copies of one database in a folder of backups or of files kept aside, newest first. */
export function listKept(folder: string, filePath: string): { name: string; bytes: number; at: string }[] {
  if (!existsSync(folder)) return [];
  const stem = basename(filePath).replace(/\.db$/, '');
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}-`) && !name.endsWith('.tmp'))
    .map((name) => {
      const { size, mtime } = statSync(join(folder, name));
      return { name, bytes: size, at: timeInName(name) ?? mtime.toISOString() };
    })
    .sort((a, b) => (a.at === b.at ? (a.name < b.name ? 1 : -1) : a.at < b.at ? 1 : -1));
}

/** `records-20260301T120000123Z`: the name of a copy made at this time. */
export function nameCopy(filePath: string, at: string, label = ''): string {
  const stem = basename(filePath).replace(/\.db$/, '');
  return `${stem}-${label}${at.replace(/[-:.]/g, '')}`;
}

/** Reads from its name when a copy was made: copying a folder changes the times of its files. */
export function timeInName(name: string): string | null {
  const match = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(name);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, millisecond] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`;
}

/** Removes an encrypted file that is no longer needed, with the files that SQLite made for it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}

export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
