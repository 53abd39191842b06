import type { ClaimLineRecord, ClaimRecord } from '../../../contract/records.ts';
import { readTenThousandths } from '../../../rules/money/amounts.ts';
import { isWhole, isWithin } from '../../../rules/money/decided-amounts.ts';
import { computeEligible } from '../../../rules/money/eligible.ts';
import { readEligibleSource } from '../../../rules/money/eligible-source.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { ReimbursementRules } from '../../../rules/money/reimbursement.ts';
import type { PartlyEligible } from '../../../rules/review/decision.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { readAmount, writeAmount } from './typed-amount.ts';

/** The typed amounts of a partly eligible claim: one amount, or one for each of its lines. A blank line counts as 0. */
export interface PartlyDraft {
  readonly by: 'amount' | 'lines';
  readonly amount: string;
  readonly lines: readonly string[];
}

/** The most lines that can be decided one by one. */
export const maxLines = 1000;

const linesOf = (claim: ClaimRecord): readonly ClaimLineRecord[] => claim.claim_medical_lines ?? [];
const orBlank = (amount: number | null): string => (amount === null ? '' : writeAmount(amount));

/** The eligible amount of one line by the rules, treating it as a claim; null where it is unknown. */
function suggestLine(claim: ClaimRecord, line: ClaimLineRecord, rules: ReimbursementRules): number | null {
  const fields = Object.fromEntries(
    Object.entries(line).filter(([, value]) => typeof value === 'number'),
  ) as Readonly<Record<string, number>>;
  const { status = null, network = null } = claim;
  return computeEligible(readEligibleSource({ fields: { ...fields, status, network } }), rules).amount;
}

/** The first values of the form: the earlier decision, otherwise the amounts by the rules. */
export function startDraft(
  review: Pick<ClaimReview, 'partly' | 'eligible' | 'byRules'>,
  claim: ClaimRecord | undefined,
  rules: ReimbursementRules,
): PartlyDraft {
  const { partly } = review;
  const lines = claim === undefined ? [] : linesOf(claim);
  const decided = new Map(
    partly?.by === 'lines' ? partly.lines.map(({ line, amount }) => [line, amount]) : [],
  );
  return {
    by: partly?.by === 'lines' && lines.length > 0 ? 'lines' : 'amount',
    amount: orBlank(partly === null ? review.byRules : review.eligible),
    lines: lines.map((line, index) =>
      orBlank(
        decided.size > 0
          ? (decided.get(index) ?? 0)
          : claim === undefined
            ? null
            : suggestLine(claim, line, rules),
      ),
    ),
  };
}

/** The typed decision, and its eligible amount; null: a value is not an amount. */
export function readDraft({
  by,
  amount,
  lines,
}: PartlyDraft): { partly: PartlyEligible; eligible: number } | null {
  if (by === 'amount') {
    const eligible = readAmount(amount);
    return eligible === null ? null : { partly: { by, amount: eligible }, eligible };
  }
  const amounts = lines.map((typed) => (typed.trim() === '' ? 0 : readAmount(typed)));
  if (amounts.length === 0 || amounts.includes(null)) return null;
  const read = amounts.map((amount, line) => ({ line, amount: amount ?? 0 }));
  return { partly: { by, lines: read }, eligible: read.reduce((sum, entry) => sum + entry.amount, 0) };
}

/** Patient responsibility as sent, else calculated, in ten-thousandths of a dollar. */
const responsibilityOf = (claim: ClaimRecord | undefined): number | null =>
  readTenThousandths(claim?.patient_responsibility ?? claim?.computed_patient_responsibility);

/** The most that can be eligible; null: unknown. */
export const limitOf = (
  review: Pick<ClaimReview, 'byRules'>,
  claim: ClaimRecord | undefined,
): number | null => review.byRules ?? responsibilityOf(claim);

/** A sentence about the first fault in the typed values; null: none. */
export function findProblem(draft: PartlyDraft, limit: number | null): string | null {
  const read = readDraft(draft);
  if (limit === 0 && read?.eligible !== 0) return 'By the rules, none of this claim is eligible.';
  if (read !== null && (limit === null || isWithin(read.eligible, limit))) return null;
  if (limit === null) return 'Enter an amount, for example 12.50.';
  const [least, most] = limit < 0 ? [limit, 0] : [0, limit];
  const range = `from ${formatTenThousandths(least)} to ${formatTenThousandths(most)}`;
  return draft.by === 'amount' ? `Enter an amount ${range}.` : `Enter amounts whose sum is ${range}.`;
}

/** A sentence where the typed values are all that the rules give, which is no part of it; null: they are less. */
export function findWhole(draft: PartlyDraft, byRules: number | null): string | null {
  const eligible = readDraft(draft)?.eligible;
  return eligible !== undefined && isWhole({ eligible, byRules })
    ? 'This is the full amount. Choose Eligible, or enter less.'
    : null;
}
