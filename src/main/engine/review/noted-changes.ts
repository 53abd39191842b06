import { readDecision } from '../../../rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../../rules/review/fold-review.ts';
import type { ListedFact, ReviewedReceipt } from '../../../rules/review/review.ts';
import {
  compareReviewedValues,
  type ReviewedChange,
  type ReviewedValues,
} from '../../../rules/review/reviewed-values.ts';
import { ageOf, findOlder, type RecordAge, readHere } from './record-age.ts';

/** An event of a claim; `reviewed` is JSON text of the values stored with it. */
interface ListedValues {
  readonly event: {
    readonly id: string;
    readonly fact: ListedFact;
    readonly isUndone: boolean;
    readonly receipt: ReviewedReceipt | null;
    readonly isImported: boolean;
  };
  readonly detail: FoldedEvent['detail'];
  readonly reviewed: string | null;
}

/**
 * The changes of a claim after each of its decisions, by event: up to the next decision or, after the last one, up to
 * now, unless the record here is older. A reopening has its own list of changes. `events`: all events of the claim,
 * newest first; `now` null: the claim is not on this computer.
 */
export function listNoted(
  events: readonly ListedValues[],
  now: ReviewedValues | null,
): Map<string, ReviewedChange[]> {
  const found = new Map<string, ReviewedChange[]>();
  let decided: { readonly id: string; readonly values: ReviewedValues; readonly age: RecordAge } | null =
    null;
  const note = (values: ReviewedValues | null): void => {
    if (decided === null || values === null) return;
    const noted = compareReviewedValues(decided.values, values).filter(({ effect }) => effect === 'noted');
    if (noted.length > 0) found.set(decided.id, noted);
  };
  for (const { event, detail, reviewed } of events.toReversed()) {
    const { id, fact, isUndone, receipt, isImported } = event;
    if (isUndone || fact.kind === 'newer' || fact.kind === 'unreadable') continue;
    if (fact.kind === 'reopened') decided = null;
    else if (fact.kind === 'accept' || readDecision({ fact, detail }) !== null) {
      const values = reviewed === null ? null : (JSON.parse(reviewed) as ReviewedValues);
      note(values);
      decided = values === null ? null : { id, values, age: ageOf(values, { receipt, isOwn: !isImported }) };
    }
  }
  const last = decided as { readonly age: RecordAge } | null;
  if (now !== null && last !== null && findOlder(ageOf(now, readHere), last.age) === null) note(now);
  return found;
}
