import type { ReviewPorts } from './review-ports.ts';

/**
 * The best known time in milliseconds: this computer's clock, corrected by the service's where its offset is known,
 * and never earlier than the service's time when claims were last read.
 */
export async function readKnownTime(
  ports: Pick<ReviewPorts, 'now' | 'getStore'>,
  workspaceId: string,
): Promise<number> {
  const store = await ports.getStore(workspaceId);
  const noted = await store.read('readNotedRead', null);
  return Math.max(ports.now(workspaceId), noted === null ? 0 : Date.parse(noted));
}
