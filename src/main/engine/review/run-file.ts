import type { Cell } from '../../../contract/query.ts';
import {
  columnsOf,
  fileColumnsOf,
  type LayoutField,
  layoutFields,
  type RunLayout,
} from '../../../contract/run-layout.ts';
import type { RunRow } from '../store/worklists/read-runs.ts';
import { isInRun, nameOf, toPayOf } from './run-totals.ts';

/** What the file of a run has besides its claims. */
export interface RunOfFile {
  readonly name: string;
  readonly account: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}
/** The claims of one row of the file: one, or all of a member. */
type RowOfFile = readonly [RunRow, ...RunRow[]];

/**
 * Ten-thousandths of a dollar to the cent, as a layout writes amounts. An amount below zero, which lowers a payment, is in
 * parentheses where it is not a plain number: spreadsheets would read a sign before other texts as a formula.
 */
export function writeLayoutAmount(amount: number, form: RunLayout['amounts']): string {
  const cents = Math.abs(Math.round(amount / 100));
  const sign = amount < 0 ? '-' : '';
  if (form === '123450') return `${sign}${cents}`;
  const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  if (form === '1234.50') return `${sign}${text}`;
  const grouped = text.replace(/\B(?=(\d{3})+\.)/g, ',');
  const shown = form === '$1,234.50' ? `$${grouped}` : grouped;
  return amount < 0 ? `(${shown})` : shown;
}

export function writeLayoutDay(day: string, form: RunLayout['dates']): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return form.replace('YYYY', year).replace('MM', month).replace('DD', date);
}

/** The claims of a file, each by itself or by member. Claims that name no member are rows of their own. */
function toRows(rows: readonly RunRow[], by: RunLayout['rows']): RowOfFile[] {
  if (by === 'claim') return rows.map((row): RowOfFile => [row]);
  return [
    ...Map.groupBy(rows, ({ memberId, claimId }) =>
      memberId === null ? `claim ${claimId}` : memberId,
    ).values(),
  ] as unknown as RowOfFile[];
}

function cellOf(field: LayoutField, rows: RowOfFile, run: RunOfFile): string | number | null {
  const [row] = rows;
  switch (field) {
    case 'memberId':
      return row.memberId === null ? null : String(row.memberId);
    case 'claim':
      return String(row.claimId);
    case 'amount':
      return rows.reduce((sum, one) => sum + toPayOf(one), 0);
    case 'claims':
      return rows.length;
    case 'run':
      return run.name;
    case 'account':
      return run.account;
    case 'today':
      return run.today;
    case 'fixed':
      return null;
    default:
      return row[field];
  }
}

/**
 * The rows of the file of a run by a layout, in the order of members' names: each cell as its column has it
 * (`fileColumnsOf`).
 */
export function rowsOfFile(all: readonly RunRow[], layout: RunLayout, run: RunOfFile): Cell[][] {
  const columns = columnsOf(layout);
  const kinds = fileColumnsOf(layout).map(({ kind }) => kind);
  const sorted = all
    .filter(isInRun)
    .map((row) => ({ row, name: nameOf(row) ?? '' }))
    .sort((a, b) => (a.name === b.name ? a.row.claimId - b.row.claimId : a.name < b.name ? -1 : 1))
    .map(({ row }) => row);
  return toRows(sorted, layout.rows).map((rows) =>
    columns.map(({ field, text = '' }, index) => {
      const value = field === 'fixed' ? text : cellOf(field, rows, run);
      if (value === null) return null;
      if (field === 'amount' && kinds[index] !== 'money')
        return writeLayoutAmount(Number(value), layout.amounts);
      if (kinds[index] !== 'text' || typeof value === 'number') return value;
      return layoutFields[field].kind === 'date' ? writeLayoutDay(value, layout.dates) : value;
    }),
  );
}

/** The same as texts, as a preview shows them. */
export const previewRows = (rows: readonly Cell[][], layout: RunLayout): string[][] => {
  const kinds = fileColumnsOf(layout).map(({ kind }) => kind);
  return rows.map((row) =>
    row.map((cell, index) => {
      if (cell === null) return '';
      if (kinds[index] === 'money') return writeLayoutAmount(Number(cell), layout.amounts);
      return kinds[index] === 'date' ? writeLayoutDay(String(cell), layout.dates) : String(cell);
    }),
  );
};
