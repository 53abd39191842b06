import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { StoreProgress } from '../../../../contract/store.ts';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { isSound } from './check-database.ts';
import { busyTimeoutMs, type Database, openDatabase } from './database.ts';
import { listKept, makeFolder, nameCopy, sideFilesOf } from './side-files.ts';
import { emptyLog } from './wal-state.ts';

/** How many backups made before migrations are kept of each file: two, for users who return to an earlier version. */
const keptBeforeMigration = 2;
const keptBeforeMigrationMs = 30 * 86_400_000;
const beforeMigration = 'before-';

export interface BackupRules {
  /** For how many days the newest backup of the day is kept. */
  readonly daily: number;
  /** For how many weeks the newest backup of the week is kept. */
  readonly weekly: number;
  /** The total size of all backups in bytes; the newest one is kept whatever its size. */
  readonly maxBytes: number;
}
export const usualBackupRules: BackupRules = { daily: 7, weekly: 4, maxBytes: 200_000_000 };
/**
 * The newest backup and the journal together contain all of the user data file. The backup of the day before is used
 * where the newest can't be read. Events never change, so an older backup contains nothing that the newest one lacks.
 */
export const userDataBackupRules: BackupRules = { daily: 2, weekly: 0, maxBytes: 200_000_000 };

/**
 * Copies a whole file, or what `copy` writes into a new one, encrypted with the same key, and reads the copy back to
 * verify it. The copy shows one state of the file; readers and the writer can continue. Returns its path.
 * @throws DeskError `disk.full`, `disk.fault`, `store.damaged` where the copy cannot be read back
 */
export function writeBackup(
  database: Database,
  filePath: string,
  key: Uint8Array,
  options: { at: string },
  copy = (target: string): void => copyBySql(database, target),
): string {
  return makeBackup(database, filePath, key, copy, options);
}

export const copyBySql = (database: Database, target: string): void =>
  void database.prepare('VACUUM INTO ?').run(target);

function makeBackup(
  database: Database,
  filePath: string,
  key: Uint8Array,
  copy: (temporary: string) => void,
  options: { at: string; label?: string; onProgress?: (progress: StoreProgress) => void },
): string {
  const folder = makeFolder(sideFilesOf(filePath).backupsDir);
  const target = join(folder, `${nameCopy(filePath, options.at, options.label)}.db`);
  const temporary = `${target}.tmp`;
  rmSync(temporary, { force: true });
  try {
    copy(temporary);
    verifyCopy(temporary, key, countRows(database, 'sqlite_schema'), options.onProgress);
    renameSync(temporary, target);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw toDeskError(thrown);
  }
  return target;
}

const bytesAtOnce = 8_000_000;
/** Synced to disk after this many bytes, so that the last sync is short. */
const bytesPerSync = 64_000_000;

