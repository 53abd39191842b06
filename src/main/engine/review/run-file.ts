import { isFormula } from '../../../rules/formula-texts.ts';
import { dispositions, findDisposition, referenceOf } from '../../../rules/money/corrections.ts';
import type { Cell } from '../../../rules/query.ts';
import type { ClaimRun } from '../../../rules/review/run-facts.ts';
import {
  columnsOf,
  fileColumnsOf,
  type LayoutField,
  layoutFields,
  type RunLayout,
} from '../../../rules/review/run-layout.ts';
import type { RunLine, RunRow } from '../store/worklists/read-runs.ts';
import { isInRun, nameOf, payeeOf, toPayOf } from './run-totals.ts';

/** The facts in the file of a run besides its claims. */
interface RunOfFile {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}
export interface SentRow {
  readonly runId: string;
  readonly claimId: number;
  readonly amount: number;
}
/** The lines of claims, what is eligible of each line if known, and what was sent before for their chains. */
export interface KnownOfClaims {
  readonly lines: ReadonlyMap<number, readonly RunLine[]>;
  readonly parts: ReadonlyMap<number, readonly number[]>;
  readonly earlier: ReadonlyMap<number, readonly SentRow[]>;
}

/** Finds what earlier runs sent for a claim and the others of its chain. `order`: all runs' IDs, oldest first. */
export const findEarlier = (
  claims: readonly { readonly claimId: number; readonly runs: readonly ClaimRun[] }[],
  runId: string,
  order: readonly string[],
): SentRow[] => {
  const before = new Map(order.slice(0, order.indexOf(runId)).map((id, at) => [id, at]));
  return claims
    .flatMap(({ claimId, runs }) =>
      runs.flatMap(({ id, amount, state, ofEarlier }): SentRow[] =>
        before.has(id) && ofEarlier === undefined && (state === 'sent' || state === 'recorded')
          ? [{ runId: id, claimId, amount }]
          : [],
      ),
    )
    .sort((a, b) => (before.get(a.runId) ?? 0) - (before.get(b.runId) ?? 0) || a.claimId - b.claimId);
};

const nothingKnown: KnownOfClaims = { lines: new Map(), parts: new Map(), earlier: new Map() };

/** The claims of one row of the file: one, or all of a member and employer; with `line`, this line of the claim. */
interface RowOfFile {
  readonly rows: readonly [RunRow, ...RunRow[]];
  readonly line: RunLine | null;
  /** The amount that this row pays, in ten-thousandths of a dollar. */
  readonly amount: number;
  /** This row is for the rest of a claim in a file by claim line: what belongs to no line, or is not known by line. */
  readonly isRest?: true;
}

const sumToPay = (rows: readonly RunRow[]): number => rows.reduce((sum, row) => sum + toPayOf(row), 0);

/**
 * Writes ten-thousandths of a dollar to the cent, in a layout's form of amounts. An amount below zero, which lowers a
 * payment, is in parentheses if it is not a plain number: spreadsheets would read a sign before other texts as a
 * formula.
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

function writeLayoutDay(day: string, form: RunLayout['dates']): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return form.replace('YYYY', year).replace('MM', month).replace('DD', date);
}

/**
 * The claims of a file, each separately, or by member and employer, each of whom pays separately. Claims that name no
 * member have separate rows.
 */
function toRows(rows: readonly RunRow[], unit: RunLayout['rows'], facts: KnownOfClaims): RowOfFile[] {
  if (unit === 'claim')
    return rows.map((row): RowOfFile => ({ rows: [row], line: null, amount: toPayOf(row) }));
  if (unit === 'line') return rows.flatMap((row) => toLineRows(row, facts));
  const groups = [
    ...Map.groupBy(rows, (row) => (row.memberId === null ? `claim ${row.claimId}` : payeeOf(row))).values(),
  ];
  return groups.map(
    (group): RowOfFile => ({ rows: group as [RunRow, ...RunRow[]], line: null, amount: sumToPay(group) }),
  );
}

/**
 * The lines of a claim, each with its eligible amount as decided, and a row with the rest, which belongs to no line. A
 * difference from what was sent before, and a claim of which only a part is paid, have only that row: the parts of
 * their lines are unknown.
 */
