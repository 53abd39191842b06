import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import type { ReviewPorts } from './review-ports.ts';

/**
 * Leaves out claims with an entry of a newer version, which can be a decision. `leftOut` gets their IDs.
 *
 * @throws DeskError `review.newer` where no claim is left
 */
export async function* withoutNewer(
  ports: Pick<ReviewPorts, 'getUserData'>,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  leftOut: number[],
): AsyncGenerator<readonly ActedClaim[]> {
  const userData = await ports.getUserData(workspaceId);
  let [hasAny, hasNewer] = [false, false];
  for await (const part of parts) {
    const claimIds = part.map(({ claimId }) => claimId);
    const newer = new Set(await userData.call('findNewer', { workspaceId, claimIds }));
    const rest = newer.size === 0 ? part : part.filter(({ claimId }) => !newer.has(claimId));
    leftOut.push(...newer);
    hasNewer ||= newer.size > 0;
    hasAny ||= rest.length > 0;
    if (rest.length > 0) yield rest;
  }
  if (hasNewer && !hasAny) throw new DeskError('review.newer');
}
