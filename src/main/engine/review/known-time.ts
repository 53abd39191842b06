import type { ReviewPorts } from './review-ports.ts';

/**
 * What is known to be true of the time, in milliseconds: this computer's clock, put right by the service's where that is
 * known, and no earlier than the service said when claims were last read.
 */
export async function readKnownTime(
  ports: Pick<ReviewPorts, 'now' | 'getStore'>,
  workspaceId: string,
): Promise<number> {
  const store = await ports.getStore(workspaceId);
  const noted = await store.read('readNotedRead', null);
  return Math.max(ports.now(workspaceId), noted === null ? 0 : Date.parse(noted));
}
