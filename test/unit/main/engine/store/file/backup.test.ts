import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseBackupsToDrop,
  sweepBackups,
  userDataBackupRules,
  usualBackupRules,
} from '../../../../../../src/main/engine/store/file/backup.ts';
import { makeTempFolder } from '../../../../../support/temp-folder.ts';

const hourMs = 3_600_000;
const newestMs = Date.UTC(2026, 2, 20, 15);
/** Newest first, so many hours old. */
const backups = (hours: readonly number[], bytes = 1) =>
  hours.map((hour) => {
    const at = new Date(newestMs - hour * hourMs).toISOString();
    return { name: `ours-${at}`, at, bytes };
  });
const keptHours = (hours: readonly number[], rules = usualBackupRules, bytes = 1): number[] => {
  const all = backups(hours, bytes);
  const dropped = new Set(chooseBackupsToDrop(all, rules));
  return hours.filter((_hour, index) => !dropped.has(all[index]?.name ?? ''));
};

test('only the newest of a day stays', () => {
  expect(keptHours([0, 1, 2, 10])).toEqual([0]);
});

test('seven days and four weeks stay, counting those that have a backup', () => {
  const daily = Array.from({ length: 60 }, (_none, day) => day * 24);
  const kept = keptHours(daily).map((hour) => hour / 24);
  expect(kept.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(kept.length).toBeGreaterThanOrEqual(9);
  expect(kept.length).toBeLessThanOrEqual(11);
  expect(keptHours([0, 24 * 100, 24 * 200])).toEqual([0, 2400, 4800]);
});

test('of the user data file two stay: the newest, and that of the last earlier day with one', () => {
  expect(keptHours([0, 1, 2, 24, 30, 48, 24 * 30], userDataBackupRules)).toEqual([0, 24]);
  expect(keptHours([0, 24 * 100, 24 * 200], userDataBackupRules)).toEqual([0, 2400]);
});

test('a backup from before a migration is removed after 30 days, regular ones are not', () => {
  const folder = makeTempFolder();
  const stampOf = (days: number): string =>
    new Date(Date.now() - days * 24 * hourMs).toISOString().replace(/[-:.]/g, '');
  const names = [
    `ours-before-v6-${stampOf(31)}.db`,
    `ours-before-v6-${stampOf(29)}.db`,
    `ours-${stampOf(31)}.db`,
    `other-before-v6-${stampOf(31)}.db`,
  ];
  mkdirSync(join(folder, 'backups'));
  for (const name of names) writeFileSync(join(folder, 'backups', name), '');
  sweepBackups(join(folder, 'ours.db'), 0);
  expect(readdirSync(join(folder, 'backups')).sort()).toEqual(names.slice(1).sort());
});

test('if they are too large, the oldest are dropped; the newest stays whatever its size', () => {
  const rules = { ...usualBackupRules, maxBytes: 25 };
  expect(keptHours([0, 24, 48, 72], rules, 10)).toEqual([0, 24]);
  expect(keptHours([0, 24], { ...rules, maxBytes: 1 }, 10)).toEqual([0]);
});

test('the newest is never dropped, and what is kept once is kept again', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 24 * 400 }), { minLength: 1 }), (given) => {
      const hours = [...given].sort((a, b) => a - b);
      const kept = keptHours(hours);
      expect(kept[0]).toBe(hours[0]);
      expect(keptHours(kept)).toEqual(kept);
      expect(kept.length).toBeLessThanOrEqual(11);
    }),
  );
});
