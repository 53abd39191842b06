import type { Rejection } from '../../../contract/run-procedures.ts';
import { Total } from '../../components/amount.tsx';
import { ClaimsOfRun } from './claims-of-run.tsx';

/** Lists the claims that the payer rejected, and why; nothing where there are none. `count` has all. */
export function RejectedClaims({ rows, count }: { rows: readonly Rejection[]; count: number }) {
  if (rows.length === 0) return null;
  return (
    <ClaimsOfRun
      label="Rejected by the payer"
      rows={rows}
      count={count}
      columns={[
        ['Member', ({ member }) => member ?? '(Blank)'],
        ['Amount', ({ amount }) => <Total amount={amount} />, 'amount'],
        ['Reason', ({ reason }) => reason],
      ]}
    />
  );
}
