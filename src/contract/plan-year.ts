import type { Settings } from './settings.ts';

/** The first day of the plan year that a day is in, `YYYY-MM-DD`. `month`, 1 to 12, is when plan years begin. */
export function firstDayOfPlanYear(day: string, month: number): string {
  const isBefore = Number(day.slice(5, 7)) < month;
  const year = Number(day.slice(0, 4)) - Number(isBefore);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
}

/** The first day of service whose claims are to be reviewed in a workspace. */
export function reviewStartOf(settings: Settings, workspaceId: string, today: string): string {
  return settings.reviewsFrom[workspaceId] ?? firstDayOfPlanYear(today, settings.planYearStart);
}
