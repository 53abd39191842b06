import { closeSync, copyFileSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RepairReport, RepairStep, StoreFile, StoreProgress } from '../../../../contract/store.ts';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { backUpBeforeMigration, sweepBackups } from './backup.ts';
import { checkFile, isSound } from './check-database.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { checkStoreKey, writeKeyCheck } from './key-check.ts';
import { migrate } from './migrate.ts';
import {
  makeFolder,
  nameCopy,
  readHead,
  readMarks,
  removeDatabase,
  type StoreMarks,
  sideFilesOf,
  writeMarks,
  writeSideFile,
} from './side-files.ts';
import {
  countLostFrames,
  countUsedFrames,
  emptyLog,
  readLogHeads,
  readLogSalt,
  readLogUse,
} from './wal-state.ts';

/** A file open for writing, with its side files kept up to date. */
export interface OpenFile {
  readonly database: Database;
  /** Call this after writes; it writes the marks at most once a second. */
  updateMarks(): void;
  close(): void;
}

export interface OpenFileOptions {
  readonly onTrouble?: ((thrown: unknown) => void) | undefined;
  /** Reports the progress of the backup before a migration, and of the migration. */
  readonly onProgress?: ((progress: StoreProgress) => void) | undefined;
  readonly addFunctions?: DatabaseOptions['addFunctions'];
  readonly pageBytes?: DatabaseOptions['pageBytes'];
}

/** The largest page size of SQLite. */
const maxPageBytes = 65_536;
/** Cipher salt and page layout. They are not encrypted, no checksum covers them, and they never change. */
const plainHeadBytes = 24;
const marksGapMs = 1_000;
const dayMs = 86_400_000;
/** Longer than any backup of the user data file takes. */
const unfinishedMs = 600_000;

/** Whether a check is missing or was made more than a day ago. */
export const isOlderThanDay = (at: string | undefined): boolean =>
  at === undefined || Date.now() - Date.parse(at) > dayMs;

/**
 * Opens a file for writing: restores its first page from the stored copy where nothing else is broken, reports lost
 * writes, and backs up and migrates an older file. Repairs are recorded in the marks. `onTrouble` receives errors of
 * side files; the next write writes them again.
 * @throws DeskError `store.wrongKey`, `store.damaged`, `store.newer`, `store.unreadable`, `disk.full`, `disk.readOnly`
 */
