import { closeSync, copyFileSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RepairReport, RepairStep, StoreFile } from '../../../../contract/store.ts';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { backUpBeforeMigration, sweepBackups } from './backup.ts';
import { checkFile, isSound } from './check.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import { judgeKey, writeKeyCheck } from './key-check.ts';
import { countUsedFrames, judgeLog, noteLog, readLogHeads, readLogSalt } from './log-state.ts';
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

/** A file open for writing, with what lies beside it kept in step. */
export interface OpenFile {
  readonly connection: Connection;
  /** Call after writes; does something at most once a second. */
  noteWritten(): void;
  close(): void;
}

const pageBytes = 4096;
/** Cipher salt and page layout: plain in the file, so nothing guards them; they never change. */
const plainHeadBytes = 24;
const noteGapMs = 1_000;
const dayMs = 86_400_000;
/** No backup of the second file takes as long as this. */
const unfinishedMs = 600_000;

/** Whether a check is missing or was made more than a day ago. */
export const isOlderThanDay = (at: string | undefined): boolean =>
  at === undefined || Date.now() - Date.parse(at) > dayMs;

/**
 * Opens a file for writing: puts its first page right from the copy beside it where that is all that is
 * broken, tells what of the latest writes is gone, backs up before a migration, migrates. What was done is in
 * the marks as the last repair. `onTrouble` hears of what went wrong beside the file and will be tried again.
 *
 * @throws DeskError `store.wrongKey`, `store.damaged`, `store.newer`, `store.unreadable`, `disk.full`, `disk.readOnly`
 */
export function openFile(
  filePath: string,
  key: Uint8Array,
  file: StoreFile,
  options: {
    readonly onTrouble?: ((thrown: unknown) => void) | undefined;
    readonly addFunctions?: ConnectionOptions['addFunctions'];
  } = {},
): OpenFile {
  const { onTrouble = () => undefined } = options;
  const steps: { step: RepairStep; outcome: 'done' }[] = [];
  const marks = readMarks(filePath);
  if (file === 'userData' && marks.lastCheck?.isSound === false) throw new DeskError('store.damaged');
  if (restoreHead(filePath)) steps.push({ step: 'firstPage', outcome: 'done' });
  const heads = readLogHeads(filePath);
  let connection: Connection;
  try {
    connection = openConnection(filePath, key, options);
  } catch (thrown) {
    if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
    connection = openWithFirstPage(filePath, key, thrown, options);
    steps.push({ step: 'firstPage', outcome: 'done' });
  }
  try {
    const lostFrames = judgeLog({
      noted: marks.log,
      wasOpen: marks.isOpen,
      heads,
      saltNow: readLogSalt(filePath),
      used: countUsedFrames(connection),
    });
    if (file === 'userData' && lostFrames !== 0) {
      // Backup and journal still have what the log lost. Closing empties the log, so it is noted before.
      const at = new Date().toISOString();
      keepLogAside(filePath, at);
      const lastCheck = { at, isFull: false, isSound: false, problems: lostFrames ?? 1, seconds: 0 };
      writeMarks(filePath, { lastCheck });
      throw new DeskError('store.damaged');
    }
    let report: RepairReport | null = null;
    if (lostFrames !== 0 || steps.length > 0) {
      const at = new Date().toISOString();
      report = {
        at,
        file,
        outcome: 'repaired',
        steps: lostFrames === 0 ? steps : [...steps, { step: 'log', outcome: 'done' }],
        lost: lostFrames === 0 ? [] : [{ what: 'latestWrites', count: lostFrames }],
        keptAside: lostFrames === 0 ? null : keepLogAside(filePath, at),
        needsSync: lostFrames !== 0 && file === 'records',
      };
    }
    const check = isCheckDue(marks, file) ? checkFile(connection, false) : null;
    if (check?.isSound === false) {
      writeMarks(filePath, { lastCheck: check });
      throw new DeskError('store.damaged');
    }
    sweep(filePath, file);
    migrate(connection, file, {
      backUp: (version) => backUpBeforeMigration(connection, filePath, key, version),
    });
    if (judgeKey(filePath, key) === 'unknown') writeKeyCheck(filePath, key);
    writeMarks(filePath, {
      isOpen: true,
      log: noteLog(filePath, connection),
      ...(report === null ? {} : { lastRepair: report }),
      ...(check === null ? {} : { lastCheck: check }),
    });
  } catch (thrown) {
    connection.close();
    throw thrown;
  }

  let notedAtMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let firstPage = Buffer.alloc(0);
  const note = (): void => {
    notedAtMs = Date.now();
    // What cannot be noted (a full disk) is noted with the next write.
    try {
      writeMarks(filePath, { isOpen: true, log: noteLog(filePath, connection) }, false);
      firstPage = keepFirstPage(filePath, firstPage);
    } catch (thrown) {
      onTrouble(thrown);
    }
  };
  note();
  return {
    connection,
    noteWritten() {
      if (timer !== null) return;
      const waitMs = notedAtMs + noteGapMs - Date.now();
      if (waitMs <= 0) {
        note();
        return;
      }
      timer = setTimeout(() => {
        timer = null;
        note();
      }, waitMs);
      timer.unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      try {
        const [done] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
        if (done?.busy === 0) writeMarks(filePath, { isOpen: false, log: null });
      } catch (thrown) {
        // The file is as a killed process would leave it.
        onTrouble(thrown);
      }
      connection.close();
      try {
        keepFirstPage(filePath, firstPage);
      } catch (thrown) {
        onTrouble(thrown);
      }
    },
  };
}

