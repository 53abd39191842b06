import type { ReviewedReceipt } from '../../../contract/review.ts';
import type { KeptRecord, ReviewedValues } from '../../../contract/reviewed-values.ts';

/** One of two records of a claim, as far as it tells which of them is the newer one. */
export interface RecordAge extends KeptRecord {
  /** The service did not return it: when that was found is its age. */
  readonly isMissing: boolean;
}

/** The age of values that a review kept. Those of version 0.2 and before have only the receipt of the sync behind them. */
export const ageOf = (values: ReviewedValues, receipt: ReviewedReceipt | null): RecordAge => ({
  ...(values.record ?? { modified: null, readAt: receipt?.finishedAt ?? null }),
  isMissing: values.fields.$isMissing === true,
});

const momentPattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** A time of the service as text that sorts as times do, to the billionth of a second; null for what is none. */
function toSortable(text: string | null): string | null {
  const match = momentPattern.exec(text?.trim() ?? '');
  if (match === null) return null;
  const [, day, minutes, seconds = '00', fraction = '', zone = 'Z'] = match;
  const wholeMs = Date.parse(`${day}T${minutes}:${seconds}${zone.toUpperCase()}`);
  if (Number.isNaN(wholeMs)) return null;
  return `${new Date(wholeMs).toISOString().slice(0, 20)}${fraction.padEnd(9, '0')}`;
}

/**
 * The times by which the record here is the older one of two, for a person to see; null where it is not, or nobody knows.
 * The service's date of the last change decides where both have one and they differ, else the later of the reads.
 */
export function findOlder(
  here: RecordAge,
  kept: RecordAge,
): { readonly here: string | null; readonly kept: string } | null {
  const [changedHere, changedKept] = [toSortable(here.modified), toSortable(kept.modified)];
  const isChangeKnown = changedHere !== null && changedKept !== null && changedHere !== changedKept;
  if (isChangeKnown && !here.isMissing && !kept.isMissing)
    return changedHere < changedKept ? { here: here.modified, kept: kept.modified as string } : null;
  if (kept.readAt === null) return null;
  return here.readAt === null || here.readAt < kept.readAt ? { here: here.readAt, kept: kept.readAt } : null;
}
