import { expect, test } from 'vitest';
import { createProgressLines } from '../../../../../src/main/shells/cli/session.ts';

test('for long work a line is written every two seconds, for short work none', () => {
  let nowMs = 1_000;
  const lines: string[] = [];
  const tell = createProgressLines((line) => lines.push(line), { now: () => nowMs });
  const work = (atMs: number, done: number): void => {
    nowMs = atMs;
    tell({ name: 'store:progress', payload: { workspaceId: 'w', doing: 'copyingRecords', done, of: 9_000 } });
  };
  work(1_010, 0);
  work(2_900, 2_000);
  expect(lines).toEqual([]);
  work(3_010, 4_000);
  work(4_000, 6_000);
  work(5_100, 8_000);
  expect(lines).toEqual([
    'Copying the records to keep: 4,000 of 9,000',
    'Copying the records to keep: 8,000 of 9,000',
  ]);
});

test('updating a file when it is opened is reported as well; other events are not', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const tell = createProgressLines((line) => lines.push(line), { now: () => nowMs });
  tell({
    name: 'store:opening',
    payload: { workspaceId: null, progress: { doing: 'backingUp', done: 0, of: 9 } },
  });
  nowMs = 2_500;
  tell({ name: 'store:changed', payload: { workspaceId: 'w' } });
  tell({ name: 'store:opening', payload: { workspaceId: 'w', progress: null } });
  tell({
    name: 'store:opening',
    payload: { workspaceId: null, progress: { doing: 'migrating', done: 1, of: 5 } },
  });
  expect(lines).toEqual(['Updating the file: part 2 of 5']);
});
