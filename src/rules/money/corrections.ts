import { type ClaimRun, findOpenRun, isOpenIn } from '../review/run-facts.ts';
import { type ChainRole, isPayable } from './chains.ts';

/** The kinds of rows in a pay file, for recipients that only add up the rows of a claim. */
export const dispositions = { original: 'Original', changed: 'Changed', reversal: 'Reversal' } as const;
type Disposition = keyof typeof dispositions;

/** Another claim of a chain, with its runs. */
export interface MateOfRuns {
  readonly claimId: number;
  readonly role: ChainRole;
  readonly runs: readonly ClaimRun[];
}

/**
 * Sums what recorded runs sent, in ten-thousandths of a dollar, without earlier claims of the same ID.
 * @example sumSent([{ state: 'recorded', amount: 500_000 }, { state: 'sent', amount: 200_000 }]) // 500_000
 */
export const sumSent = (runs: readonly ClaimRun[]): number =>
  runs.reduce(
    (sum, { state, amount, ofEarlier }) =>
      sum + (state === 'recorded' && ofEarlier === undefined ? amount : 0),
    0,
  );

/**
 * Returns the open run that pays a claim or another one of its chain, so that the chain's open amount is not final. A
 * claim that no longer counts is removed from a run that is not sent (`runs.ts`), so it holds nothing.
 */
export const findHoldingRun = (
  ownRuns: readonly ClaimRun[],
  mates: readonly MateOfRuns[],
): ClaimRun | undefined =>
  findOpenRun(ownRuns) ??
  mates
    .flatMap(({ role, runs }) =>
      runs.filter(({ state, amount }) => state === 'sent' || amount < 0 || isPayable(role)),
    )
    .find(({ state }) => isOpenIn(state));

/**
 * Returns the amount that a row needs so that all rows of a claim's chain add up to what is eligible as
 * decided. Amounts are ten-thousandths of a dollar; `open` and `owed` are the balance of the chain, which the
 * claim shows (`decideAmounts`), `sent` the sum of the chain's rows in earlier runs. 0: no difference. Null:
 * the eligible amount is unknown. Disputed and written-off amounts are not reclaimed, nor more than was sent.
 * @example findDifference({ open: 0, owed: 300_000, sent: 500_000 }) // -300_000
 */
export function findDifference(balance: {
  readonly open: number | null;
  readonly owed: number | null;
  readonly sent: number;
}): number | null {
  const { open, owed, sent } = balance;
  if (open === null) return null;
  if (open > 0) return open;
  return -Math.min(owed ?? 0, Math.max(0, sent)) || 0;
}

/**
 * `earlier`: the amounts of the rows of the claim's chain in earlier runs.
 * @example findDisposition([500_000], -500_000) // 'reversal'
 */
export function findDisposition(earlier: readonly number[], amount: number): Disposition {
  if (earlier.length === 0) return 'original';
  return earlier.reduce((sum, earlierAmount) => sum + earlierAmount, amount) === 0 ? 'reversal' : 'changed';
}

/**
 * Returns the reference of a row of a run: the beginning of the run's ID, and the claim.
 * @example referenceOf('1f0c9a7e-42', 7) // '1F0C9A7E-7'
 */
export const referenceOf = (runId: string, claimId: number): string =>
  `${runId.slice(0, 8).toUpperCase()}-${claimId}`;
