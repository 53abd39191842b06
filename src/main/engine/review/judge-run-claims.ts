import { isOpenIn } from '../../../contract/run-facts.ts';
import type { LeftOutReason } from '../../../contract/run-procedures.ts';
import type { FoldedReview } from '../store/record/review-facts.ts';
import type { RunClaim } from '../store/worklists/read-runs.ts';
import { readOpen } from './pay-open.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { isToPay, payeeOf } from './run-totals.ts';

type Ports = Pick<ReviewPorts, 'getStore' | 'getUserData' | 'getSettings'>;
type Judged =
  | { readonly claimId: number; readonly amount: number; readonly after: readonly string[] }
  | { readonly claimId: number; readonly reason: LeftOutReason; readonly run?: string };

/** Whether a claim can be put into a run, and with which amount. */
function judge(
  claimId: number,
  { open, review }: { readonly open: number | null; readonly review: FoldedReview | undefined },
): Judged {
  const runs = review?.runs ?? [];
  const other = runs.find(({ state }) => isOpenIn(state));
  if (other !== undefined) return { claimId, reason: 'inRun', run: other.name };
  if (!isToPay(review)) return { claimId, reason: 'notDecided' };
  if (open === null) return { claimId, reason: 'notKnown' };
  if (open <= 0) return { claimId, reason: 'nothingOpen' };
  return {
    claimId,
    amount: open,
    after: runs.filter(({ state }) => state === 'recorded').map(({ id }) => id),
  };
}

/** The same of many claims; those that are not here are left out. */
export async function judgeAll(ports: Ports, workspaceId: string, claimIds: Float64Array): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const open = await readOpen(ports, workspaceId, Array.from(claimIds.subarray(at, at + readAtOnce)));
    for (const [claimId, now] of open) judged.push(judge(claimId, now));
  }
  return judged;
}

/**
 * What members owe back of claims that are in no open run, by claim, at most what these payable claims of the same employer
 * pay the member: an employer's file pays nobody less for another one.
 */
export async function findOffsets(
  ports: Ports,
  workspaceId: string,
  rows: readonly (RunClaim & { amount: number })[],
) {
  const left = new Map<string, number>();
  for (const row of rows) left.set(payeeOf(row), (left.get(payeeOf(row)) ?? 0) + row.amount);
  const store = await ports.getStore(workspaceId);
  const owed = await store.read('readOwedClaims', {
    memberIds: rows.flatMap(({ memberId }) => memberId ?? []),
  });
  const now = await readOpen(
    ports,
    workspaceId,
    owed.map(({ claimId }) => claimId),
  );
  const offsets: { claimId: number; amount: number; after: readonly string[] }[] = [];
  for (const { claimId, ...of } of owed) {
    const payee = payeeOf(of);
    const { owed: isOwed = 0, review } = now.get(claimId) ?? {};
    const runs = review?.runs ?? [];
    const amount = Math.min(isOwed ?? 0, left.get(payee) ?? 0);
    if (amount <= 0 || runs.some(({ state }) => isOpenIn(state))) continue;
    left.set(payee, (left.get(payee) ?? 0) - amount);
    const after = runs.filter(({ state }) => state === 'recorded').map(({ id }) => id);
    offsets.push({ claimId, amount: -amount, after });
  }
  return offsets;
}

/** These claims with their amounts, as the totals of a run need them. */
export async function readAmounts(ports: Ports, workspaceId: string, amounts: ReadonlyMap<number, number>) {
  const store = await ports.getStore(workspaceId);
  const rows = await store.read('readRunClaims', { claimIds: [...amounts.keys()] });
  return rows.map((row) => ({ ...row, amount: amounts.get(row.claimId) as number }));
}
