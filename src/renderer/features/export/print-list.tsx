import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { DeskBridge } from '../../../contract/bridge.ts';
import type { ExportColumn } from '../../../contract/export.ts';
import { listNames } from '../../../contract/fields.ts';
import type { Row } from '../../../contract/query.ts';
import type { ExportRequest } from '../../lib/app-actions.tsx';
import { ask } from '../../lib/desk-error.ts';
import { formatCode, formatCountOf, formatValue } from '../../lib/format-value.ts';
import styles from './print-list.module.css';

/** More rows are for a file. */
export const maxPrintedRows = 2_000;
const rowsPerWindow = 1_000;

/** A list on paper: every row, as the engine sends it, with SSNs masked. */
export interface Printed {
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  readonly rows: readonly Row[];
}

/** Reads every row of a list, or the selected ones, and has it written down that they are printed. */
export async function readPrinted(
  bridge: DeskBridge,
  request: ExportRequest,
  wanted: {
    columns: readonly ExportColumn[];
    isSelection: boolean;
    reason: string | undefined;
    title: string;
  },
): Promise<Printed> {
  const { workspaceId, source, selected } = request;
  const { columns, isSelection, reason, title } = wanted;
  if (source.kind !== 'list') return { title, columns, rows: [] };
  const fields = columns.map(({ path }) => path);
  const isOwn = !isSelection || selected === undefined;
  const { snapshotId, total } = isOwn
    ? await ask(bridge, 'records:open', { workspaceId, query: source.query })
    : { snapshotId: selected.snapshotId, total: selected.count };
  const places = isOwn ? [[0, total - 1] as const] : selected.places;
  await ask(bridge, 'export:notePrinted', {
    workspaceId,
    list: source.query.entity,
    rows: total,
    columns: fields,
    ...(reason === undefined ? {} : { reason }),
  });
  const rows: Row[] = [];
  for (const [first, last] of places) {
    for (let offset = first; offset <= last; offset += rowsPerWindow) {
      const limit = Math.min(rowsPerWindow, last - offset + 1);
      const window = await ask(bridge, 'records:getWindow', {
        workspaceId,
        snapshotId,
        offset,
        limit,
        fields,
      });
      rows.push(...window.rows);
    }
  }
  if (isOwn) void ask(bridge, 'records:close', { workspaceId, snapshotId }).catch(() => undefined);
  return { title, columns, rows };
}

function textOf(row: Row, { path, kind, isMany }: ExportColumn): string {
  const value = row[path];
  if (isMany === true && typeof value === 'string') return listNames(value).join(', ');
  return formatValue(formatCode(path, value), kind);
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
