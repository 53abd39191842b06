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
import { z } from 'zod';
import {
  type FailedBackup,
  failedBackupSchema,
  type RepairReport,
  repairReportSchema,
  type StoreCheck,
  storeCheckSchema,
} from '../../../../contract/store.ts';

/** What lies beside an encrypted file. None of it holds a record in plain form. */
export function sideFilesOf(filePath: string) {
  const folder = dirname(filePath);
  return {
    log: `${filePath}-wal`,
    logIndex: `${filePath}-shm`,
    /** Tells a wrong key from a damaged file. */
    keyCheck: `${filePath}.check`,
    /** How far the file was when it was last written. */
    marks: `${filePath}.marks`,
    /** What checks and repairs came to. Apart from the marks: checks run in other processes, too. */
    findings: `${filePath}.findings`,
    /** The first page as it lies in the file, encrypted. */
    firstPage: `${filePath}.page1`,
    /** The second file's changes since its newest backup, sealed. */
    journal: `${filePath}.journal`,
    /** Whoever made it repairs the second file right now. */
    repairing: `${filePath}.repairing`,
    /** A file that is being made; it replaces the old one by a rename, or goes. */
    next: `${filePath}.next`,
    backupsDir: join(folder, 'backups'),
    keptAsideDir: join(folder, 'kept-aside'),
  };
}

const marksSchema = z.object({
  /** False after an orderly close: everything is in the file itself and there is no log. */
  isOpen: z.boolean(),
  /** How much of the log was in use when last looked at, with what tells it from the log before. */
  log: z.object({ salt: z.string(), frames: z.number().int() }).nullable(),
});
/** What version 0.1 called the two files in its findings. */
const oldFileNames: ReadonlyMap<unknown, string> = new Map([
  ['theirs', 'records'],
  ['ours', 'userData'],
]);
const storedRepairSchema = z.preprocess((report) => {
  const { file } = (report ?? {}) as { file?: unknown };
  return oldFileNames.has(file) ? { ...(report as object), file: oldFileNames.get(file) } : report;
}, repairReportSchema.nullable());

const findingsSchema = z.object({
  lastCheck: storeCheckSchema.nullable(),
  lastRepair: storedRepairSchema,
  failedBackup: failedBackupSchema.nullable().default(null),
});
export interface StoreMarks {
  isOpen: boolean;
  log: { salt: string; frames: number } | null;
  lastCheck: StoreCheck | null;
  lastRepair: RepairReport | null;
  failedBackup: FailedBackup | null;
}

/** Marks that are missing or unreadable are as none: they only ever add to what is known. */
export function readMarks(filePath: string): StoreMarks {
  const { marks, findings } = sideFilesOf(filePath);
  return {
    ...(readSideFile(marks, marksSchema) ?? { isOpen: false, log: null }),
    ...(readSideFile(findings, findingsSchema) ?? { lastCheck: null, lastRepair: null, failedBackup: null }),
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
  const { isOpen, log, lastCheck, lastRepair, failedBackup } = { ...readMarks(filePath), ...changes };
  const write = (path: string, value: object): void =>
    writeSideFile(path, `${JSON.stringify(value)}\n`, isDurable);
  if ('isOpen' in changes || 'log' in changes) write(marks, { isOpen, log });
  if ('lastCheck' in changes || 'lastRepair' in changes || 'failedBackup' in changes) {
    write(findings, { lastCheck, lastRepair, failedBackup });
  }
}

/** Writes a small file whole or not at all. */
export function writeSideFile(path: string, data: string | Uint8Array, isDurable = true): void {
  const temporary = `${path}.${process.pid}.tmp`;
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

/** The first bytes of a file; fewer where it is shorter, none where there is none. */
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

/** Files of one database in a folder for backups or for what was kept aside, newest first. */
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

/** `records-20260301T120000123Z`: a name for a copy of a file made at a moment. */
export function nameCopy(filePath: string, at: string, label = ''): string {
  const stem = basename(filePath).replace(/\.db$/, '');
  return `${stem}-${label}${at.replace(/[-:.]/g, '')}`;
}

/** When a copy was made, by its name: a folder that was copied has new times of its own. */
export function timeInName(name: string): string | null {
  const match = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(name);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, millisecond] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`;
}

/** Removes an encrypted file that is of no more use, with whatever SQLite laid beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}

export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
