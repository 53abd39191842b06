import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../../lib/errors.ts';
import { isSound } from './check.ts';
import { type Connection, openConnection } from './connection.ts';
import { listKept, makeFolder, nameCopy, sideFilesOf } from './side-files.ts';

/** Backups before a migration that are kept of one file: two versions back. */
const keptBeforeMigration = 2;
const beforeMigration = 'before-';

export interface BackupRules {
  /** How many days keep their newest backup. */
  readonly daily: number;
  /** How many weeks keep their newest backup. */
  readonly weekly: number;
  /** Bytes of all backups together; the newest one is kept whatever its size. */
  readonly maxBytes: number;
}
export const usualBackupRules: BackupRules = { daily: 7, weekly: 4, maxBytes: 200_000_000 };

/**
 * Copies a whole file, encrypted with the same key, and reads the copy back before it counts. The copy is of one
 * moment, and readers and the writer can continue meanwhile. Returns its path.
 *
 * @throws DeskError `disk.full`, `disk.fault`, `store.damaged` where the copy cannot be read back
 */
export function writeBackup(
  connection: Connection,
  filePath: string,
  key: Uint8Array,
  options: { at: string; label?: string },
): string {
  const folder = makeFolder(sideFilesOf(filePath).backupsDir);
  const target = join(folder, `${nameCopy(filePath, options.at, options.label)}.db`);
  const temporary = `${target}.tmp`;
  rmSync(temporary, { force: true });
  try {
    connection.prepare('VACUUM INTO ?').run(temporary);
    verifyCopy(temporary, key, countRows(connection, 'sqlite_schema'));
    renameSync(temporary, target);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
  return target;
}

/** @throws DeskError `store.damaged` if the copy cannot be read from end to end with this key */
function verifyCopy(path: string, key: Uint8Array, parts: number | null): void {
  const copy = openConnection(path, key, { isReadOnly: true });
  try {
    const isWhole = parts === null || countRows(copy, 'sqlite_schema') === parts;
    if (!isWhole || !isSound(copy)) throw new DeskError('store.damaged');
  } finally {
    copy.close();
    for (const rest of [sideFilesOf(path).log, sideFilesOf(path).logIndex]) rmSync(rest, { force: true });
  }
}

const countRows = (connection: Connection, table: string): number =>
  connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

/** Backs up a file before a migration. @throws DeskError as writeBackup() */
export function backUpBeforeMigration(
  connection: Connection,
  filePath: string,
  key: Uint8Array,
  version: number,
): void {
  const label = `${beforeMigration}v${version}-`;
  writeBackup(connection, filePath, key, { at: new Date().toISOString(), label });
  const old = listBackups(filePath).filter(({ name }) => name.includes(`-${beforeMigration}`));
  for (const { name } of old.slice(keptBeforeMigration)) removeBackup(filePath, name);
}

/** Newest first. */
export function listBackups(filePath: string): { name: string; bytes: number; at: string }[] {
  return listKept(sideFilesOf(filePath).backupsDir, filePath).filter(({ name }) => name.endsWith('.db'));
}

/** Regular backups, newest first; those before a migration have a rule of their own. */
export function listDatedBackups(filePath: string): { name: string; bytes: number; at: string }[] {
  return listBackups(filePath).filter(({ name }) => !name.includes(`-${beforeMigration}`));
}

export function removeBackup(filePath: string, name: string): void {
  rmSync(join(sideFilesOf(filePath).backupsDir, name), { force: true });
}

/**
 * Removes unfinished backups of a killed process. Several processes may write the user data file: there, only what is
 * older than any backup takes is removed.
 */
export function sweepBackups(filePath: string, minAgeMs: number): void {
  const folder = sideFilesOf(filePath).backupsDir;
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((one) => one.includes('.tmp'))) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs >= minAgeMs) rmSync(path, { force: true });
  }
}

/** The newest backup that opens and is sound; null if there is none. */
export function findBackup(filePath: string, key: Uint8Array): { path: string; at: string } | null {
  for (const { name, at } of listBackups(filePath)) {
    const path = join(sideFilesOf(filePath).backupsDir, name);
    try {
      verifyCopyIsSound(path, key);
      return { path, at };
    } catch {
      // An older backup may still be sound.
    }
  }
  return null;
}

function verifyCopyIsSound(path: string, key: Uint8Array): void {
  if (statSync(path).size === 0) throw new DeskError('store.damaged');
  verifyCopy(path, key, null);
}

/**
 * Which backups to remove: all but the newest of each kept day and week, and then the oldest ones while all together
 * are too large. Given newest first.
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
