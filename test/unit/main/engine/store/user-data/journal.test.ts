import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import {
  createJournal,
  type JournalEntry,
} from '../../../../../../src/main/engine/store/user-data/journal.ts';
import { fuzzRuns, testBytes } from '../../../../../support/seeds.ts';
import { makeSharedFolder } from '../../../../../support/temp-folder.ts';

const folder = makeSharedFolder();
const path = join(folder, 'ours.db.journal');
const key = testBytes(32);
beforeEach(() => rmSync(path, { force: true }));

const entries: JournalEntry[] = [
  { kind: 'put', table: 'views', row: { id: 'a', text: 'Plantedword ☂ cdj1cdj1' } },
  { kind: 'remove', table: 'views', id: 'b' },
  { kind: 'put', table: 'audit', row: { seq: 1, hash: 'x' } },
];
function write(): ReturnType<typeof createJournal> {
  const journal = createJournal(path, key);
  journal.restart('backup-1', 0);
  for (const entry of entries) journal.append(entry);
  return journal;
}
const whole: JournalEntry[] = [{ kind: 'after', backup: 'backup-1' }, ...entries];

test('returns what was appended, in order, and nothing of it is in plain text', () => {
  const journal = write();
  expect(journal.read()).toEqual({ entries: whole, isWhole: true });
  expect(createJournal(path, key).read()).toEqual({ entries: whole, isWhole: true });
  expect(readFileSync(path).includes('Plantedword')).toBe(false);
  expect(createJournal(path, testBytes(32, 2)).read()).toEqual({ entries: [], isWhole: false });
});

test('begins again after a backup with what arrived while it was made', () => {
  const journal = write();
  const size = journal.size();
  const late: JournalEntry = { kind: 'remove', table: 'views', id: 'late' };
  journal.append(late);
  journal.restart('backup-2', size);
  expect(journal.read()).toEqual({ entries: [{ kind: 'after', backup: 'backup-2' }, late], isWhole: true });
});

test('one broken spot costs at most one entry, and is never taken for whole', () => {
  write();
  const bytes = readFileSync(path);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, broken);
      const read = createJournal(path, key).read();
      expect(read.isWhole).toBe(false);
      expect(read.entries.length).toBeGreaterThanOrEqual(whole.length - 1);
      for (const entry of read.entries) expect(whole).toContainEqual(entry);
    }),
    { numRuns: fuzzRuns(300) },
  );
});

test('a truncated one keeps what precedes the cut', () => {
  write();
  const { length } = readFileSync(path);
  truncateSync(path, length - 3);
  expect(createJournal(path, key).read()).toEqual({ entries: whole.slice(0, -1), isWhole: false });
});
