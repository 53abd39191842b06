import { formatCode } from '../../../contract/code-labels.ts';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { listNames } from '../../../rules/list-fields.ts';
import { isUnreadCell, sumCells } from '../../../rules/money/amounts.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { formatPersonName, personNames } from '../../../rules/person-names.ts';
import type { Row } from '../../../rules/query.ts';
import { PrintSheet } from '../../components/print-sheet.tsx';
import { sayNotCounted } from '../../lib/format-money.ts';
import { formatCell } from '../../lib/format-value.ts';
import styles from './print-list.module.css';
import { fieldOf, type Printed } from './read-printed.ts';

function textOf(row: Row, { path, kind, isMany }: ExportColumn): string {
  const value = row[path];
  const format = personNames.has(fieldOf(path)) ? formatPersonName : String;
  if (isMany === true && typeof value === 'string') return listNames(value).map(format).join(', ');
  if (format !== String && typeof value === 'string') return format(value);
  return formatCell(formatCode(fieldOf(path), value), kind);
}

const classOf = ({ kind }: ExportColumn): string | undefined =>
  kind === 'money' ? styles.amount : kind === 'text' ? undefined : styles.whole;

const Head = ({ columns }: { columns: readonly ExportColumn[] }) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column.path} scope="col" className={classOf(column)}>
          {column.label}
        </th>
      ))}
    </tr>
  </thead>
);

/** The sums of the amounts; nothing where no column has any. */
function Totals({ columns, rows }: Pick<Printed, 'columns' | 'rows'>) {
  const sums = columns.map(({ path, kind }) =>
    kind === 'money' ? sumCells(rows.map((row) => row[path])).sum : null,
  );
  if (sums.every((sum) => sum === null)) return null;
  const label = sums.indexOf(null);
  return (
    <tr className={styles.totals}>
      {columns.map(({ path }, index) => {
        const sum = sums[index] ?? null;
        return (
          <td key={path} className={sum === null ? undefined : styles.amount}>
            {index === label ? 'Total' : sum !== null && formatTenThousandths(sum)}
          </td>
        );
      })}
    </tr>
  );
}

const Cells = ({ row, columns }: { row: Row; columns: readonly ExportColumn[] }) => (
  <tr>
    {columns.map((column) => (
      <td key={column.path} className={classOf(column)}>
        {textOf(row, column)}
      </td>
    ))}
  </tr>
);

/** A claim with its lines below it, because the columns of both side by side do not fit on a sheet. */
function ClaimRows(props: {
  rows: readonly Row[];
  ofClaim: readonly ExportColumn[];
  ofLine: readonly ExportColumn[];
}) {
  const { rows, ofClaim, ofLine } = props;
  const [claim] = rows;
  const lines = rows.filter((row) => row['line.$key'] !== undefined);
  return (
    <>
      {claim !== undefined && ofClaim.length > 0 && <Cells row={claim} columns={ofClaim} />}
      {lines.length > 0 && ofLine.length > 0 && (
        <tr>
          <td colSpan={Math.max(1, ofClaim.length)} className={styles.lines}>
            <table>
              <Head columns={ofLine} />
              <tbody>
                {lines.map((line) => (
                  <Cells key={String(line.$key)} row={line} columns={ofLine} />
                ))}
              </tbody>
            </table>
          </td>
        </tr>
      )}
    </>
  );
}

/** Groups rows by claim: a row with the columns of a claim begins a new one. */
function groupByClaim(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    if (row['claim.$key'] !== undefined) groups.push([]);
    groups.at(-1)?.push(row);
  }
  return groups;
}

/** The most columns that are printed upright; with more, a sheet is printed in landscape. */
const maxUpright = 6;

/** The printed table, which is not shown in the window; it is removed when printing has ended. */
export function PrintedList({ printed, onEnd }: { printed: Printed; onEnd: () => void }) {
  const { title, filters, columns, rows } = printed;
  // Amounts that can't be numbers are printed as received, and are not in the sums.
  const notCounted = columns.reduce(
    (count, { path, kind }) =>
      count + (kind === 'money' ? rows.filter((row) => isUnreadCell(row[path])).length : 0),
    0,
  );
  const isPair = columns.some(({ path }) => /^(claim|line)\./.test(path));
  const ofClaim = columns.filter(({ path }) => !path.startsWith('line.'));
  // A column without a value in any line only takes space from the others.
  const ofLine = columns.filter(
    ({ path }) =>
      path.startsWith('line.') && rows.some((row) => row[path] !== null && row[path] !== undefined),
  );
  return (
    <PrintSheet
      onEnd={onEnd}
      className={styles.sheet ?? ''}
      data-wide={Math.max(ofClaim.length, ofLine.length) > maxUpright || undefined}
      aria-label="Printed list"
    >
      <h1>{title}</h1>
      {filters !== '' && <p>{filters}</p>}
      <table>
        <Head columns={ofClaim} />
        <tbody>
          {isPair
            ? groupByClaim(rows).map((ofOne) => (
                <ClaimRows key={String(ofOne[0]?.$key)} rows={ofOne} ofClaim={ofClaim} ofLine={ofLine} />
              ))
            : rows.map((row) => <Cells key={String(row.$key)} row={row} columns={columns} />)}
          <Totals columns={ofClaim} rows={rows} />
        </tbody>
      </table>
      <p>
        {formatCountOf(rows.length, 'row')}.{notCounted > 0 && ` ${sayNotCounted(notCounted)} in the totals.`}{' '}
        SSNs are masked.
      </p>
    </PrintSheet>
  );
}
