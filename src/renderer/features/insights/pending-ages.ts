import { addDays } from '../../../contract/days.ts';
import type { Condition } from '../../../contract/query.ts';

export interface PendingAge {
  readonly label: string;
  readonly conditions: readonly Condition[];
}

/** Without a decision of the carrier: the rule of the worklist "Pending too long". */
const pendingOnly: readonly Condition[] = [
  { field: 'facts.pending_since', operator: 'isNotEmpty', values: [] },
];

const field = 'date_of_service.last_day';

/**
 * Claims without a decision by their age, counted from the last day of service: each is in exactly one. `today` is
 * `YYYY-MM-DD`; a day of service to come counts as the youngest.
 */
export function pendingAges(today: string): readonly PendingAge[] {
  const back = (days: number): string => addDays(today, -days) ?? today;
  const between = (from: number, to: number): Condition => ({
    field,
    operator: 'between',
    values: [back(to), back(from)],
  });
  const ages: readonly (readonly [string, Condition])[] = [
    ['0–30 days', { field, operator: 'atLeast', values: [back(30)] }],
    ['31–60 days', between(31, 60)],
    ['61–90 days', between(61, 90)],
    ['Over 90 days', { field, operator: 'atMost', values: [back(91)] }],
    ['No service date', { field, operator: 'isEmpty', values: [] }],
  ];
  return ages.map(([label, condition]) => ({ label, conditions: [...pendingOnly, condition] }));
}
