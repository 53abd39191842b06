import type { ReportSource } from '../../../contract/export.ts';
import { countDecided, type DecidedCounts, type PersonReport } from '../../../contract/people-report.ts';
import { ageRanges } from '../../../rules/age-ranges.ts';
import { formatCount } from '../../../rules/count.ts';
import { type DecidedKind, sayAuthor } from '../../../rules/review/decided-by.ts';
import { reviewOutcomes } from '../../../rules/review/decision.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import { figures } from '../../domain/figure/figures.ts';
import { column } from './report-rows.ts';

/** Returns a row's name for an owner or author. */
export function sayPerson({ kind, person, isVerified, isYou }: PersonReport): string {
  if (kind === 'unassigned') return 'Unassigned';
  const name = sayAuthor({ email: person, isVerified });
  if (isYou) return `${name} (you)`;
  if (kind === 'outsider' && isVerified) return `${name} (not in the team)`;
  return kind === 'former' ? `${name} (left the team)` : name;
}

/** The numbers of decided claims, with their labels. */
export const decidedFigures: readonly { readonly kind: DecidedKind; readonly label: string }[] = [
  ...reviewOutcomes.map((outcome) => ({ kind: outcome, label: outcomeLabels[outcome] })),
  { kind: 'decided', label: 'All' },
  { kind: 'reopened', label: figures.reopenedOfPerson.name },
  { kind: 'checked', label: figures.qualityChecks.name },
  { kind: 'disagreed', label: 'Disagreed' },
];

/** Returns whether the person decided something in the period, or others checked a decision of theirs. */
export const hasDecided = ({ decided, days, checked }: PersonReport): boolean =>
  decided.claims > 0 || days.length > 0 || checked > 0;

/** Returns the key that identifies a row. */
export const keyOfPerson = ({ kind, person, isVerified }: PersonReport): string =>
  `${kind} ${person} ${isVerified}`;

/** The most rows that are shown; the export has all. */
export const maxShownPeople = 60;
export const sayMore = (rows: readonly unknown[]): string =>
  `The first ${maxShownPeople} of ${formatCount(rows.length)} rows. The export has all.`;

export const countOpen = ({ open }: PersonReport): number => open.reduce((sum, count) => sum + count, 0);

/** Returns whether the row has open claims; members, and claims without an owner, have a row regardless. */
export const hasOpen = (person: PersonReport): boolean =>
  person.kind === 'member' || person.kind === 'unassigned' || countOpen(person) > 0;

/** The decisions of one author on one day; lists have the newest first. */
export interface PersonDay {
  readonly person: PersonReport;
  readonly counts: DecidedCounts & { readonly day: string };
}
export const listDays = (people: readonly PersonReport[]): PersonDay[] =>
  people
    .flatMap((person) => person.days.map((counts) => ({ person, counts })))
    .sort((personDay, other) =>
      personDay.counts.day < other.counts.day ? 1 : personDay.counts.day > other.counts.day ? -1 : 0,
    );

const personColumn = { ...column('Person', 'text'), identifies: true };

export const openPeopleTable = (people: readonly PersonReport[], day: string): ReportSource => ({
  kind: 'report',
  title: figures.openByPerson.name,
  columns: [
    personColumn,
    ...ageRanges(day).map(({ label }) => column(label, 'integer')),
    column('All', 'integer'),
  ],
  rows: people.map((person) => [sayPerson(person), ...person.open, countOpen(person)]),
});

export const decidedPeopleTable = (people: readonly PersonReport[]): ReportSource => ({
  kind: 'report',
  title: figures.decidedByPerson.name,
  columns: [personColumn, ...decidedFigures.map(({ label }) => column(label, 'integer'))],
  rows: people.map((person) => [
    sayPerson(person),
    ...decidedFigures.map(({ kind }) => countDecided(person, kind)),
  ]),
});

export const decidedDaysTable = (days: readonly PersonDay[]): ReportSource => ({
  kind: 'report',
  title: figures.decidedByDay.name,
  columns: [
    column('Day', 'date'),
    personColumn,
    ...reviewOutcomes.map((outcome) => column(outcomeLabels[outcome], 'integer')),
    column('All', 'integer'),
    column(figures.reopenedOfPerson.name, 'integer'),
  ],
  rows: days.map(({ person, counts: { day, byOutcome, claims, reopened } }) => [
    day,
    sayPerson(person),
    ...reviewOutcomes.map((outcome) => byOutcome[outcome]),
    claims,
    reopened,
  ]),
});
