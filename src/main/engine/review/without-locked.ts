import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { ReviewPorts } from './review-ports.ts';

/**
 * Leaves out claims that may be decided already: with an entry of a newer version, or while colleagues' reviews of them are
 * still being read. `leftOut` gets their IDs.
 *
 * @throws DeskError `review.newer`, `review.unread` where no claim is left
 */
export async function* withoutLocked(
  ports: Pick<ReviewPorts, 'getUserData'>,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  leftOut: number[],
): AsyncGenerator<readonly ActedClaim[]> {
  const userData = await ports.getUserData(workspaceId);
  let hasAny = false;
  let code: 'review.newer' | 'review.unread' | null = null;
  for await (const part of parts) {
    const claimIds = part.map(({ claimId }) => claimId);
    const { newer, unread } = await userData.call('findLocked', { workspaceId, claimIds });
    const locked = new Set([...newer, ...unread]);
    const rest = locked.size === 0 ? part : part.filter(({ claimId }) => !locked.has(claimId));
    leftOut.push(...locked);
    if (locked.size > 0) code = unread.length > 0 ? 'review.unread' : 'review.newer';
    hasAny ||= rest.length > 0;
    if (rest.length > 0) yield rest;
  }
  if (code !== null && !hasAny) throw new DeskError(code);
}
