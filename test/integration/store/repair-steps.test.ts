import { closeSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RepairReport } from '../../../src/contract/store.ts';
import { writeBackup } from '../../../src/main/engine/store/file/backup.ts';
import { readMarks, sideFilesOf } from '../../../src/main/engine/store/file/side-files.ts';
import { checkRecords } from '../../../src/main/engine/store/maintenance/check-records.ts';
import { repairRecords } from '../../../src/main/engine/store/maintenance/repair-records.ts';
import {
  openRecords,
  openRecordsFile,
  recordsPageBytes,
} from '../../../src/main/engine/store/record/open-records.ts';
import { type DamageBench, makeDamageBench, readTruth } from '../../support/store-damage.ts';

/** Each step of a repair has its place because of a damage that it alone heals: here is one for each. */

let closed: DamageBench;
let killed: DamageBench;
beforeAll(() => {
  closed = makeDamageBench();
  killed = makeDamageBench({ keepsLog: true });
});
afterAll(() => {
  closed.close();
  killed.close();
});

function flip(path: string, offset: number): void {
  const descriptor = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, offset);
  byte[0] = (byte[0] as number) ^ 0xff;
  writeSync(descriptor, byte, 0, 1, offset);
  closeSync(descriptor);
}

const copyOf = (bench: DamageBench): string => join(bench.copy(), 'records.db');
const repair = (filePath: string, mayLose = false): RepairReport =>
  repairRecords({ filePath, key: closed.key, mayLose });
const outcomes = ({ steps }: RepairReport) =>
  Object.fromEntries(steps.map(({ step, outcome }) => [step, outcome]));

function expectWhole(filePath: string): void {
  const connection = openRecords(filePath, closed.key, { isReadOnly: true });
  expect(checkRecords(connection, true)).toMatchObject({ isSound: true });
  expect(readTruth(connection, 'members')).toEqual(closed.truth.members);
  expect(readTruth(connection, 'claims')).toEqual(closed.truth.claims);
  connection.close();
}

test('reopen: a sound file is left unchanged', () => {
  const filePath = copyOf(closed);
  expect(repair(filePath)).toMatchObject({ outcome: 'sound', lost: [], keptAside: null });
  expectWhole(filePath);
});

describe('first page', () => {
  test('a broken first page is put back from its copy, and nothing is lost', () => {
    const filePath = copyOf(closed);
    flip(filePath, 2000);
    openRecordsFile(filePath, closed.key).close();
    const { lastRepair } = readMarks(filePath);
    expect(lastRepair).toMatchObject({ outcome: 'repaired', lost: [] });
    expect(outcomes(lastRepair as RepairReport)).toEqual({ firstPage: 'done' });
    expectWhole(filePath);
  });

  test('without the copy no other step repairs it without a loss', () => {
    const filePath = copyOf(closed);
    flip(filePath, 2000);
    rmSync(sideFilesOf(filePath).firstPage);
    expect(repair(filePath)).toMatchObject({ outcome: 'needsConsent' });
  });
});

test('log: the usable part of a broken log is used, and what is missing is reported', () => {
  const filePath = copyOf(killed);
  const { log } = sideFilesOf(filePath);
  flip(log, statSync(log).size - recordsPageBytes);
  openRecordsFile(filePath, killed.key).close();
  const { lastRepair } = readMarks(filePath);
  expect(lastRepair).toMatchObject({ outcome: 'repaired', needsSync: true });
  expect(outcomes(lastRepair as RepairReport)).toEqual({ log: 'done' });
  expect(lastRepair?.lost).toMatchObject([{ what: 'latestWrites' }]);
});

test('salvage: a broken page of an index costs nothing, while going back to a backup would', () => {
  const pages = statSync(copyOf(closed)).size / recordsPageBytes;
  // Which page holds an index depends on the order of writing: the first one from the end that costs nothing.
  for (let page = pages - 1; page > 1; page -= 1) {
    const filePath = copyOf(closed);
    flip(filePath, page * recordsPageBytes + 100);
    const report = repair(filePath);
    if (report.outcome !== 'repaired') continue;
    expect(report.lost).toEqual([]);
    expect(report.keptAside).not.toBeNull();
    expect(outcomes(report)).toEqual({ reopen: 'notPossible', salvage: 'done' });
    expectWhole(filePath);
    return;
  }
  expect.unreachable('no page was salvaged without a loss');
});

describe('a file that cannot be read at all', () => {
  const ruin = (filePath: string): void => {
    truncateSync(filePath, recordsPageBytes);
    flip(filePath, 2000);
    rmSync(sideFilesOf(filePath).firstPage);
  };

  test('backup: goes back to the newest one, once a person agrees', () => {
    const filePath = copyOf(closed);
    const connection = openRecords(filePath, closed.key);
    writeBackup(connection, filePath, closed.key, { at: '2026-03-01T00:00:00.000Z' });
    connection.close();
    ruin(filePath);
    expect(outcomes(repair(filePath))).toMatchObject({ salvage: 'notPossible', backup: 'needsConsent' });
    const report = repair(filePath, true);
    expect(outcomes(report)).toMatchObject({ salvage: 'notPossible', backup: 'done' });
    expect(report.needsSync).toBe(true);
    expectWhole(filePath);
  });

  test('rebuild: without a backup it begins empty, once the user agrees', () => {
    const filePath = copyOf(closed);
    ruin(filePath);
    expect(outcomes(repair(filePath))).toMatchObject({ backup: 'notPossible', rebuild: 'needsConsent' });
    const report = repair(filePath, true);
    expect(outcomes(report)).toMatchObject({ backup: 'notPossible', rebuild: 'done' });
    expect(report).toMatchObject({ outcome: 'repaired', needsSync: true });
    const connection = openRecords(filePath, closed.key, { isReadOnly: true });
    expect(readTruth(connection, 'claims').size).toBe(0);
    connection.close();
  });
});
