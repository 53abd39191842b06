import { formatCountOf } from '../count.ts';
/**
 * The kinds of deadlines of a claim. `Decide`: the plan's time to decide a claim, for post-service claims of
 * plans under ERISA usually 30 days (29 CFR 2560.503-1(f)(2)(iii)(B)). `Appeal`: the time to appeal a denial,
 * at least 180 days there ((h)(3)(i)). `Answer`: the time to answer an open appeal, 60 days there ((i)(2)(iii)). `Reimburse`: the run-out after the plan year.
 */
export const deadlineKinds = ['Decide', 'Appeal', 'Answer', 'Reimburse'] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];

/** The open deadlines of a claim, `YYYY-MM-DD`; null: none of this kind. */
type Deadlines = Readonly<Record<DeadlineKind, string | null>>;

/**
 * Returns the next deadline as of a day. A decision and an answer stay due after their day; once the time to appeal or
 * to reimburse is over, it is no longer a deadline.
 */
export function findNextDeadline(
  deadlines: Deadlines,
  today: string,
): { readonly kind: DeadlineKind; readonly day: string } | null {
  const ahead = deadlineKinds.flatMap((kind) => {
    const day = deadlines[kind];
    return day === null || (kind !== 'Decide' && kind !== 'Answer' && day < today) ? [] : [{ kind, day }];
  });
  return ahead.reduce<(typeof ahead)[number] | null>(
    (next, deadline) => (next === null || deadline.day < next.day ? deadline : next),
    null,
  );
}

/**
 * "8 days left to decide" or "3 days overdue"; only a decision and an answer can be overdue. `daysTo`: days from today,
 * negative if past.
 */
export function sayDaysLeft(kind: string, daysTo: number): string {
  const act = kind.toLowerCase();
  return daysTo < 0
    ? `${formatCountOf(-daysTo, 'day')} overdue`
    : `${formatCountOf(daysTo, 'day')} left to ${act}`;
}

/** Describes the rule that a deadline follows from: "30 days after the carrier processed it". `days`: here 30. */
export function sayDeadlineRule(kind: DeadlineKind, days: number): string {
  if (kind === 'Reimburse')
    return days === 0
      ? 'the last day of the plan year'
      : `${formatCountOf(days, 'day')} after the plan year ends`;
  if (kind === 'Answer') return `${formatCountOf(days, 'day')} after the appeal`;
  return `${formatCountOf(days, 'day')} after the carrier processed it${kind === 'Appeal' ? '; check the plan' : ''}`;
}
