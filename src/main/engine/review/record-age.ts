import type { ReviewedReceipt } from '../../../rules/review/review.ts';
import type { KeptRecord, ReviewedValues } from '../../../rules/review/reviewed-values.ts';

/** The age of the record on this computer, which has no event. */
export const readHere = { receipt: null, isOwn: true } as const;

/** The facts that show which of two records of a claim is newer. */
export interface RecordAge extends KeptRecord {
  /** Whether the service did not return the claim; its age is then the time when that was found. */
  readonly isMissing: boolean;
  /** Whether this computer read it. */
  readonly isOwn: boolean;
}

/** The age of values stored with a review. Up to version 0.2, only the receipt of their sync was stored. */
export const ageOf = (
  values: ReviewedValues,
  { receipt, isOwn }: { readonly receipt: ReviewedReceipt | null; readonly isOwn: boolean },
): RecordAge => ({
  ...(values.record ?? { modified: null, readAt: receipt?.finishedAt ?? null }),
  isMissing: values.fields.$isMissing === true,
  isOwn,
});

const momentPattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** A time of the service as text that sorts by time, to the billionth of a second; null for anything else. */
function toSortable(text: string | null): string | null {
  const match = momentPattern.exec(text?.trim() ?? '');
  if (match === null) return null;
  const [, day, minutes, seconds = '00', fraction = '', zone = 'Z'] = match;
  const wholeMs = Date.parse(`${day}T${minutes}:${seconds}${zone.toUpperCase()}`);
  if (Number.isNaN(wholeMs)) return null;
  return `${new Date(wholeMs).toISOString().slice(0, 20)}${fraction.padEnd(9, '0')}`;
}

/**
 * Returns the times that show that the record here is the older of two; null where it is not, or that is unknown. What
 * this computer read later is newer, whatever its dates. Between two computers, the service's dates of the last change
 * decide if both have one and they differ, otherwise the times of reading.
 */
export function findOlder(
  here: RecordAge,
  kept: RecordAge,
): { readonly here: string | null; readonly kept: string } | null {
  const [changedHere, changedKept] = [toSortable(here.modified), toSortable(kept.modified)];
  const isChangeKnown = changedHere !== null && changedKept !== null && changedHere !== changedKept;
  if (!kept.isOwn && isChangeKnown && !here.isMissing && !kept.isMissing)
    return changedHere < changedKept ? { here: here.modified, kept: kept.modified as string } : null;
  if (kept.readAt === null) return null;
  return here.readAt === null || here.readAt < kept.readAt ? { here: here.readAt, kept: kept.readAt } : null;
}
