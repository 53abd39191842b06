import { formatCount } from '../../rules/count.ts';
import { DataTable } from './data-table.tsx';
import { SmallPrint } from './text.tsx';

const shownRows = 200;

/** The rows of a file that can't be used, each with its line, its subject and the reason. */
export function RowsLeftOut<Row extends { readonly line: number }>(props: {
  rows: readonly Row[];
  of: string;
  ofRow: (row: Row) => string;
  why: (row: Row) => string;
}) {
  const { rows, of, ofRow, why } = props;
  return (
    <>
      <DataTable
        label="Rows left out"
        verticalSpacing={3}
        rows={rows.slice(0, shownRows)}
        keyOf={({ line }) => line}
        columns={[
          ['Line', ({ line }) => formatCount(line)],
          [of, (row) => ofRow(row) || '(Blank)'],
          ['Why', why],
        ]}
      />
      {rows.length > shownRows && <SmallPrint>Showing the first {formatCount(shownRows)}.</SmallPrint>}
    </>
  );
}
