import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { ExportColumn } from '../../../contract/export.ts';
import { listNames } from '../../../contract/fields.ts';
import type { Row } from '../../../contract/query.ts';
import { formatCode, formatCountOf, formatValue } from '../../lib/format-value.ts';
import styles from './print-list.module.css';
import { fieldOf, type Printed } from './read-printed.ts';

function textOf(row: Row, { path, kind, isMany }: ExportColumn): string {
  const value = row[path];
  if (isMany === true && typeof value === 'string') return listNames(value).join(', ');
  return formatValue(formatCode(fieldOf(path), value), kind);
}

function Head({ columns }: { columns: readonly ExportColumn[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ path, label }) => (
          <th key={path} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Cells({ row, columns }: { row: Row; columns: readonly ExportColumn[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.path} className={column.kind === 'money' ? styles.amount : undefined}>
          {textOf(row, column)}
        </td>
      ))}
    </tr>
  );
}

/** A claim with its lines below it: side by side the columns of both are too many for a sheet. */
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

/** The rows of each claim together: a claim begins where a row has its columns. */
function groupByClaim(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    if (row['claim.$key'] !== undefined) groups.push([]);
    groups.at(-1)?.push(row);
  }
  return groups;
}

/** The table that is on paper and nowhere else; it is removed when printing has ended. */
export function PrintedList({ printed, onEnd }: { printed: Printed; onEnd: () => void }) {
  useEffect(() => {
    document.body.dataset.printing = 'list';
    window.addEventListener('afterprint', onEnd);
    window.print();
    return () => {
      delete document.body.dataset.printing;
      window.removeEventListener('afterprint', onEnd);
    };
  }, [onEnd]);
  const { title, columns, rows } = printed;
  const isPair = columns.some(({ path }) => /^(claim|line)\./.test(path));
  const ofClaim = columns.filter(({ path }) => !path.startsWith('line.'));
  // A column without a value in any line only takes space from the others.
  const ofLine = columns.filter(
    ({ path }) =>
      path.startsWith('line.') && rows.some((row) => row[path] !== null && row[path] !== undefined),
  );
  return createPortal(
    <section className={styles.sheet} data-print-sheet aria-label="Printed list">
      <h1>{title}</h1>
      <table>
        <Head columns={ofClaim} />
        <tbody>
          {isPair
            ? groupByClaim(rows).map((ofOne) => (
                <ClaimRows key={String(ofOne[0]?.$key)} rows={ofOne} ofClaim={ofClaim} ofLine={ofLine} />
              ))
            : rows.map((row) => <Cells key={String(row.$key)} row={row} columns={columns} />)}
        </tbody>
      </table>
      <p>{formatCountOf(rows.length, 'row')}. SSNs are masked.</p>
    </section>,
    document.body,
  );
}
