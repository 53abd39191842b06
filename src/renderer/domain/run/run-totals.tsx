import type { ReactNode } from 'react';
import type { RunTotals } from '../../../contract/run-procedures.ts';
import { formatCount } from '../../../rules/count.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SmallPrint } from '../../components/text.tsx';

export const nameOfEmployer = ({
  employerId,
  name,
}: Pick<RunTotals['employers'][number], 'employerId' | 'name'>): string =>
  name ?? (employerId === null ? '(Blank)' : `Employer ${employerId}`);

/** The sums of a run by employer. */
export function EmployerTotals(props: {
  rows: RunTotals['employers'];
  action?: (row: RunTotals['employers'][number]) => ReactNode;
}) {
  const { rows, action } = props;
  return (
    <Scrollable label="Table of employers">
      <DataTable
        label="By employer"
        verticalSpacing={3}
        rows={rows}
        columns={[
          ['Employer', nameOfEmployer],
          ['Claims', ({ claims }) => formatCount(claims), 'amount'],
          ['Amount', ({ amount }) => <Total amount={amount} />, 'amount'],
          ...(action === undefined ? [] : [['', action] as const]),
        ]}
      />
    </Scrollable>
  );
}

/** The sums of a run by member, the first of them. */
export const MemberTotals = ({ rows, shown }: { rows: RunTotals['members']; shown: number }) => (
  <>
    <Scrollable label="Table of members">
      <DataTable
        label="By member"
        verticalSpacing={3}
        rows={rows.slice(0, shown)}
        columns={[
          ['Member', ({ memberId, name }) => name ?? (memberId === null ? '(Blank)' : `Member ${memberId}`)],
          ['Employer', ({ employer }) => employer ?? '(Blank)'],
          ['Claims', ({ claims }) => formatCount(claims), 'amount'],
          ['Amount', ({ amount }) => <Total amount={amount} />, 'amount'],
        ]}
      />
    </Scrollable>
    {rows.length > shown && (
      <SmallPrint>
        Showing the first {formatCount(shown)} of {formatCount(rows.length)} members.
      </SmallPrint>
    )}
  </>
);