export function openFile(
  filePath: string,
  key: Uint8Array,
  file: StoreFile,
  options: OpenFileOptions = {},
): OpenFile {
  const marks = readMarks(filePath);
  if (file === 'userData' && marks.lastCheck?.isSound === false) throw new DeskError('store.damaged');
  const isHeadRestored = restoreHead(filePath);
  const heads = readLogHeads(filePath);
  const { database, isPageRestored } = openRestoring(filePath, key, options);
  try {
    const lostFrames = countLostFrames({
      marked: marks.log,
      wasOpen: marks.isOpen,
      heads,
      saltNow: readLogSalt(filePath),
      used: countUsedFrames(database),
    });
    if (file === 'userData' && lostFrames !== 0) {
      // Backup and journal still contain what the log lost. Closing empties the log, so the loss is recorded in the
      // marks first.
      const at = new Date().toISOString();
      keepLog(filePath, at);
      const lastCheck = { at, isFull: false, isSound: false, problems: lostFrames ?? 1, seconds: 0 };
      writeMarks(filePath, { lastCheck });
      throw new DeskError('store.damaged');
    }
    const steps = [isHeadRestored, isPageRestored].filter(Boolean).map(() => 'firstPage' as const);
    const lastRepair = reportOpening(filePath, file, steps, lostFrames);
    const lastCheck = isCheckDue(marks, file) ? checkFile(database, false) : null;
    if (lastCheck?.isSound === false) {
      writeMarks(filePath, { lastCheck });
      throw new DeskError('store.damaged');
    }
    sweep(filePath, file);
    const { onProgress, onTrouble = () => undefined } = options;
    migrate(database, file, {
      backUp: (version) => backUpBeforeMigration(database, filePath, key, version, onProgress),
      onProgress,
    });
    if (file === 'userData') giveBackFreePages(database, onTrouble);
    if (checkStoreKey(filePath, key) === 'unknown') writeKeyCheck(filePath, key);
    writeMarks(filePath, {
      isOpen: true,
      log: readLogUse(filePath, database),
      ...(lastRepair === null ? {} : { lastRepair }),
      ...(lastCheck === null ? {} : { lastCheck }),
    });
    return keepOpen(filePath, database, onTrouble);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/**
 * Opens a file, using the stored copy of its first page where only that page is broken.
 * @throws DeskError as openFile()
 */
function openRestoring(
  filePath: string,
  key: Uint8Array,
  options: OpenFileOptions,
): { database: Database; isPageRestored: boolean } {
  try {
    return { database: openDatabase(filePath, key, options), isPageRestored: false };
  } catch (thrown) {
    if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
    return { database: openWithFirstPage(filePath, key, thrown, options), isPageRestored: true };
  }
}

/** Reports what opening repaired, and which of the latest writes were lost; null: nothing. */
function reportOpening(
  filePath: string,
  file: StoreFile,
  steps: readonly RepairStep[],
  lostFrames: number | null,
): RepairReport | null {
  const isLogLost = lostFrames !== 0;
  if (!isLogLost && steps.length === 0) return null;
  const at = new Date().toISOString();
  const taken = isLogLost ? [...steps, 'log' as const] : steps;
  return {
    at,
    file,
    outcome: 'repaired',
    steps: taken.map((step) => ({ step, outcome: 'done' })),
    lost: isLogLost ? [{ what: 'latestWrites', count: lostFrames }] : [],
    keptAside: isLogLost ? keepLog(filePath, at) : null,
    needsSync: isLogLost && file === 'records',
  };
}

/** Keeps the side files of an open file up to date. */
function keepOpen(filePath: string, database: Database, onTrouble: (thrown: unknown) => void): OpenFile {
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  let markedAtMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let firstPage = Buffer.alloc(0);
  /** Writes a side file. On a full disk this fails; the next write tries again. */
  const trying = (act: () => void): void => {
    try {
      act();
    } catch (thrown) {
      onTrouble(thrown);
    }
  };
  const updateNow = (): void => {
    markedAtMs = Date.now();
    trying(() => {
      writeMarks(filePath, { isOpen: true, log: readLogUse(filePath, database) }, false);
      firstPage = keepFirstPage(filePath, pageBytes, firstPage);
    });
  };
  updateNow();
  return {
    database,
    updateMarks() {
      if (timer !== null) return;
      const waitMs = markedAtMs + marksGapMs - Date.now();
      if (waitMs <= 0) return updateNow();
      timer = setTimeout(() => {
        timer = null;
        updateNow();
      }, waitMs);
      timer.unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      // If this fails, the file is left as after a killed process.
      trying(() => {
        if (emptyLog(filePath, database)) writeMarks(filePath, { isOpen: false, log: null });
      });
      database.close();
      trying(() => void keepFirstPage(filePath, pageBytes, firstPage));
    },
  };
}

/** Removes unfinished files. Records have one writer, so these are from a killed process. */
function sweep(filePath: string, file: StoreFile): void {
  sweepBackups(filePath, file === 'records' ? 0 : unfinishedMs);
  if (file === 'userData') return;
  removeDatabase(sideFilesOf(filePath).next);
}

/**
 * The user data file is small: it is checked when it is opened, once a day and after a process was killed. Records
 * are checked in the background.
 */
function isCheckDue(marks: StoreMarks, file: StoreFile): boolean {
  if (file !== 'userData') return false;
  return marks.isOpen || isOlderThanDay(marks.lastCheck?.at);
}

/** Shrinks the file if most of it is free: after a migration that compresses values, or a killed process. */
function giveBackFreePages(database: Database, onTrouble: (thrown: unknown) => void): void {
  const numberOf = (name: string): number => database.pragma(name, { simple: true }) as number;
  if (numberOf('freelist_count') * 2 < numberOf('page_count')) return;
  try {
    database.exec('VACUUM');
  } catch (thrown) {
    // Another process is writing, or the disk is full: free pages are reused, and the next start tries again.
    onTrouble(thrown);
  }
}

/** Copies the first page in its encrypted form. */
function keepFirstPage(filePath: string, pageBytes: number, knownPage: Buffer): Buffer<ArrayBuffer> {
  const page = Buffer.from(readHead(filePath, pageBytes));
  if (page.length === pageBytes && !page.equals(knownPage))
    writeSideFile(sideFilesOf(filePath).firstPage, page, false);
  return page;
}

/** Restores the unencrypted head of the file from the stored copy; true where it differed. */
function restoreHead(filePath: string): boolean {
  const kept = readHead(sideFilesOf(filePath).firstPage, plainHeadBytes);
  const head = readHead(filePath, plainHeadBytes);
  if (kept.length < plainHeadBytes || head.length < plainHeadBytes || head.equals(kept)) return false;
  overwriteHead(filePath, kept);
  return true;
}

/**
 * Replaces a broken first page by the stored copy, and keeps that only if the whole file is sound with it.
 * @throws DeskError `store.damaged` as before, with the file unchanged
 */
function openWithFirstPage(
  filePath: string,
  key: Uint8Array,
  damage: DeskError,
  options: DatabaseOptions,
): Database {
  const kept = readHead(sideFilesOf(filePath).firstPage, maxPageBytes);
  const broken = Buffer.from(readHead(filePath, kept.length));
  if (kept.length === 0 || broken.length < kept.length || kept.equals(broken)) throw damage;
  overwriteHead(filePath, kept);
  let database: Database | null = null;
  try {
    database = openDatabase(filePath, key, options);
    if (isSound(database)) return database;
  } catch (thrown) {
    if (toDeskError(thrown).code !== 'store.damaged') throw thrown;
  }
  database?.close();
  overwriteHead(filePath, broken);
  throw damage;
}

function overwriteHead(filePath: string, bytes: Uint8Array): void {
  const descriptor = openSync(filePath, 'r+');
  try {
    writeSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Copies the log before it is overwritten. */
function keepLog(filePath: string, at: string): string | null {
  const { log, keptAsideDir } = sideFilesOf(filePath);
  if (!existsSync(log)) return null;
  const name = `${nameCopy(filePath, at)}.db-wal`;
  const target = join(makeFolder(keptAsideDir), name);
  try {
    copyFileSync(log, target);
  } catch (thrown) {
    rmSync(target, { force: true });
    throw thrown;
  }
  return name;
}
