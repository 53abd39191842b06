import { formatTenThousandths } from '../money/format-amount.ts';
import { eligibleParts } from '../money/reimbursement.ts';
import type { PartlyEligible } from './decision.ts';

/** The typed amount of one claim, in ten-thousandths of a dollar; null for a rule, which gives each claim its own. */
export function typedAmountOf(partly: PartlyEligible): number | null {
  if (partly.by === 'amount') return partly.amount;
  return partly.by === 'lines' ? partly.lines.reduce((sum, { amount }) => sum + amount, 0) : null;
}

/** "$120.00", "all but copay and coinsurance", "50%": how much of a claim was decided to be eligible. */
export function describePartly(partly: PartlyEligible): string {
  const typed = typedAmountOf(partly);
  if (typed !== null) return formatTenThousandths(typed);
  if (partly.by === 'share') return `${partly.percent}%`;
  const without = partly.by === 'parts' ? partly.without : [];
  return `all but ${eligibleParts.filter((part) => without.includes(part)).join(' and ')}`;
}
