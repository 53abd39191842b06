import { expect, it } from 'vitest';
import { describeJudged, sayWhy } from '../../../../src/renderer/features/claims/compared-pair.tsx';

const judged = (isDuplicate: boolean) => ({ isDuplicate, eventId: 'e' });

it.each([
  ['open', { judged: null, markedId: null }, null],
  ['the other marked', { judged: judged(true), markedId: 9 }, '9 is marked as the duplicate of this one.'],
  ['this one marked', { judged: judged(true), markedId: 7 }, 'This claim is marked as the duplicate of 9.'],
  ['no duplicate', { judged: judged(false), markedId: null }, 'Marked as not a duplicate of 9.'],
  ['the other reviewed', { judged: null, markedId: 9 }, '9 is reviewed as a duplicate.'],
  ['this one reviewed', { judged: null, markedId: 7 }, 'This claim is reviewed as a duplicate.'],
])('a pair shows what was decided about it: %s', (_name, pair, text) => {
  expect(describeJudged(pair, 7, 9)).toBe(text);
});

const field = (name: string, label: string, left: string | number, right: string | number) => ({
  ...{ field: name, label, left, right },
  agrees: left === right,
});
const billed = field('amount_billed', 'Billed', 404_500, 404_600);
const number = field('vendor_system_id', 'Carrier claim no.', 'C1', 'C2');
const status = field('status', 'Status', 'Processed', 'Adjusted');

it('a suspected pair shows the few differences, or what it has in common', () => {
  const same = field('patient_name', 'Patient', 'Ana', 'Ana');
  const say = (...fields: (typeof billed)[]) => sayWhy({ kind: 'suspected', fields: [same, ...fields] });
  expect(say(billed)).toBe('All equal but billed ($0.01).');
  expect(say(billed, number)).toBe('All equal but billed ($0.01) and carrier claim no.');
  expect(say(billed, number, status)).toMatch(/^Same person, provider, and days/);
  expect(say()).toMatch(/^Same person, provider, and days/);
  expect(sayWhy({ kind: 'exact', fields: [number] })).toMatch(
    /^Same person, .* equal billed amount and lines/,
  );
});
