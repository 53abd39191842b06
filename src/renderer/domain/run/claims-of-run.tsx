import { formatCount } from '../../../rules/count.ts';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SmallPrint } from '../../components/text.tsx';

/** Claims of a run as rows, each with the link to its page. `count`: also those that are not listed. */
export function ClaimsOfRun<Row extends { readonly claimId: number }>(props: {
  label: string;
  rows: readonly Row[];
  count: number;
  columns: readonly TableColumn<Row>[];
}) {
  const { label, rows, count, columns } = props;
  return (
    <>
      <Scrollable label={`Table: ${label}`}>
        <DataTable
          label={label}
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
            ...columns,
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
