import type { RunLayout } from '../../../contract/run-layout.ts';
import type { ResultRow, RunSum } from '../../../contract/run-procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import type { RunRow } from '../store/worklists/read-runs.ts';
import { parseAmount, parseCsv } from './read-payments.ts';
import { isInRun, toPayOf } from './run-totals.ts';

/** A row of a file of results; `amount` as it is written there. */
interface ReadResult {
  readonly line: number;
  readonly by: 'claim' | 'member';
  readonly of: string;
  readonly amount: string;
  readonly isPaid: boolean;
  readonly reason: string;
}

const columnNames = {
  claim: ['claim', 'claim id', 'claim number', 'claim no', 'claim #', 'carrier claim no'],
  member: ['member', 'member id', 'member record no', 'member partner key', 'employee id', 'partner key'],
  amount: ['amount', 'paid', 'payment', 'reimbursed', 'paid amount', 'payment amount'],
  result: ['result', 'status', 'outcome'],
  reason: ['reason', 'message', 'error', 'description', 'note'],
} as const;
const paidResults = ['paid', 'ok', 'accepted', 'processed', 'success', 'complete', 'completed', 'yes'];
const rejectedResults = ['rejected', 'denied', 'failed', 'returned', 'error', 'reversed', 'declined', 'no'];

const plain = (name: string): string => name.toLowerCase().replace(/[_.]/g, ' ').replace(/\s+/g, ' ').trim();

/** An amount as the file of a run has it: also 0, and below it where a payment is lowered, as -10.00 or (10.00). */
function parseResult(text: string): number | null {
  const [, bracket = '', sign = '', size = ''] = /^(\()?(-)?([^()]*)\)?$/.exec(text) ?? [];
  if (/^\$?0+(\.0{1,4})?$/.test(size)) return 0;
  const amount = parseAmount(size);
  return amount === null || (bracket === '' && sign === '') ? amount : -amount;
}

/** The same of an amount that a layout writes in cents, without a point; null for any other text. */
const parseCents = (text: string): number | null => (/^-?\d{1,13}$/.test(text) ? Number(text) * 100 : null);

/** To the cent, as files have amounts. */
const toCents = (amount: number): number => Math.round(amount / 100);

/**
 * Reads a file of results, separated by commas, semicolons or tabs. A row without a result is paid unless it has a
 * reason.
 *
 * @throws DeskError `run.badResults` where a column is missing
 */
function readRows(csv: string): { results: ReadResult[]; unmatched: ResultRow[] } {
  const text = csv.replace(/^\uFEFF/, '');
  const header = text.slice(0, text.indexOf('\n') + 1 || text.length);
  const separator = ['\t', ';', ','].find((one) => header.includes(one)) ?? ',';
  const [head, ...rows] = parseCsv(text, separator);
  const names = (head?.cells ?? []).map(plain);
  const at = (name: keyof typeof columnNames): number =>
    names.findIndex((one) => (columnNames[name] as readonly string[]).includes(one));
  const by = at('claim') >= 0 ? 'claim' : 'member';
  const key = at(by);
  if (key < 0) throw new DeskError('run.badResults');
  const results: ReadResult[] = [];
  const unmatched: ResultRow[] = [];
  for (const { line, cells } of rows) {
    const cellOf = (name: keyof typeof columnNames): string => (cells[at(name)] ?? '').trim();
    const of = (cells[key] ?? '').trim();
    const [written, result, reason] = [cellOf('amount'), plain(cellOf('result')), cellOf('reason')];
    const isPaid = result === '' ? reason === '' : paidResults.includes(result);
    if (written !== '' && parseResult(written) === null) unmatched.push({ line, of, reason: 'badAmount' });
    else if (!isPaid && result !== '' && !rejectedResults.includes(result))
      unmatched.push({ line, of, reason: 'badResult' });
    else results.push({ line, by, of, amount: written, isPaid, reason });
  }
  return { results, unmatched };
}

const sumOf = (rows: readonly RunRow[]): RunSum => ({
  claims: rows.length,
  amount: rows.reduce((sum, row) => sum + toPayOf(row), 0),
});

/**
 * Finds the claims of a run that a file of results is about: by the claim's ID or number, or all of a member by the ID
 * or partner key. An amount in the file has to be that of the claims: in dollars or, for an employer for which files of runs
 * are written with `amountsOf` `123450`, in cents.
 *
 * @throws DeskError `run.badResults`
 */
export function matchResults(
  csv: string,
  all: readonly RunRow[],
  amountsOf: (employerId: number | null) => readonly RunLayout['amounts'][] = () => [],
) {
  const { results, unmatched } = readRows(csv);
  const inRun = all.filter(isInRun);
  const byKey = new Map<string, RunRow[]>();
  const keysOf = (by: ReadResult['by'], row: RunRow): (string | null)[] =>
    by === 'claim'
      ? [String(row.claimId), row.claimNumber]
      : [row.memberId === null ? null : String(row.memberId), row.memberKey];
  const by = results[0]?.by ?? 'claim';
  for (const row of all)
    for (const key of new Set(keysOf(by, row))) {
      const known = byKey.get(key ?? '');
      if (known !== undefined) known.push(row);
      else if (key !== null && key !== '') byKey.set(key, [row]);
    }
  const isAmountOf = (written: string, rows: readonly RunRow[]): boolean => {
    const isInCents = rows.some(({ employerId }) => amountsOf(employerId).includes('123450'));
    const read = [parseResult(written), isInCents ? parseCents(written) : null];
    return read.some((amount) => amount !== null && toCents(amount) === toCents(sumOf(rows).amount));
  };
  const rejected = new Map<number, string>();
  const paid = new Set<number>();
  for (const { line, of, amount, isPaid, reason } of results) {
    const found = byKey.get(of) ?? [];
    const rows = found.filter(isInRun);
    const refuse = (why: ResultRow['reason']): void => void unmatched.push({ line, of, reason: why });
    if (found.length === 0) refuse('noClaim');
    else if (rows.length === 0) refuse('notInRun');
    else if (by === 'claim' && rows.length > 1) refuse('severalClaims');
    // One member's partner key can be the record number of another.
    else if (by === 'member' && new Set(rows.map(({ memberId }) => memberId)).size > 1)
      refuse('severalMembers');
    else if (amount !== '' && !isAmountOf(amount, rows)) refuse('amountDiffers');
    else if (rows.some(({ claimId }) => paid.has(claimId) || rejected.has(claimId))) refuse('repeated');
    else
      for (const { claimId } of rows) {
        if (isPaid) paid.add(claimId);
        else rejected.set(claimId, reason === '' ? 'Rejected' : reason.slice(0, 1000));
      }
  }
  return {
    rejected,
    paid,
    unmatched: unmatched.sort((a, b) => a.line - b.line),
    sums: {
      paid: sumOf(inRun.filter(({ claimId }) => paid.has(claimId))),
      rejected: sumOf(inRun.filter(({ claimId }) => rejected.has(claimId))),
      without: sumOf(inRun.filter(({ claimId }) => !paid.has(claimId) && !rejected.has(claimId))),
    },
  };
}
