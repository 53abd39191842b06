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
  return createPortal(
    <section className={styles.sheet} data-print-sheet aria-label="Printed list">
      <h1>{printed.title}</h1>
      <table>
        <thead>
          <tr>
            {printed.columns.map(({ path, label }) => (
              <th key={path} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {printed.rows.map((row) => (
            <tr key={String(row.$key)}>
              {printed.columns.map((column) => (
                <td key={column.path} className={column.kind === 'money' ? styles.amount : undefined}>
                  {textOf(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>{formatCountOf(printed.rows.length, 'row')}. SSNs are masked.</p>
    </section>,
    document.body,
  );
}
