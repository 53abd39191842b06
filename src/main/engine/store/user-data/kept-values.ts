import { pickEligibleValues } from '../../../../rules/money/eligible-source.ts';
import { readContained } from '../../../../rules/review/fold-review.ts';
import type { ReviewedReceipt } from '../../../../rules/review/review.ts';
import type { ReviewedValues } from '../../../../rules/review/reviewed-values.ts';
import type { Database } from '../file/database.ts';
import { unpackValues } from '../file/packed-values.ts';
import { memo } from '../record/memo.ts';
import { countsBy, newestFirst } from './event-times.ts';
import { hasId } from './stored-events.ts';

/** What an event stores about a claim: its `ReviewedValues` as JSON text, null if that computer lacked the claim. */
export interface KeptClaim {
  readonly reviewed: string | null;
  readonly receipt: ReviewedReceipt | null;
  /** Whether this computer read the values, rather than another one. */
  readonly isOwn: boolean;
}

export const unpackKept = (packed: Buffer | null): string | null =>
  packed === null ? null : unpackValues(packed);

/** Reads what an event stores about a claim; null where it is about other claims. @throws DeskError `store.damaged` */
export function createKeptReader(
  database: Database,
): (workspaceId: string, claimId: number, eventId: string) => KeptClaim | null {
  const readKept = database.prepare(
    `SELECT c.reviewed, e.receipt, e.is_imported FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
     WHERE c.claim_id=:claimId AND ${hasId('e.packed_id', ':eventId')} AND e.workspace_id=:workspaceId`,
  );
  return (workspaceId, claimId, eventId) => {
    const row = readKept.get({ workspaceId, claimId, eventId }) as
      | { reviewed: Buffer | null; receipt: string | null; is_imported: number }
      | undefined;
    if (row === undefined) return null;
    const receipt =
      row.receipt === null
        ? null
        : readContained(() => JSON.parse(row.receipt as string) as ReviewedReceipt, null);
    return { reviewed: unpackKept(row.reviewed), receipt, isOwn: row.is_imported === 0 };
  };
}

/** Reads what an event stores about a claim, and the receipt of the sync from which the values came. */
export function readReviewed(
  database: Database,
  request: { workspaceId: string; claimId: number; eventId: string },
): KeptClaim | null {
  return createKeptReader(database)(request.workspaceId, request.claimId, request.eventId);
}

function pickPaidValues(packed: Buffer | undefined): string | null {
  if (packed === undefined) return null;
  return JSON.stringify(pickEligibleValues(JSON.parse(unpackValues(packed)) as ReviewedValues));
}

/**
 * The values from which the eligible amount of a claim was computed at a payment, as JSON text: stored with that event
 * or, if it has none, with the newest event before it.
 */
export function readPaidValues(
  database: Database,
  request: { workspaceId: string; payments: { claimId: number; eventId: string }[] },
): { claimId: number; values: string | null }[] {
  const { workspaceId } = request;
  const readSeq = database
    .prepare(`SELECT seq FROM review_events WHERE workspace_id=:workspaceId AND ${hasId('packed_id', ':id')}`)
    .pluck();
  const readOwn = database
    .prepare('SELECT reviewed FROM review_event_claims WHERE claim_id=? AND event_seq=?')
    .pluck();
  const readBefore = database
    .prepare(
      `SELECT c.reviewed FROM review_events paid JOIN review_event_claims c ON c.claim_id=:claimId AND c.reviewed IS NOT NULL
       JOIN review_events e ON e.seq=c.event_seq AND e.workspace_id=paid.workspace_id
       WHERE paid.seq=:seq AND (${countsBy('e')}, e.at, e.id)<=(${countsBy('paid')}, paid.at, paid.id)
       ORDER BY ${newestFirst} LIMIT 1`,
    )
    .pluck();
  // One event may pay thousands of claims.
  const seqByEvent = new Map<string, { seq: unknown }>();
  return request.payments.map(({ claimId, eventId }) => {
    const { seq } = memo(seqByEvent, eventId, () => ({
      seq: readSeq.get({ workspaceId, id: eventId }) ?? null,
    }));
    const packed = readOwn.get(claimId, seq) ?? readBefore.get({ claimId, seq });
    return { claimId, values: pickPaidValues(packed as Buffer | undefined) };
  });
}
