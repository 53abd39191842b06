import { formatCount } from '../../../rules/count.ts';
import { addDays } from '../../../rules/days.ts';
import { type Entity, fieldsOf } from '../../../rules/list-fields.ts';
import type { Condition } from '../../../rules/query.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { planYearOf } from '../claim/plan-year-sums.ts';

/** A filter that is offered as a button. */
interface UsualFilter {
  readonly label: string;
  readonly condition: Condition;
}

/** The first day of service decides, like plan years everywhere. */
const firstDay = 'date_of_service.first_day';
const billed = 'amount_billed';

const has = (entity: Entity, path: string): boolean => fieldsOf[entity].some((spec) => spec.path === path);

/** Columns with few values that are often filtered; employers are filtered by the ID path. */
export function usualColumns(entity: Entity): readonly { path: string; label: string }[] {
  switch (entity) {
    case 'claims':
      return [
        { path: 'status', label: 'Status' },
        { path: 'members.employer.id', label: 'Employer' },
      ];
    case 'members':
      return [{ path: 'employer.id', label: 'Employer' }];
    case 'lines':
      return [
        { path: 'type.name', label: 'Type' },
        { path: 'members.employer.id', label: 'Employer' },
      ];
    case 'dependents':
      return [];
  }
}

/** Columns with few values, which the search of filters finds by what they say. */
export function columnsOfFewValues(entity: Entity): readonly { path: string; label: string }[] {
  const paths = [
    'type.name',
    'network',
    'review.state',
    'review.outcome',
    'facts.denial',
    'carrier',
    'relationship',
  ];
  return [
    ...usualColumns(entity),
    ...fieldsOf[entity].filter(
      ({ path }) => paths.includes(path) && !(entity === 'lines' && path === 'type.name'),
    ),
  ];
}

const month = (year: number, index: number): string => {
  const carried = year + Math.floor(index / 12);
  return `${carried}-${String((((index % 12) + 12) % 12) + 1).padStart(2, '0')}-01`;
};

/** Days before a day, as ISO dates; `today` and `planYearStart` (1 to 12) are local. */
export function usualDates(entity: Entity, today: string, planYearStart: number): readonly UsualFilter[] {
  if (!has(entity, firstDay)) return [];
  const between = (label: string, from: string, to: string): UsualFilter => ({
    label,
    condition: { field: firstDay, operator: 'between', values: [from, to] },
  });
  const dayBefore = (day: string): string => addDays(day, -1) ?? day;
  const year = planYearOf(today.slice(0, 7), planYearStart) ?? Number(today.slice(0, 4));
  const yearBegins = month(year, planYearStart - 1);
  const quarter = Math.floor((Number(today.slice(5, 7)) - 1) / 3);
  const thisYear = Number(today.slice(0, 4));
  return [
    between('This plan year', yearBegins, dayBefore(month(year + 1, planYearStart - 1))),
    between('Last 30 days', addDays(today, -29) ?? today, today),
    between('Last quarter', month(thisYear, quarter * 3 - 3), dayBefore(month(thisYear, quarter * 3))),
  ];
}

/** Amounts for "more than" filters, in dollars. */
export function usualAmounts(entity: Entity): readonly UsualFilter[] {
  if (!has(entity, billed)) return [];
  return [100, 500, 1000, 5000].map((dollars) => ({
    label: `$${formatCount(dollars)}`,
    condition: { field: billed, operator: 'moreThan', values: [String(dollars)] },
  }));
}

export const isChosen = (conditions: readonly Condition[], condition: Condition): boolean =>
  conditions.some((existing) => isSameJson(existing, condition));

/** Adds a filter and removes others on its column; the same filter again is removed. */
export function toggleCondition(
  conditions: readonly Condition[],
  condition: Condition,
): readonly Condition[] {
  const others = conditions.filter(({ field }) => field !== condition.field);
  return isChosen(conditions, condition) ? others : [...others, condition];
}

/** The chosen values of the filter on a column, if it is a filter by values. */
export function chosenValues(conditions: readonly Condition[], path: string): readonly string[] {
  const filter = conditions.find(({ field }) => field === path);
  return filter?.operator === 'is' || filter?.operator === 'isOneOf' ? filter.values.map(String) : [];
}

/** Adds a value to the filter on its column, or removes it; a filter without values is removed. */
export function toggleValue(
  conditions: readonly Condition[],
  path: string,
  value: string,
): readonly Condition[] {
  const chosen = chosenValues(conditions, path);
  const values = chosen.includes(value)
    ? chosen.filter((chosenValue) => chosenValue !== value)
    : [...chosen, value];
  const at = conditions.findIndex(({ field }) => field === path);
  const others = conditions.filter(({ field }) => field !== path);
  if (values.length === 0) return others;
  const made: Condition = { field: path, operator: 'isOneOf', values };
  return at < 0 ? [...others, made] : [...others.slice(0, at), made, ...others.slice(at)];
}
