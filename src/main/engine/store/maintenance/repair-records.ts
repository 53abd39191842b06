import { copyFileSync } from 'node:fs';
import type { Loss, RepairReport, RepairStep } from '../../../../contract/store.ts';
import { DeskError } from '../../../lib/errors.ts';
import { findBackup } from '../file/backup.ts';
import type { Database } from '../file/database.ts';
import { checkStoreKey } from '../file/key-check.ts';
import { migrate } from '../file/migrate.ts';
import { replaceFile } from '../file/replace-file.ts';
import { readMarks, removeDatabase, sideFilesOf, writeMarks } from '../file/side-files.ts';
import { openRecords, openRecordsFile } from '../record/open-records.ts';
import { checkRecords } from './check-records.ts';
import { type CopyOutcome, copyRecords, syncCopy } from './copy-records.ts';
import type { OnProgress } from './count-progress.ts';

type Steps = RepairReport['steps'];

/**
 * Tries the repair steps for the records of a workspace in order; all its connections must be closed. Steps that lose
 * nothing are carried out. A step that would lose records is carried out only with `mayLose`; otherwise its losses are
 * reported. The damaged file is kept, still encrypted.
 * @throws DeskError `store.wrongKey`, `store.newer`, `disk.full`, `disk.readOnly`: nothing was changed
 */
export function repairRecords(options: {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly mayLose: boolean;
  readonly onProgress?: OnProgress;
}): RepairReport {
  const { filePath, key, mayLose, onProgress } = options;
  if (checkStoreKey(filePath, key) === 'wrong') throw new DeskError('store.wrongKey');
  const steps: Steps = [];
  const at = new Date().toISOString();
  const report = (
    outcome: RepairReport['outcome'],
    lost: readonly Loss[],
    keptAside: string | null,
    needsSync: boolean,
  ): RepairReport => {
    const made: RepairReport = { at, file: 'records', outcome, steps, lost: [...lost], keptAside, needsSync };
    if (outcome !== 'needsConsent') writeMarks(filePath, { lastRepair: made });
    return made;
  };
  const addStep = (step: RepairStep, outcome: Steps[number]['outcome']): void =>
    void steps.push({ step, outcome });

  if (isSoundAfterReopen(filePath, key, onProgress)) {
    // Opening may have repaired the file; the marks then record that.
    const { lastRepair } = readMarks(filePath);
    if (lastRepair !== null && lastRepair.at >= at) return lastRepair;
    addStep('reopen', 'sound');
    return { at, file: 'records', outcome: 'sound', steps, lost: [], keptAside: null, needsSync: false };
  }
  addStep('reopen', 'notPossible');

  // Includes files of an older version, which are not migrated while they are damaged.
  const salvaged = salvage(filePath, key, onProgress);
  if (salvaged !== null && (salvaged.lost.length === 0 || mayLose)) {
    const keptAside = replaceFile(filePath, sideFilesOf(filePath).next, at);
    addStep('salvage', 'done');
    return report('repaired', salvaged.lost, keptAside, salvaged.lost.length > 0);
  }
  removeDatabase(sideFilesOf(filePath).next);
  addStep('salvage', salvaged === null ? 'notPossible' : 'needsConsent');
  if (salvaged !== null) return report('needsConsent', salvaged.lost, null, true);

  const everything: Loss[] = [
    { what: 'members', count: null },
    { what: 'claims', count: null },
  ];
  const backup = findBackup(filePath, key);
  if (backup === null) addStep('backup', 'notPossible');
  if (!mayLose) {
    addStep(backup === null ? 'rebuild' : 'backup', 'needsConsent');
    return report('needsConsent', everything, null, true);
  }
  const { next } = sideFilesOf(filePath);
  removeDatabase(next);
  if (backup === null) makeEmpty(next, key).close();
  else copyFileSync(backup.path, next);
  const keptAside = replaceFile(filePath, next, at);
  addStep(backup === null ? 'rebuild' : 'backup', 'done');
  openRecordsFile(filePath, key).close();
  return report('repaired', everything, keptAside, true);
}

/** Opens the file, which repairs what opening can repair, and checks the whole file up to the first problem. */
function isSoundAfterReopen(filePath: string, key: Uint8Array, onProgress: OnProgress | undefined): boolean {
  try {
    const { database, close } = openRecordsFile(filePath, key, { onProgress });
    try {
      const check = checkRecords(database, true, onProgress, true);
      if (check.isSound) writeMarks(filePath, { lastCheck: check });
      return check.isSound;
    } finally {
      close();
    }
  } catch (thrown) {
    if (thrown instanceof DeskError && thrown.code === 'store.damaged') return false;
    throw thrown;
  }
}

/** Copies all readable records into a file that may replace this one; null where nothing can be read. */
function salvage(filePath: string, key: Uint8Array, onProgress: OnProgress | undefined): CopyOutcome | null {
  const { next } = sideFilesOf(filePath);
  removeDatabase(next);
  let source: Database | null = null;
  let target: Database | null = null;
  try {
    source = openRecords(filePath, key);
    target = makeEmpty(next, key);
    const outcome = copyRecords(source, target, null, onProgress);
    target.close();
    syncCopy(next);
    return outcome;
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? '';
    if (code.startsWith('disk.') || code === 'SQLITE_FULL' || code.startsWith('SQLITE_READONLY'))
      throw thrown;
    return null;
  } finally {
    source?.close();
    target?.close();
  }
}

/** Creates a new file with all its tables. The caller closes it. */
export function makeEmpty(path: string, key: Uint8Array): Database {
  removeDatabase(path);
  const database = openRecords(path, key);
  try {
    migrate(database, 'records');
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}
