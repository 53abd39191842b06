import { expect, test } from 'vitest';
import { decidedByRules, reviewedSince } from '../../../../../src/renderer/domain/figure/reviewer-filters.ts';

test('what rules decide is not the work of the user who switched them on', () => {
  expect(reviewedSince('ann@acme.example', '2026-11-02')).toContainEqual({
    ...{ field: 'review.rule', operator: 'isEmpty', values: [] },
  });
});

test('what rules decided in 30 days begins with the first of these days, like people’s decisions in Reports', () => {
  const [day] = decidedByRules('2026-11-30').at(-1)?.values ?? [];
  expect(day).toBe(new Date('2026-11-01T00:00').toISOString());
});