function toLineRows(row: RunRow, { lines, parts, earlier }: KnownOfClaims): RowOfFile[] {
  const ofClaim = lines.get(row.claimId) ?? [];
  const whole = toPayOf(row);
  const [only, ...others] = ofClaim;
  if (only !== undefined && others.length === 0) return [{ rows: [row], line: only, amount: whole }];
  const lineParts = parts.get(row.claimId) ?? [];
  const rest = lineParts.reduce((left, part) => left - part, whole);
  const isKnown = lineParts.length > 0 && lineParts.length === ofClaim.length;
  if (!isKnown || rest < 0 || (earlier.get(row.claimId) ?? []).length > 0)
    return [{ rows: [row], line: null, amount: whole, isRest: true }];
  const ofLines = ofClaim.map((line, at): RowOfFile => ({ rows: [row], line, amount: lineParts[at] ?? 0 }));
  return rest === 0 ? ofLines : [...ofLines, { rows: [row], line: null, amount: rest, isRest: true }];
}

/** The text in place of the number of a line. */
const notByLine = 'Not by line';

/** The codes of the lines, each once. */
const sayProcedures = (lines: readonly RunLine[]): string | null =>
  [...new Set(lines.flatMap(({ procedure }) => procedure ?? []))].join(', ') || null;

function cellOf(
  field: LayoutField,
  { rows, line, amount, isRest }: RowOfFile,
  run: RunOfFile,
  facts: KnownOfClaims,
): string | number | null {
  const [row] = rows;
  const earlier = facts.earlier.get(row.claimId) ?? [];
  switch (field) {
    case 'memberId':
      return row.memberId === null ? null : String(row.memberId);
    case 'claim':
      return String(row.claimId);
    case 'amount':
      return amount;
    case 'procedure':
      return line === null ? sayProcedures(facts.lines.get(row.claimId) ?? []) : line.procedure;
    case 'billed':
    case 'allowed':
      return (line ?? row)[field];
    case 'line':
      return line === null ? (isRest ? notByLine : null) : String(line.position + 1);
    case 'disposition':
      return dispositions[
        findDisposition(
          earlier.map((sentRow) => sentRow.amount),
          row.amount,
        )
      ];
    case 'reference':
      return referenceOf(run.id, row.claimId);
    case 'original':
      return earlier[0] === undefined ? null : referenceOf(earlier[0].runId, earlier[0].claimId);
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

/** The rows of a run's file in a layout, by members' names, each cell in its column's form (`fileColumnsOf`). */
export function rowsOfFile(
  all: readonly RunRow[],
  layout: RunLayout,
  run: RunOfFile,
  facts: KnownOfClaims = nothingKnown,
): Cell[][] {
  const columns = columnsOf(layout);
  const kinds = fileColumnsOf(layout).map(({ kind }) => kind);
  const sorted = all
    .filter(isInRun)
    .map((row) => ({ row, name: nameOf(row) ?? '' }))
    .sort((a, b) => (a.name === b.name ? a.row.claimId - b.row.claimId : a.name < b.name ? -1 : 1))
    .map(({ row }) => row);
  return toRows(sorted, layout.rows, facts).map((rows) =>
    columns.map(({ field, text = '' }, index) => {
      const value = field === 'fixed' ? text : cellOf(field, rows, run, facts);
      if (value === null) return null;
      if (layoutFields[field].kind === 'money' && kinds[index] !== 'money')
        return writeLayoutAmount(Number(value), layout.amounts);
      if (kinds[index] !== 'text' || typeof value === 'number') return value;
      return layoutFields[field].kind === 'date' ? writeLayoutDay(value, layout.dates) : value;
    }),
  );
}

/** The same rows as texts, for a preview. */
export const previewRows = (rows: readonly Cell[][], layout: RunLayout): string[][] => {
  const kinds = fileColumnsOf(layout).map(({ kind }) => kind);
  return rows.map((row) =>
    row.map((cell, index) => {
      if (cell === null) return '';
      if (kinds[index] === 'money') return writeLayoutAmount(Number(cell), layout.amounts);
      const text = kinds[index] === 'date' ? writeLayoutDay(String(cell), layout.dates) : String(cell);
      const isGuarded = layout.format === 'csv' && kinds[index] === 'text' && isFormula(text);
      return isGuarded ? `'${text}` : text;
    }),
  );
};
