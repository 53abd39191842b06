import { addDays } from '../../../contract/days.ts';
import type { ReportSource } from '../../../contract/export.ts';
import type { Condition, Totals } from '../../../contract/query.ts';
import { type ReviewOutcome, reviewOutcomes } from '../../../contract/review.ts';
import type { ReviewReport } from '../../../contract/worklists.ts';
import { outcomeLabels } from '../../lib/review-labels.ts';

/** Claims that are to be reviewed and that nobody is done with. */
export const openCondition: Condition = {
  field: 'review.state',
  operator: 'isOneOf',
  values: ['todo', 'inReview', 'waiting', 'back', 'escalated'],
};
/** Claims that were decided, also those that a sync reopened since. */
export const doneCondition: Condition = {
  field: 'review.decided_outcome',
  operator: 'isNotEmpty',
  values: [],
};

export interface AgeRange {
  readonly label: string;
  readonly conditions: readonly Condition[];
}

const lastDay = 'date_of_service.last_day';

/** Ages by days since the last day of service, on a day (`YYYY-MM-DD`); each claim with days is in exactly one. */
export function ageRanges(today: string): readonly AgeRange[] {
  const before = (days: number): string => addDays(today, -days) ?? today;
  return [
    { label: '0–30 days', conditions: [{ field: lastDay, operator: 'atLeast', values: [before(30)] }] },
    {
      label: '31–60 days',
      conditions: [{ field: lastDay, operator: 'between', values: [before(60), before(31)] }],
    },
    {
      label: '61–90 days',
      conditions: [{ field: lastDay, operator: 'between', values: [before(90), before(61)] }],
    },
    { label: 'Over 90 days', conditions: [{ field: lastDay, operator: 'atMost', values: [before(91)] }] },
    { label: 'No dates', conditions: [{ field: lastDay, operator: 'isEmpty', values: [] }] },
  ];
}

export interface DoneDay {
  readonly day: string;
  readonly byOutcome: Readonly<Record<ReviewOutcome, number>>;
  readonly claims: number;
  readonly reopened: number;
}

/** What was done on each day, newest first. */
export function sumByDay(done: ReviewReport['done']): DoneDay[] {
  const days = new Map<
    string,
    { byOutcome: Record<ReviewOutcome, number>; claims: number; reopened: number }
  >();
  for (const { day, outcome, claims, reopened } of done) {
    const none = Object.fromEntries(reviewOutcomes.map((name) => [name, 0])) as Record<ReviewOutcome, number>;
    const sum = days.get(day) ?? { byOutcome: none, claims: 0, reopened: 0 };
    sum.byOutcome[outcome] += claims;
    sum.claims += claims;
    sum.reopened += reopened;
    days.set(day, sum);
  }
  return [...days].map(([day, sum]) => ({ day, ...sum })).sort((a, b) => (a.day < b.day ? 1 : -1));
}

/** "3%", "under 1%", or "0%". */
export function formatShare(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  const percent = Math.round((100 * part) / whole);
  return percent === 0 ? 'under 1%' : `${percent}%`;
}

const column = (label: string, kind: ReportSource['columns'][number]['kind']) => ({
  path: label.toLowerCase().replaceAll(' ', '_'),
  label,
  kind,
});

/** Open claims by age, owner and so on as one table. What owners and reasons say may name people. */
export function openTable(
  breakdowns: readonly {
    readonly by: string;
    readonly groups: readonly { readonly name: string; readonly totals: Totals }[];
  }[],
): ReportSource {
  return {
    kind: 'report',
    title: 'Open',
    columns: [
      column('By', 'text'),
      { ...column('Group', 'text'), identifies: true },
      column('Claims', 'integer'),
      column('Billed', 'money'),
      column('Allowed', 'money'),
      column('Plan paid', 'money'),
      column('Patient responsibility', 'money'),
    ],
    rows: breakdowns.flatMap(({ by, groups }) =>
      groups.map(({ name, totals }) => [
        by,
        name,
        totals.count,
        totals.billed,
        totals.allowed,
        totals.paid,
        totals.patientResponsibility,
      ]),
    ),
  };
}

export function doneTable(days: readonly DoneDay[]): ReportSource {
  return {
    kind: 'report',
    title: 'Done by day and outcome',
    columns: [
      column('Day', 'date'),
      ...reviewOutcomes.map((outcome) => column(outcomeLabels[outcome], 'integer')),
      column('All', 'integer'),
      column('Reopened', 'integer'),
    ],
    rows: days.map(({ day, byOutcome, claims, reopened }) => [
      day,
      ...reviewOutcomes.map((outcome) => byOutcome[outcome]),
      claims,
      reopened,
    ]),
  };
}

export function reimbursedTable(
  rows: Readonly<ReviewReport['reimbursed']>,
  nameOf: (employerId: number) => string,
): ReportSource {
  return {
    kind: 'report',
    title: 'Reimbursed against eligible',
    columns: [
      column('Employer', 'text'),
      column('Plan year', 'text'),
      column('Claims', 'integer'),
      column('Eligible', 'money'),
      column('Reimbursed', 'money'),
      column('Open', 'money'),
    ],
    rows: rows.map(({ employerId, planYear, claims, eligible, reimbursed }) => [
      nameOf(employerId),
      planYear,
      claims,
      eligible,
      reimbursed,
      eligible - reimbursed,
    ]),
  };
}
