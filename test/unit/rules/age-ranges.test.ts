import { expect, test } from 'vitest';
import { ageRanges } from '../../../src/rules/age-ranges.ts';
import { addDays } from '../../../src/rules/days.ts';
import type { Condition } from '../../../src/rules/query.ts';

test('every day of service has exactly one age, even at the limits; claims without one are separate', () => {
  const ages = ageRanges('2026-11-20');
  const fits = (day: string, { conditions }: (typeof ages)[number]): boolean => {
    const { operator, values } = conditions[0] as Condition;
    const [from = '', to = from] = values.map(String);
    if (operator === 'atLeast') return day >= from;
    return operator === 'atMost' ? day <= from : day >= from && day <= to;
  };
  const labelsOf = (day: string) =>
    ages
      .slice(0, 4)
      .filter((age) => fits(day, age))
      .map(({ label }) => label);
  for (let back = -40; back < 200; back += 1) {
    expect(labelsOf(addDays('2026-11-20', -back) ?? ''), `${back} days`).toEqual([
      back <= 30 ? '0–30 days' : back <= 60 ? '31–60 days' : back <= 90 ? '61–90 days' : 'Over 90 days',
    ]);
  }
  expect(ages[4]?.conditions).toEqual([
    { field: 'date_of_service.last_day', operator: 'isEmpty', values: [] },
  ]);
});
