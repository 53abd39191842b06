import { letterEmployerIn } from '../../../contract/letter-settings.ts';
import { spellingsName } from '../../../contract/stored-spellings.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatDay } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { partLabels } from '../../../rules/review/review-labels.ts';
import type { TeamChange } from '../../../rules/review/team-settings.ts';
import { monthNames } from '../../lib/format-date.ts';

const labels: Readonly<Record<TeamChange['setting'], string>> = {
  planYearStart: 'plan year start',
  parts: 'eligible parts',
  networks: 'networks that count',
  runOutDays: 'run-out',
  highCostFrom: 'high-cost threshold',
  decideDays: 'days to decide',
  appealDays: 'days to appeal',
  answerDays: 'days to answer an appeal',
  planRules: 'plan rules',
  runLayout: 'layout of reimbursement files',
  reviewsFrom: 'first day of service to review',
  declineCauses: 'reasons for declining',
  twoPeopleAbove: 'two-person rule',
  minVersion: 'minimum version',
  noteTemplates: 'note templates',
  view: 'view',
  decisionRule: 'rule',
  decisionRuleOrder: 'order of rules',
};

/** The value that a setting got, in words; null: a long text. */
function describeValue(change: TeamChange): string | null {
  if (change.value === undefined) return 'the default';
  switch (change.setting) {
    case 'planYearStart':
      return monthNames[(change.value as number) - 1] ?? null;
    case 'parts':
      return change.value.map((part) => partLabels[part]).join(', ') || 'none';
    case 'networks':
      return change.value === null ? 'any' : change.value.join(', ');
    case 'runOutDays':
    case 'appealDays':
    case 'answerDays':
      return formatCountOf(change.value, 'day');
    case 'decideDays':
      return change.value === null ? 'none' : formatCountOf(change.value, 'day');
    case 'highCostFrom':
      return change.value === null ? 'none' : formatTenThousandths(change.value);
    case 'planRules':
      return formatCountOf(change.value.years.length, 'plan year');
    case 'runLayout':
      return formatCountOf(change.value.columns.length, 'column');
    case 'decisionRule':
      return `${change.value.name}: ${change.value.state === 'do' ? 'decides' : change.value.state}`;
    case 'minVersion':
      return change.value;
    case 'reviewsFrom':
      return formatDay(change.value);
    case 'twoPeopleAbove':
      return `payments above ${formatTenThousandths(change.value)}`;
    default:
      return null;
  }
}

/** The value of a setting where it is listed: of long texts their number. */
export function describeCurrent(change: TeamChange): string {
  if (change.value === undefined) return 'Default';
  if (change.setting === 'declineCauses' || change.setting === 'noteTemplates')
    return formatCountOf(change.value.length, 'text');
  if (change.setting === 'view') return 'Shared';
  return (describeValue(change) ?? '').replace(/^./, (letter) => letter.toUpperCase());
}

/** Names of the employers that are known here, by ID. */
type Employers = ReadonlyMap<number, string | null>;

/** The employer of a setting; null: all employers. */
export const employerOf = (change: TeamChange): number | null =>
  'employerId' in change
    ? change.employerId
    : change.setting === 'view'
      ? Number(letterEmployerIn(change.name)) || null
      : null;

function ofEmployer(change: TeamChange, employers: Employers): string {
  const employerId = employerOf(change);
  return employerId === null ? '' : ` for ${employers.get(employerId) ?? `employer ${employerId}`}`;
}

/** The label of a setting that is stored as a view: lists of people, and settings whose texts must be encrypted. */
function labelOfView(name: string): string {
  if (name === spellingsName) return 'spellings';
  return letterEmployerIn(name) === null ? `view “${name}”` : 'letters';
}

/** Which setting it is, as in "Run-out for Acme". */
export function describeSetting(change: TeamChange, employers: Employers): string {
  const label = change.setting === 'view' ? labelOfView(change.name) : labels[change.setting];
  return `${label.replace(/^./, (letter) => letter.toUpperCase())}${ofEmployer(change, employers)}`;
}

/** Describes a change with its author, as in "dana@example.com changed run-out to 60 days for Acme". */
export function describeChange(author: string, change: TeamChange, employers: Employers): string {
  const { setting } = change;
  if (setting === 'view')
    return `${author} ${change.value === undefined ? 'removed' : 'shared'} ${labelOfView(change.name)}${ofEmployer(change, employers)}`;
  const value = describeValue(change);
  const to = value === null ? '' : ` to ${value}`;
  return `${author} changed ${labels[setting]}${to}${ofEmployer(change, employers)}`;
}

/** The settings that a team has in any case, as changes to their defaults; the two-person rule is shown by its field. */
export const settingsOfAll: readonly TeamChange[] = [
  ...(
    [
      'planYearStart',
      'parts',
      'networks',
      'runOutDays',
      'highCostFrom',
      'decideDays',
      'appealDays',
      'answerDays',
    ] as const
  ).map((setting) => ({
    setting,
    employerId: null,
  })),
  ...(['reviewsFrom', 'declineCauses', 'noteTemplates'] as const).map((setting) => ({ setting })),
];
