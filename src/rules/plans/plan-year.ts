import { employerKeyOf } from '../money/reimbursement.ts';

interface PlanYearSettings {
  /** The month in which plan years begin, 1 to 12. */
  readonly planYearStart: number;
  /** The months of individual employers, by `employerKeyOf`. */
  readonly planYearStarts: Readonly<Record<string, number>>;
}

/**
 * The first day of the plan year that contains a day, `YYYY-MM-DD`. Plan years begin in `month`, 1 to 12. The earliest
 * plan year is that of the year 0000.
 */
export function firstDayOfPlanYear(day: string, month: number): string {
  const isBefore = Number(day.slice(5, 7)) < month;
  const year = Math.max(0, Number(day.slice(0, 4)) - Number(isBefore));
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
}

/** The month in which plan years of an employer begin. */
export const planYearMonthOf = (
  { planYearStart, planYearStarts }: PlanYearSettings,
  service: string,
  employerId: number | null,
): number =>
  (employerId === null ? undefined : planYearStarts[employerKeyOf(service, employerId)]) ?? planYearStart;

/** The plan year of a day: its name, its first day, and the first day after it; null if after the year 9999. */
export function planYearOf(day: string, month: number): { name: string; begins: string; end: string | null } {
  const begins = firstDayOfPlanYear(day, month);
  const year = Number(begins.slice(0, 4));
  const next = String((year + 1) % 100).padStart(2, '0');
  return {
    name: month === 1 ? `${year}` : `${year}/${next}`,
    begins,
    end: year === 9999 ? null : `${String(year + 1).padStart(4, '0')}${begins.slice(4)}`,
  };
}
