import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ExportColumn } from '../../../../../src/contract/export-columns.ts';
import { exportColumnsOf } from '../../../../../src/contract/export-columns.ts';
import { PrintedList } from '../../../../../src/renderer/features/export/print-list.tsx';
import type { Row } from '../../../../../src/rules/query.ts';

const columnsOf = (...paths: string[]): ExportColumn[] => {
  const all = exportColumnsOf({ kind: 'list', query: { entity: 'claims' } });
  return paths.map((path) => all.find((column) => column.path === path) as ExportColumn);
};

/** Prints a list and returns its rows as texts of cells, and the sheet. */
function print(columns: readonly ExportColumn[], rows: readonly Row[], filters = '') {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const printing = vi.fn();
  vi.stubGlobal('print', printing);
  const root = createRoot(document.createElement('div'));
  act(() =>
    root.render(<PrintedList printed={{ title: 'To pay', filters, columns, rows }} onEnd={() => {}} />),
  );
  onTestFinished(() => act(() => root.unmount()));
  expect(printing).toHaveBeenCalledOnce();
  const sheet = document.querySelector('[data-print-sheet]') as HTMLElement;
  const cells = [...sheet.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  );
  return { sheet, cells };
}

test('the last row of a printed list is the exact sum of its rows, of the columns that have amounts', () => {
  const rows = [
    { $key: 1, id: 1, status: 'Rejected', amount_billed: 1000, amount_paid: null },
    { $key: 2, id: 2, status: 'Rejected', amount_billed: 2000, amount_paid: null },
    { $key: 3, id: 3, status: 'Adjusted', amount_billed: -1_000_050, amount_paid: null },
    { $key: 4, id: 4, status: 'Adjusted', amount_billed: 'see contract', amount_paid: null },
  ];
  const { sheet, cells } = print(
    columnsOf('id', 'status', 'amount_billed', 'amount_paid'),
    rows as unknown as Row[],
    'Status is Denied or Adjusted',
  );
  expect(cells.at(-1)).toEqual(['Total', '', '−$99.71', '']);
  expect(cells).toHaveLength(5);
  expect(sheet.textContent).toContain('4 rows. 1 amount not counted in the totals.');
  expect(sheet.textContent).toContain('Status is Denied or Adjusted');
  expect(sheet.dataset.wide).toBeUndefined();
});

test('a list without amounts has no sums; one with many columns is printed in landscape', () => {
  const paths = ['id', 'status', 'patient_name', 'service_provider', 'check_number', 'network', 'type.name'];
  const { sheet, cells } = print(columnsOf(...paths), [
    { $key: 1, id: 1, status: 'Rejected', patient_name: 'DIAZ, DONALD' },
  ] as unknown as Row[]);
  expect(cells).toHaveLength(1);
  expect(cells[0]?.[2], 'a name as on screen').toBe('Donald Diaz');
  expect(sheet.dataset.wide).toBe('true');
});