function copyWithProgress(from: string, to: string, onProgress: (progress: StoreProgress) => void): void {
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'w', 0o600);
    try {
      const { size } = fstatSync(source);
      const bytes = Buffer.alloc(bytesAtOnce);
      for (let done = 0, synced = 0; done < size; ) {
        onProgress({ doing: 'backingUp', done: Math.floor(done / 1e6), of: Math.ceil(size / 1e6) });
        const read = readSync(source, bytes, 0, bytesAtOnce, done);
        if (read === 0) throw new DeskError('store.damaged');
        for (let written = 0; written < read; )
          written += writeSync(target, bytes, written, read - written, done + written);
        done += read;
        if (done - synced < bytesPerSync && done < size) continue;
        fsyncSync(target);
        synced = done;
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** @throws DeskError `store.damaged` if the copy cannot be read from end to end with this key */
function verifyCopy(
  path: string,
  key: Uint8Array,
  parts: number | null,
  onProgress?: (progress: StoreProgress) => void,
): void {
  const copy = openDatabase(path, key, { isReadOnly: true });
  try {
    const isWhole = parts === null || countRows(copy, 'sqlite_schema') === parts;
    if (!isWhole || !isSound(copy, onProgress)) throw new DeskError('store.damaged');
  } finally {
    copy.close();
    for (const rest of [sideFilesOf(path).log, sideFilesOf(path).logIndex]) rmSync(rest, { force: true });
  }
}

const countRows = (database: Database, table: string): number =>
  database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

/**
 * Backs up a file before a migration by copying the file: SQLite's own copy is one statement, which reports no progress
 * for half a minute at a million claims. No other process writes at that time.
 * @throws DeskError as writeBackup()
 */
export function backUpBeforeMigration(
  database: Database,
  filePath: string,
  key: Uint8Array,
  version: number,
  onProgress: (progress: StoreProgress) => void = () => undefined,
): void {
  const { log } = sideFilesOf(filePath);
  const copyAsItLies = database.transaction((temporary: string): boolean => {
    if (statSync(log).size > 0) return false;
    copyWithProgress(filePath, temporary, onProgress);
    return true;
  });
  const copy = (temporary: string): void => {
    // A reader in another process may prevent the log from being emptied, and waiting for it would report no progress.
    database.pragma('busy_timeout=0');
    emptyLog(filePath, database);
    database.pragma(`busy_timeout=${busyTimeoutMs}`);
    if (!copyAsItLies.immediate(temporary)) copyBySql(database, temporary);
  };
  makeBackup(database, filePath, key, copy, {
    at: new Date().toISOString(),
    label: `${beforeMigration}v${version}-`,
    onProgress,
  });
  const old = listBackups(filePath).filter(({ name }) => name.includes(`-${beforeMigration}`));
  for (const { name } of old.slice(keptBeforeMigration)) removeBackup(filePath, name);
}

/**
 * Backs up the user data before old audit entries are removed; it is kept for 30 days like those before a migration.
 * Returns its name. @throws DeskError as writeBackup()
 */
export function backUpBeforeTrim(database: Database, filePath: string, key: Uint8Array): string {
  const options = { at: new Date().toISOString(), label: `${beforeMigration}trim-` };
  return basename(makeBackup(database, filePath, key, (copy) => copyBySql(database, copy), options));
}

/** Backups, newest first. */
export const listBackups = (filePath: string): { name: string; bytes: number; at: string }[] =>
  listKept(sideFilesOf(filePath).backupsDir, filePath).filter(({ name }) => name.endsWith('.db'));

/** Regular backups, newest first; those before a migration follow a different rule. */
export const listDatedBackups = (filePath: string): { name: string; bytes: number; at: string }[] =>
  listBackups(filePath).filter(({ name }) => !name.includes(`-${beforeMigration}`));

export function removeBackup(filePath: string, name: string): void {
  rmSync(join(sideFilesOf(filePath).backupsDir, name), { force: true });
}

/**
 * Removes unfinished backups of a killed process, and backups before a migration that are older than 30 days. Several
 * processes may write the user data file, so one of its backups counts as unfinished only after longer than any backup
 * takes.
 */
export function sweepBackups(filePath: string, minAgeMs: number): void {
  const folder = sideFilesOf(filePath).backupsDir;
  if (!existsSync(folder)) return;
  for (const { name, at } of listBackups(filePath)) {
    if (name.includes(`-${beforeMigration}`) && Date.now() - Date.parse(at) >= keptBeforeMigrationMs)
      removeBackup(filePath, name);
  }
  for (const name of readdirSync(folder).filter((candidate) => candidate.includes('.tmp'))) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs >= minAgeMs) rmSync(path, { force: true });
  }
}

/** The newest backup that opens and is sound; null if there is none. */
export function findBackup(filePath: string, key: Uint8Array): { path: string; at: string } | null {
  for (const { name, at } of listBackups(filePath)) {
    const path = join(sideFilesOf(filePath).backupsDir, name);
    try {
      if (statSync(path).size === 0) continue;
      verifyCopy(path, key, null);
      return { path, at };
    } catch {
      // An older backup may still be sound.
    }
  }
  return null;
}

/**
 * Chooses the backups to remove: all but the newest of each kept day and week, then the oldest ones until the rest is
 * small enough. `backups`: newest first.
 */
export function chooseBackupsToDrop(
  backups: readonly { name: string; bytes: number; at: string }[],
  rules: BackupRules,
): string[] {
  const kept = new Set<string>();
  const keepNewestOf = (maxCount: number, periodOf: (at: string) => string): void => {
    const periods = new Set<string>();
    for (const { name, at } of backups) {
      const period = periodOf(at);
      if (periods.has(period)) continue;
      if (periods.size === maxCount) break;
      periods.add(period);
      kept.add(name);
    }
  };
  keepNewestOf(rules.daily, (at) => at.slice(0, 10));
  keepNewestOf(rules.weekly, (at) => String(Math.floor((Date.parse(at) / 86_400_000 + 3) / 7)));
  let bytes = 0;
  return backups
    .filter(({ name, bytes: size }, index) => {
      if (index > 0 && !kept.has(name)) return true;
      bytes += size;
      return index > 0 && bytes > rules.maxBytes;
    })
    .map(({ name }) => name);
}
