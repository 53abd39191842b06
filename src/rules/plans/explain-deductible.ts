import type { ClaimState, FamilyMeter } from './accumulators.ts';

type Claim = FamilyMeter['claims'][number];

/** For each state, the claims whose deductible does not count; claims that the carrier rejected are in no sum. */
const notCounted: Readonly<Record<Exclude<ClaimState, 'counts' | 'rejected'>, string>> = {
  notProcessed: 'claims not processed yet',
  statusUnknown: 'claims whose status is not known',
  missing: 'claims no longer in the service',
  owedBack: 'claims no longer in the service and owed back',
  duplicate: 'duplicates',
  replaced: 'replaced claims',
  unclear: 'claims that share their number with others',
};

const joinPhrases = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;

/** The main meter of a family's deductible: medical claims, in network if that is counted separately. */
export const mainDeductible = ({ meters }: Pick<FamilyMeter, 'meters'>) =>
  meters.find(({ meter, network }) => meter === 'deductible' && network !== 'out') ?? null;

/**
 * Explains in a sentence why the sum of the deductibles on a family's claims differs from what counts under the plan
 * rules; null: both are equal, or there is no deductible.
 */
export function explainDeductible({ meters, claims, begins, isMidYear }: FamilyMeter): string | null {
  const main = mainDeductible({ meters });
  if (main === null) return null;
  const at = meters.indexOf(main);
  const applies = (claim: Claim): boolean => claim.deductible !== null && claim.deductible !== 0;
  const counted = claims.filter((claim) => claim.state === 'counts' && applies(claim));
  const isElsewhere = (claim: Claim): boolean =>
    claim.shares[at]?.family === 0 &&
    claim.shares.some(
      ({ family }, other) => other !== at && meters[other]?.meter !== 'outOfPocket' && family !== 0,
    );
  const reasons = [
    ...(main.family.applied > main.family.used ? ['amounts above a limit'] : []),
    ...(counted.some(isElsewhere) ? ['claims of a separate deductible'] : []),
    ...Object.entries(notCounted).flatMap(([state, words]) =>
      claims.some((claim) => claim.state === state && applies(claim)) ? [words] : [],
    ),
    ...(isMidYear && !claims.some(({ isEarlier }) => isEarlier) ? [`claims before ${begins}`] : []),
    ...(claims.some(({ deductible }) => deductible === null)
      ? ['claims whose counted amount is not known']
      : []),
  ];
  if (reasons.length === 0) return null;
  return `Deductible on claims adds up every claim of the plan year, so it can include ${joinPhrases(reasons)}.`;
}
