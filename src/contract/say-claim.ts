import { daysOf, type SentRange } from '../rules/date-range.ts';
import { formatDay } from '../rules/days.ts';
import { formatPersonName } from '../rules/person-names.ts';
import type { ClaimRecord } from './records.ts';

/** A range as people read it, `03/02/2026 – 03/04/2026`; blank where it has no day. */
export function writeDays(range: SentRange | null | undefined): string {
  const days = range === null || range === undefined ? null : daysOf(range);
  return days === null ? '' : sayDays(days);
}

/** Days as people read them. */
export function sayDays({ first, last }: { first: string | null; last: string | null }): string {
  if (first === null) return `through ${formatDay(last ?? '')}`;
  if (last === null) return `from ${formatDay(first)}`;
  return first === last ? formatDay(first) : `${formatDay(first)} – ${formatDay(last)}`;
}

/** Joins a name from its parts. */
export const nameOf = (person: {
  first_name?: unknown;
  middle_name?: unknown;
  last_name?: unknown;
}): string =>
  formatPersonName([person.first_name, person.middle_name, person.last_name].filter(Boolean).join(' '));

/** The name of the provider who treated the patient, or billed for it; blank where neither is reported. */
export const providerOf = ({ service_provider, service_provider_billing_name }: ClaimRecord): string =>
  String(service_provider ?? '').trim() || String(service_provider_billing_name ?? '').trim();
