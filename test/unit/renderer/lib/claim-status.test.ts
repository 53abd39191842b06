import { expect, it } from 'vitest';
import { isTurnedDown, toneOfCode, toneOfStatus } from '../../../../src/renderer/lib/claim-status.ts';
import { processedStatuses } from '../../../../src/rules/worklists/worklist-table.ts';

it.each(['In Process', 'Under Review'])('%s is open: not decided', (status) => {
  expect(toneOfStatus(status)).toBe('open');
  expect(processedStatuses).not.toContain(status);
  expect(isTurnedDown(status)).toBe(false);
});

it.each(processedStatuses)('%s has a color', (status) => {
  expect(toneOfStatus(status)).not.toBeNull();
});

it.each([null, 'constructor', 'Something new'])('%s has none', (status) => {
  expect(toneOfStatus(status)).toBeNull();
});

it('declined claims are never green, by state or by outcome', () => {
  expect(toneOfCode('review.state', 'done')).toBeNull();
  const outcomes = ['partlyEligible', 'notEligible', 'noAction', 'duplicate', 'disputed'];
  expect(outcomes.map((outcome) => toneOfCode('review.outcome', outcome))).not.toContain('good');
});
