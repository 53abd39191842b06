import { employerKeyOf } from './reimbursement.ts';
import type { Settings } from './settings.ts';

/** The first day of the plan year that a day is in, `YYYY-MM-DD`. `month`, 1 to 12, is when plan years begin. */
export function firstDayOfPlanYear(day: string, month: number): string {
  const isBefore = Number(day.slice(5, 7)) < month;
  const year = Number(day.slice(0, 4)) - Number(isBefore);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
}

/** The month in which plan years of an employer begin. */
export const planYearMonthOf = (
  { planYearStart, planYearStarts }: Pick<Settings, 'planYearStart' | 'planYearStarts'>,
  service: string,
  employerId: number | null,
): number =>
  (employerId === null ? undefined : planYearStarts[employerKeyOf(service, employerId)]) ?? planYearStart;

/** The plan year of a day: its name, its first day, and the first day after it. */
export function planYearOf(day: string, month: number): { name: string; begins: string; end: string } {
  const begins = firstDayOfPlanYear(day, month);
  const year = Number(begins.slice(0, 4));
  const next = String((year + 1) % 100).padStart(2, '0');
  return {
    name: month === 1 ? `${year}` : `${year}/${next}`,
    begins,
    end: `${String(year + 1).padStart(4, '0')}${begins.slice(4)}`,
  };
}

/** The first day of service whose claims are to be reviewed in a workspace. */
export function reviewStartOf(settings: Settings, workspaceId: string, today: string): string {
  return settings.reviewsFrom[workspaceId] ?? firstDayOfPlanYear(today, settings.planYearStart);
}
