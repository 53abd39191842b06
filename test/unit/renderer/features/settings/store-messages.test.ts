import { expect, test } from 'vitest';
import {
  describeStoreProgress,
  type RepairReport,
  type StoreFileState,
} from '../../../../../src/contract/store.ts';
import {
  describeLosses,
  describeRepair,
  describeSoundness,
} from '../../../../../src/renderer/features/settings/data-settings.tsx';
import { describeDocuments } from '../../../../../src/renderer/features/settings/document-facts.tsx';
import { formatBytes } from '../../../../../src/rules/count.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_500, '1.5 KB'],
  [812_000, '812 KB'],
  [1_412_300_000, '1.4 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

const report: RepairReport = {
  at: '2026-03-02T08:15:00.000Z',
  file: 'records',
  outcome: 'repaired',
  steps: [],
  lost: [
    { what: 'claims', count: 1 },
    { what: 'members', count: null },
  ],
  keptAside: null,
  needsSync: true,
};

test('losses are counted if they can be, and never left out', () => {
  expect(describeLosses(report.lost)).toBe('1 claim, some members');
  expect(describeRepair(report)).toContain('lost: 1 claim, some members. Sync');
  expect(describeRepair({ ...report, lost: [], needsSync: false })).toContain('nothing was lost');
  expect(describeRepair({ ...report, outcome: 'needsConsent' })).toContain('The repair would lose: 1 claim');
});

test('progress counts records, and names the part of the file that is being checked', () => {
  expect(describeStoreProgress({ doing: 'copyingRecords', done: 2_000, of: 1_100_000 })).toBe(
    'Copying the records to keep: 2,000 of 1,100,000',
  );
  expect(describeStoreProgress({ doing: 'checkingFile', done: 0, of: 41 })).toBe(
    'Checking the file: part 1 of 41',
  );
  expect(describeStoreProgress({ doing: 'backingUp', done: 512, of: 1_817 })).toBe(
    'Backing up the file before the update: 512 of 1,817 MB',
  );
  expect(describeStoreProgress({ doing: 'migrating', done: 3, of: 215 })).toBe(
    'Updating the file: part 4 of 215',
  );
});

test('damage to a file is shown before anything else', () => {
  const state = { isThere: true, isDamaged: true, lastCheck: null } as StoreFileState;
  expect(describeSoundness(state)).toBe('Damaged');
  expect(describeSoundness({ ...state, isDamaged: false })).toBe('Not checked yet');
  expect(describeSoundness({ ...state, isThere: false })).toBe('No data yet');
});

test('documents that have to be attached again are counted separately from what the check could repair', () => {
  const check = { at: report.at, isFull: true, documents: 3, notHere: 0, damaged: 0, unused: 0, undone: 0 };
  expect(describeDocuments({ ...check, isSound: true, mended: 1 })).toBe(
    'OK, 3 documents, 1 restored from the second copy',
  );
  expect(describeDocuments({ ...check, isSound: false, notHere: 1, damaged: 2, mended: 0 })).toBe(
    '3 documents, 2 damaged, 1 not here',
  );
});
