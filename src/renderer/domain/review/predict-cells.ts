import type { Row } from '../../../contract/query.ts';
import type { ReviewAct } from '../../../contract/review.ts';

/** The cells of a claim's row that an act changes, as they will be. */
export function predictCells(act: ReviewAct): Row {
  switch (act.kind) {
    case 'decision':
      return {
        'review.state': act.state,
        'review.outcome': act.outcome,
        'review.on_whom': act.onWhom,
        'review.reason': act.reason,
        'review.reminder': act.reminder,
        'review.cause': act.cause ?? null,
        'review.changed_at': null,
      };
    case 'accept':
      return { 'review.changed_at': null };
    case 'flag':
      return { 'review.flag': act.isFlagged || null };
    case 'owner':
      return { 'review.owner': act.owner };
    case 'reminder':
      return { 'review.reminder': act.day };
    default:
      return {};
  }
}
