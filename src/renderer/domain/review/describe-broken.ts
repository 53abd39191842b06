import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { BrokenRule } from '../../../rules/review/review.ts';

/** Why a payment needs a second person: "ana@example.com decided it, and $20.00 is above the team’s $500.00". */
export const describeBroken = ({ above, over, decidedBy }: BrokenRule): string =>
  `${decidedBy} decided it, and this is ${formatTenThousandths(over)} above the team’s ${formatTenThousandths(above)}`;
