import type { Rejection, Run, RunMark, RunSum, RunTotals } from '../../../contract/run-procedures.ts';
import { type ChainRole, isPayable } from '../../../rules/money/chains.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import { isOpenIn, type RunState } from '../../../rules/review/run-facts.ts';
import type { RunClaim, RunRow } from '../store/worklists/read-runs.ts';

/** Whether a claim counts in the totals of its run. */
export const isInRun = ({ state }: { readonly state: RunState }): boolean =>
  isOpenIn(state) || state === 'recorded';

/** Who is paid, and by which employer. */
export const payeeOf = ({ memberId, employerId }: Pick<RunClaim, 'memberId' | 'employerId'>): string =>
  `${memberId} ${employerId}`;

/** Returns a claim's payment in a run and its file, in ten-thousandths of a dollar. */
export const toPayOf = ({ amount }: Pick<RunRow, 'amount'>): number => amount;

type Summed = RunClaim & Pick<RunRow, 'amount'>;
export const nameOf = ({ memberLast, memberFirst }: RunClaim): string | null =>
  [memberLast, memberFirst].filter((name) => name !== null && name !== '').join(', ') || null;

/** A claim that the payer rejected, and why. */
export const toRejection = (row: RunRow, reason: string): Rejection => ({
  claimId: row.claimId,
  member: nameOf(row),
  amount: row.amount,
  reason,
});

function groupRows<Group extends object>(
  rows: readonly Summed[],
  toGroup: (row: Summed) => Group,
): (Group & RunSum)[] {
  const groups = new Map<string, Group & RunSum>();
  for (const row of rows) {
    const group = toGroup(row);
    const key = JSON.stringify(group);
    const sum = groups.get(key) ?? { ...group, claims: 0, amount: 0 };
    sum.claims += 1;
    sum.amount += toPayOf(row);
    groups.set(key, sum);
  }
  return [...groups.values()].sort((a, b) => b.amount - a.amount);
}

/**
 * Finds the offsets of a run that its payments to the same member by the same employer do not cover, for example after
 * a claim was removed: the last ones of each member. A run of corrections covers all, because its recipient collects.
 */
export function findUncovered<Row extends RunRow>(
  rows: readonly Row[],
  { corrections }: { readonly corrections: boolean },
): Row[] {
  if (corrections) return [];
  const inRun = rows.filter(isInRun);
  return [...Map.groupBy(inRun, payeeOf).values()].flatMap((ofMember) => {
    let left = ofMember.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
    return ofMember.filter(({ amount }) => {
      if (amount >= 0) return false;
      if (-amount > left) return true;
      left += amount;
      return false;
    });
  });
}

/** The sums of these claims of a run. */
export const totalsOf = (rows: readonly Summed[]): RunTotals => ({
  claims: rows.length,
  amount: rows.reduce((sum, row) => sum + toPayOf(row), 0),
  employers: groupRows(rows, ({ employerId, employer }) => ({ employerId, name: employer })),
  members: groupRows(rows, (row) => ({
    memberId: row.memberId,
    name: nameOf(row),
    employer: row.employer,
  })),
});

const order = ['made', 'checked', 'sent', 'recorded'] as const;

/** The progress of a run, and the sums of its claims, from the sums by state. */
export function sumStates(byState: Run['byState']): Pick<Run, 'state' | 'claims' | 'amount' | 'byState'> {
  const inRun = byState.filter(isInRun);
  return {
    state: order.find((state) => inRun.some((entry) => entry.state === state)) ?? 'empty',
    claims: inRun.reduce((sum, { claims }) => sum + claims, 0),
    amount: inRun.reduce((sum, { amount }) => sum + amount, 0),
    byState,
  };
}

/** Whether the claim's decision counts and makes the claim payable. */
export const isToPay = (review: Pick<FoldedReview, 'state' | 'outcome'> | undefined): boolean =>
  review?.state === 'done' && (review.outcome === 'eligible' || review.outcome === 'partlyEligible');

/** Returns what changed on a claim since it was added to an open run; null: nothing. `open` is the current amount. */
export function markOf(
  row: RunRow,
  now:
    | {
        readonly open: number | null;
        readonly owed: number | null;
        readonly role: ChainRole | null;
        readonly review: FoldedReview | undefined;
      }
    | undefined,
): RunMark | null {
  if (!isOpenIn(row.state)) return null;
  if (!row.isHere) return 'removed';
  if (row.isMissing) return 'missing';
  if (row.amount > 0 && now !== undefined && now.role !== null && !isPayable(now.role)) return 'notStanding';
  if (row.amount < 0) return (now?.owed ?? 0) >= -row.amount ? null : 'amount';
  if (!isToPay(now?.review)) return 'reopened';
  return now?.open === row.amount ? null : 'amount';
}
