import type { BrokenRule } from '../../../rules/review/review.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';

/** Why a payment needs a second person: "ana@example.com decided it, and $20.00 is above the team’s $500.00". */
export const describeBroken = ({ above, over, decidedBy }: BrokenRule): string =>
  `${decidedBy} decided it, and this is ${formatTenThousandths(over)} above the team’s ${formatTenThousandths(above)}`;
