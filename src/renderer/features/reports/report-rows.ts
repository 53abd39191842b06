import type { ReportSource } from '../../../contract/export.ts';
import type { ReviewReport } from '../../../contract/worklist-counts.ts';
import { type Condition, sumNames, type Totals } from '../../../rules/query.ts';
import { type ReviewOutcome, reviewOutcomes } from '../../../rules/review/decision.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import { type Figure, figures } from '../../domain/figure/figures.ts';

interface DoneDay {
  readonly day: string;
  readonly byOutcome: Readonly<Record<ReviewOutcome, number>>;
  readonly claims: number;
  readonly reopened: number;
}

/** Sums what was done on each day, newest first. */
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

export const column = (label: string, kind: ReportSource['columns'][number]['kind']) => ({
  path: label.toLowerCase().replaceAll(' ', '_'),
  label,
  kind,
});

/** Open claims by age, owner and so on as one table. Owners and reasons are texts that may name people. */
export const openTable = (
  breakdowns: readonly {
    readonly by: string;
    readonly groups: readonly { readonly name: string; readonly totals: Totals }[];
  }[],
): ReportSource => ({
  kind: 'report',
  title: figures.openReviews.name,
  columns: [
    column('By', 'text'),
    { ...column('Group', 'text'), identifies: true },
    column('Claims', 'integer'),
    column('Billed', 'money'),
    column('Allowed', 'money'),
    column('Plan paid', 'money'),
    column('Patient responsibility', 'money'),
    column('Amounts not counted', 'integer'),
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
      sumNames.reduce((sum, sumName) => sum + (totals.notCounted?.[sumName] ?? 0), 0),
    ]),
  ),
});

export const doneTable = (days: readonly DoneDay[]): ReportSource => ({
  kind: 'report',
  title: figures.doneReviews.name,
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
});

type PlanYearSum = 'decided' | 'undecided' | 'declined' | 'disputed' | 'reimbursed';

/** The amounts of each employer's plan year: their labels, and the column of claims that each adds up. */
export const planYearSums: readonly {
  readonly sum: PlanYearSum;
  readonly figure: Figure;
  readonly field: string;
}[] = [
  { sum: 'decided', figure: figures.decided, field: 'facts.eligible' },
  { sum: 'undecided', figure: figures.undecided, field: 'facts.eligible' },
  { sum: 'declined', figure: figures.declined, field: 'facts.declined' },
  { sum: 'disputed', figure: figures.disputed, field: 'facts.disputed' },
  { sum: 'reimbursed', figure: figures.reimbursed, field: 'review.reimbursed' },
];

const isOrBlank = (field: string, value: number | string | null): Condition =>
  value === null ? { field, operator: 'isEmpty', values: [] } : { field, operator: 'is', values: [value] };

/** The claims of an employer's plan year; null: without an employer, or without a plan year. */
export const inPlanYear = (employerId: number | null, planYear: string | null): Condition[] => [
  isOrBlank('members.employer.id', employerId),
  isOrBlank('facts.plan_year', planYear),
];
/** A row's employer or plan year that is blank. */
export const notKnownRow = 'Not known';

export const reimbursedTable = (
  rows: Readonly<ReviewReport['reimbursed']>,
  nameOf: (employerId: number) => string,
): ReportSource => ({
  kind: 'report',
  title: figures.planYearReport.name,
  columns: [
    column('Employer', 'text'),
    column('Plan year', 'text'),
    column('Claims', 'integer'),
    ...planYearSums.map(({ figure }) => column(figure.name, 'money')),
    column(figures.notKnown.name, 'integer'),
  ],
  rows: rows.map((row) => [
    row.employerId === null ? notKnownRow : nameOf(row.employerId),
    row.planYear ?? notKnownRow,
    row.claims,
    ...planYearSums.map(({ sum }) => row[sum].amount),
    row.notKnown,
  ]),
});
