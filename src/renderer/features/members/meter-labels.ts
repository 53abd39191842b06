import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { NextPayer } from '../../../rules/plans/accumulators.ts';

export const meterLabels = {
  deductible: 'Deductible',
  drugDeductible: 'Drug deductible',
  outOfPocket: 'Out-of-pocket maximum',
} as const;
export const networkLabels = { all: '', in: ', in network', out: ', out of network' } as const;

const payerLabels: Readonly<Record<NextPayer['payer'], { readonly first: string; readonly all: string }>> = {
  member: { first: 'Member pays the first', all: 'Member pays' },
  account: { first: 'Account pays the first', all: 'Account pays' },
  shared: { first: 'Coinsurance, of which the member pays at most', all: 'Coinsurance' },
  plan: { first: 'Plan pays the first', all: 'Plan pays' },
};
/** "Member pays the first $200.00", what comes next for this member of the family; blank where it is not known. */
export function sayPayer(next: NextPayer | null): string {
  if (next === null) return '';
  const { payer, amount, isAtMost } = next;
  const { first, all } = payerLabels[payer];
  return amount === null ? all : `${first} ${formatTenThousandths(amount)}${isAtMost ? ', or less' : ''}`;
}
