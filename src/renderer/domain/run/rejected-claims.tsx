import type { Rejection } from '../../../contract/run-procedures.ts';
import { formatCount } from '../../../rules/count.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SmallPrint } from '../../components/text.tsx';

/** The claims that whoever pays rejected, and why; nothing where there are none. `count`: also those that are not listed. */
export function RejectedClaims({ rows, count }: { rows: readonly Rejection[]; count: number }) {
  if (rows.length === 0) return null;
  return (
    <>
      <Scrollable label="Table of rejected claims">
        <DataTable
          label="Rejected by the payer"
          verticalSpacing={3}
          rows={rows}
          keyOf={({ claimId }) => claimId}
          columns={[
            [
              'Claim',
              ({ claimId }) => (
                <AnchorLink to="/claims/$claimId" params={{ claimId }} search={{}}>
                  {claimId}
                </AnchorLink>
              ),
            ],
            ['Member', ({ member }) => member ?? '(Blank)'],
            ['Amount', ({ amount }) => <Total amount={amount} />, 'amount'],
            ['Reason', ({ reason }) => reason],
          ]}
        />
      </Scrollable>
      {count > rows.length && (
        <SmallPrint>
          Showing the first {formatCount(rows.length)} of {formatCount(count)}.
        </SmallPrint>
      )}
    </>
  );
}
