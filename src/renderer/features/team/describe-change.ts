import { partLabels } from '../../../contract/review-labels.ts';
import type { TeamChange } from '../../../contract/team-settings.ts';
import { formatDay, monthNames } from '../../lib/format-date.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';
import { formatCountOf } from '../../lib/format-value.ts';

const labels: Readonly<Record<TeamChange['setting'], string>> = {
  planYearStart: 'plan year start',
  parts: 'eligible parts',
  networks: 'networks that count',
  runOutDays: 'run-out',
  highCostFrom: 'high-cost threshold',
  reviewsFrom: 'first day of service to review',
  declineCauses: 'reasons for declining',
  twoPeopleAbove: 'two-person rule',
  noteTemplates: 'note templates',
  view: 'view',
};

/** The value that a setting got, in words; null: a long text, or the usual value. */
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
      return formatCountOf(change.value, 'day');
    case 'highCostFrom':
      return change.value === null ? 'none' : formatTenThousandths(change.value);
    case 'reviewsFrom':
      return formatDay(change.value);
    case 'twoPeopleAbove':
      return `payments above ${formatTenThousandths(change.value)}`;
    default:
      return null;
  }
}

/** What was changed, as in "Changed run-out to 60 days for Acme". `employers`: names of those that are known here. */
export function describeChange(change: TeamChange, employers: ReadonlyMap<number, string | null>): string {
  const { setting } = change;
  if (setting === 'view')
    return change.value === undefined ? `Removed view “${change.name}”` : `Shared view “${change.name}”`;
  const value = describeValue(change);
  const employerId = 'employerId' in change ? change.employerId : null;
  const of = employerId === null ? '' : ` for ${employers.get(employerId) ?? `employer ${employerId}`}`;
  return `Changed ${labels[setting]}${value === null ? '' : ` to ${value}`}${of}`;
}
