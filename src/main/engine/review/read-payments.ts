import { parseMoment } from '../../../contract/days.ts';
import type { PaymentRow } from '../../../contract/review.ts';
import { DeskError } from '../../lib/errors.ts';

/** A row of a payments file; amounts are ten-thousandths of a dollar. */
export interface ReadPayment {
  /** The line number in the file, from 1, including the header. */
  readonly line: number;
  readonly claim: string;
  readonly amount: number;
  readonly day: string;
}

const columnNames: Readonly<Record<'claim' | 'amount' | 'date', readonly string[]>> = {
  claim: ['claim', 'claim id', 'claim number', 'claim no', 'claim #', 'carrier claim no', 'id'],
  amount: ['amount', 'paid', 'payment', 'reimbursed', 'reimbursement', 'paid amount', 'payment amount'],
  date: ['date', 'day', 'paid on', 'paid date', 'payment date', 'date paid'],
};

/** Fields of a CSV text (RFC 4180) with the number of the line where each row begins; blank rows are left out. */
export function parseCsv(text: string, separator: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let [cell, isQuoted, line, begins] = ['', false, 1, 1];
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: begins, cells });
    cells = [];
    cell = '';
    begins = line;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '\n') line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  endRow();
  return rows;
}

const plain = (name: string): string => name.toLowerCase().replace(/[_.]/g, ' ').replace(/\s+/g, ' ').trim();

/** `$1,234.50` as ten-thousandths of a dollar; null unless it is an amount above 0. */
export function parseAmount(text: string): number | null {
  const match = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,4}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  const amount = Number(`${whole.replaceAll(',', '')}${fraction.padEnd(4, '0')}`);
  return Number.isSafeInteger(amount) && amount > 0 ? amount : null;
}

/** `2026-03-02` or `3/2/2026` as an ISO date; null for anything else. */
export function parseDay(text: string): string | null {
  const trimmed = text.trim();
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(trimmed);
  const [, month = '', day = '', year = ''] = match ?? [];
  const iso = match === null ? trimmed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseMoment(iso)?.day ?? null;
}

/**
 * Reads a payments file, separated by commas, semicolons or tabs: the readable payments, and the unreadable rows.
 *
 * @throws DeskError `review.badCsv` where a column is missing
 */
export function readPayments(csv: string): { payments: ReadPayment[]; unmatched: PaymentRow[] } {
  const text = csv.replace(/^\uFEFF/, '');
  const header = text.slice(0, text.indexOf('\n') + 1 || text.length);
  const separator = ['\t', ';', ','].find((one) => header.includes(one)) ?? ',';
  const [head, ...rows] = parseCsv(text, separator);
  const names = (head?.cells ?? []).map(plain);
  const columnOf = (name: keyof typeof columnNames): number => {
    const wanted = columnNames[name];
    return names.findIndex((one) => wanted.includes(one));
  };
  const [claimColumn, amountColumn, dateColumn] = [columnOf('claim'), columnOf('amount'), columnOf('date')];
  if (claimColumn < 0 || amountColumn < 0 || dateColumn < 0) throw new DeskError('review.badCsv');
  const payments: ReadPayment[] = [];
  const unmatched: PaymentRow[] = [];
  for (const { line, cells } of rows) {
    const claim = (cells[claimColumn] ?? '').trim();
    const amount = parseAmount(cells[amountColumn] ?? '');
    const day = parseDay(cells[dateColumn] ?? '');
    if (amount === null) unmatched.push({ line, claim, reason: 'badAmount' });
    else if (day === null) unmatched.push({ line, claim, reason: 'badDate' });
    else payments.push({ line, claim, amount, day });
  }
  return { payments, unmatched };
}
