import type { Input } from '../../../contract/procedures.ts';
import { addSums } from '../../../rules/money/amounts.ts';
import { type Condition, type Group, sumNames, type Totals } from '../../../rules/query.ts';
import { monthNames } from '../../lib/format-date.ts';

export interface PlanYear {
  /** The calendar year in which it begins; null: claims without a month of service. */
  readonly year: number | null;
  readonly label: string;
  readonly totals: Totals;
  /** Conditions that find exactly the claims of the totals. */
  readonly conditions: readonly Condition[];
}

const field = 'date_of_service.month';
/** The sums of several groups; no claim is in two of them. */
export function addUp(totals: readonly Totals[]): Totals {
  const all: Totals = { count: 0, billed: null, allowed: null, paid: null, patientResponsibility: null };
  for (const part of totals) {
    all.count += part.count;
    for (const name of sumNames) {
      all[name] = addSums(all[name], part[name]);
      const left = (all.notCounted?.[name] ?? 0) + (part.notCounted?.[name] ?? 0);
      if (left > 0) all.notCounted = { ...all.notCounted, [name]: left };
    }
  }
  return all;
}

function labelOf(year: number, startMonth: number): string {
  if (startMonth === 1) return String(year);
  const short = (month: number) => monthNames[month - 1]?.slice(0, 3) ?? '';
  return `${short(startMonth)} ${year} – ${short(startMonth - 1)} ${year + 1}`;
}

/** The plan year of `2025-03`, by the month in which plan years begin; null for anything but a month. */
export function planYearOf(month: string, startMonth: number): number | null {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month);
  if (match === null) return null;
  return Number(match[1]) - (Number(match[2]) < startMonth ? 1 : 0);
}

/** The query for all months of these claims; it is limited to 83 years of months. */
export const monthsInput = (workspaceId: string, conditions: readonly Condition[]) =>
  ({
    workspaceId,
    query: { entity: 'claims', conditions: [...conditions] },
    by: field,
    order: 'value',
    direction: 'desc',
    limit: 1000,
  }) satisfies Input<'records:group'>;

/**
 * Groups by month of service as plan years, newest first; claims without a month come last, in a group of their own.
 */
export function sumByPlanYear(groups: readonly Group[], startMonth: number): PlanYear[] {
  const years = new Map<number | null, Group[]>();
  for (const group of groups) {
    const year = group.value === null ? null : planYearOf(String(group.value), startMonth);
    years.set(year, [...(years.get(year) ?? []), group]);
  }
  const conditionsOf = (monthGroups: readonly Group[]): Condition[] => {
    const months = monthGroups.flatMap(({ value }) => (value === null ? [] : [String(value)]));
    if (months.length === monthGroups.length) return [{ field, operator: 'isOneOf', values: months }];
    // No single condition finds both blank and unreadable months.
    return months.length === 0 ? [{ field, operator: 'isEmpty', values: [] }] : [];
  };
  const order = (year: number | null): number => year ?? Number.NEGATIVE_INFINITY;
  return [...years]
    .sort(([left], [right]) => (left === right ? 0 : order(right) - order(left)))
    .flatMap(([year, claims]) => {
      if (year !== null || claims.every(({ value }) => value === null) || claims.length === 1)
        return [{ year, found: claims }];
      return [
        { year, found: claims.filter(({ value }) => value !== null) },
        { year, found: claims.filter(({ value }) => value === null) },
      ].filter((part) => part.found.length > 0);
    })
    .map(({ year, found }) => ({
      year,
      label:
        year !== null
          ? labelOf(year, startMonth)
          : found[0]?.value === null
            ? 'No date of service'
            : 'No readable date',
      totals: addUp(found.map(({ totals }) => totals)),
      conditions: conditionsOf(found),
    }));
}