/** The records have one writer: whatever is half done is nobody's any more. */
function sweep(filePath: string, file: StoreFile): void {
  sweepBackups(filePath, file === 'records' ? 0 : unfinishedMs);
  if (file === 'userData') return;
  removeDatabase(sideFilesOf(filePath).next);
}

/**
 * The second file is small: it is checked before it is used, once a day and after a process was killed. The
 * records are checked while they are used.
 */
function isCheckDue(marks: StoreMarks, file: StoreFile): boolean {
  if (file !== 'userData') return false;
  return marks.isOpen || isOlderThanDay(marks.lastCheck?.at);
}

/** Keeps a copy of the first page, encrypted as it lies in the file. */
function keepFirstPage(filePath: string, known: Buffer): Buffer<ArrayBuffer> {
  const page = Buffer.from(readHead(filePath, pageBytes));
  if (page.length === pageBytes && !page.equals(known)) {
    writeSideFile(sideFilesOf(filePath).firstPage, page, false);
  }
  return page;
}

/** True where the plain head of the file differed from the kept one and was put back. */
function restoreHead(filePath: string): boolean {
  const kept = readHead(sideFilesOf(filePath).firstPage, pageBytes).subarray(0, plainHeadBytes);
  const head = readHead(filePath, plainHeadBytes);
  if (kept.length < plainHeadBytes || head.length < plainHeadBytes || head.equals(kept)) return false;
  overwriteHead(filePath, kept);
  return true;
}

/**
 * Tries the kept first page in place of a broken one. It stays only if the whole file is sound with it.
 * @throws DeskError `store.damaged` as before, the file as it was
 */
function openWithFirstPage(
  filePath: string,
  key: Uint8Array,
  damage: DeskError,
  options: ConnectionOptions,
): Connection {
  const kept = readHead(sideFilesOf(filePath).firstPage, pageBytes);
  const broken = Buffer.from(readHead(filePath, pageBytes));
  if (kept.length < pageBytes || broken.length < pageBytes || kept.equals(broken)) throw damage;
  overwriteHead(filePath, kept);
  let connection: Connection | null = null;
  try {
    connection = openConnection(filePath, key, options);
    if (isSound(connection)) return connection;
  } catch (thrown) {
    if (toDeskError(thrown).code !== 'store.damaged') throw thrown;
  }
  connection?.close();
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

/** Copies the log before anything is written over it. */
function keepLogAside(filePath: string, at: string): string | null {
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
