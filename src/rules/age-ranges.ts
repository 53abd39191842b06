import { addDays } from './days.ts';
import type { Condition } from './query.ts';

const field = 'date_of_service.last_day';

/**
 * Ages by days since the last day of service, on a day (`YYYY-MM-DD`): each claim is in exactly one. A future day of
 * service counts as the youngest.
 */
export function ageRanges(today: string): readonly { label: string; conditions: readonly [Condition] }[] {
  const back = (days: number): string => addDays(today, -days) ?? today;
  const between = (from: number, to: number): Condition => ({
    field,
    operator: 'between',
    values: [back(to), back(from)],
  });
  return [
    { label: '0–30 days', conditions: [{ field, operator: 'atLeast', values: [back(30)] }] },
    { label: '31–60 days', conditions: [between(31, 60)] },
    { label: '61–90 days', conditions: [between(61, 90)] },
    { label: 'Over 90 days', conditions: [{ field, operator: 'atMost', values: [back(91)] }] },
    { label: 'No service date', conditions: [{ field, operator: 'isEmpty', values: [] }] },
  ];
}
