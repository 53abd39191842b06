import { expect, test } from 'vitest';
import {
  isOfAllToSend,
  type OpenRun,
  type SavedFile,
} from '../../../../../src/renderer/features/runs/open-run.ts';

const file: SavedFile = { name: 'run.csv', path: '/run.csv', sha256: 'a', isOfAll: true, claims: 3 };
const run = {
  claims: 3,
  marked: 0,
  byState: [{ state: 'checked', claims: 3, amount: 30 }],
} as unknown as OpenRun;

test('one press marks a run as sent only with a file of all claims that still have to be sent', () => {
  expect(isOfAllToSend(run, file)).toBe(true);
  expect(isOfAllToSend(run, null)).toBe(false);
  expect(isOfAllToSend(run, { ...file, isOfAll: false })).toBe(false);
  expect(isOfAllToSend(run, { ...file, claims: 4 })).toBe(false);
  expect(isOfAllToSend({ ...run, marked: 1 }, file)).toBe(false);
  const partly = [...run.byState, { state: 'sent', claims: 1, amount: 10 }] as OpenRun['byState'];
  expect(isOfAllToSend({ ...run, byState: partly }, file)).toBe(false);
});
