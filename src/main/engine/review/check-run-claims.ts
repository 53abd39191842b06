import type { LeftOutReason } from '../../../contract/run-procedures.ts';
import { type ChainRole, isPayable, mayBeWorkedOn } from '../../../rules/money/chains.ts';
import {
  findDifference,
  findHoldingRun,
  type MateOfRuns,
  sumSent,
} from '../../../rules/money/corrections.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import type { RunClaim } from '../store/worklists/read-runs.ts';
import { readOpen } from './pay-open.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { isToPay, payeeOf } from './run-totals.ts';

type Ports = Pick<ReviewPorts, 'getStore' | 'getUserData' | 'getSettings'>;
type CheckedRunClaim =
  | { readonly claimId: number; readonly amount: number; readonly after: readonly string[] }
  | { readonly claimId: number; readonly reason: LeftOutReason; readonly run?: string };

/** Why a claim of a chain is held back from runs; null: it is not. */
export function findHeld(role: ChainRole | null): 'awaitsCorrection' | 'notStanding' | null {
  if (role === 'awaitsCorrection') return role;
  return role === null || isPayable(role) ? null : 'notStanding';
}

/**
 * Whether a claim can be added to a run, and with which amount. `corrections`: an amount below zero is allowed, where
 * the eligible amount of its chain as decided is less than earlier runs sent for the chain. A claim that no longer
 * counts needs no decision for that.
 */
export function checkRunClaim(
  claimId: number,
  now: {
    readonly open: number | null;
    readonly owed: number | null;
    readonly review: FoldedReview | undefined;
    readonly role: ChainRole | null;
    readonly mates: readonly MateOfRuns[];
  },
  corrections: boolean,
): CheckedRunClaim {
  const { open, owed, review, role, mates } = now;
  const runs = review?.runs ?? [];
  const other = findHoldingRun(runs, mates);
  if (other !== undefined) return { claimId, reason: 'inRun', run: other.name };
  const recorded = runs.filter(({ state }) => state === 'recorded');
  const after = recorded.map(({ id }) => id);
  if (corrections && (review?.state === 'done' || (role !== null && !mayBeWorkedOn(role)))) {
    const sent = sumSent([...runs, ...mates.flatMap((mate) => mate.runs)]);
    const difference = findDifference({ open, owed, sent });
    if (difference !== null && difference < 0) return { claimId, amount: difference, after };
  }
  const held = findHeld(role);
  if (held !== null) return { claimId, reason: held };
  if (!isToPay(review)) return { claimId, reason: 'notDecided' };
  if (open === null) return { claimId, reason: 'notKnown' };
  if (open <= 0) return { claimId, reason: 'nothingOpen' };
  return { claimId, amount: open, after };
}

/** Does the same for many claims; those that are not here are left out. */
export async function checkRunClaims(
  ports: Ports,
  workspaceId: string,
  claimIds: Float64Array,
  corrections = false,
): Promise<CheckedRunClaim[]> {
  const checked: CheckedRunClaim[] = [];
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const open = await readOpen(ports, workspaceId, Array.from(claimIds.subarray(at, at + readAtOnce)));
    for (const [claimId, now] of open) checked.push(checkRunClaim(claimId, now, corrections));
  }
  return checked;
}

/**
 * Finds what members owe back on claims that are in no open run, by claim. It is at most what these payable claims of
 * the same employer pay the member: one employer's file never pays less because of another employer.
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
  for (const { claimId, ...claim } of owed) {
    const payee = payeeOf(claim);
    const { owed: isOwed = 0, review, mates = [] } = now.get(claimId) ?? {};
    const runs = review?.runs ?? [];
    const amount = Math.min(isOwed ?? 0, left.get(payee) ?? 0);
    if (amount <= 0 || findHoldingRun(runs, mates) !== undefined) continue;
    left.set(payee, (left.get(payee) ?? 0) - amount);
    const after = runs.filter(({ state }) => state === 'recorded').map(({ id }) => id);
    offsets.push({ claimId, amount: -amount, after });
  }
  return offsets;
}

/** Reads these claims with their amounts, for the totals of a run. */
export async function readAmounts(ports: Ports, workspaceId: string, amounts: ReadonlyMap<number, number>) {
  const store = await ports.getStore(workspaceId);
  const rows = await store.read('readRunClaims', { claimIds: [...amounts.keys()] });
  return rows.map((row) => ({ ...row, amount: amounts.get(row.claimId) as number }));
}
