import { DeskError } from '../../lib/errors.ts';
import { readCell } from './read-values.ts';

/** The known names of columns by meaning, the most specific ones first. Names in one list are equally specific. */
const columnNames = {
  claimId: [['claim id', 'claim record number', 'claim record id'], ['id']],
  claimNumber: [['carrier claim number', 'payer claim number', 'vendor system id'], ['claim number']],
  /** Either kind of identifier. */
  claim: [['claim']],
  memberId: [['member record number', 'member record id'], ['record number']],
  memberKey: [
    ['member partner key'],
    ['partner key', 'member key'],
    ['employee id', 'employee number', 'employee key', 'payroll number', 'payroll id'],
    ['employee'],
  ],
  /** Either kind of identifier. */
  member: [['member id', 'member number'], ['member']],
  employerId: [['employer id']],
  employer: [['employer', 'employer name', 'company', 'company name']],
  amount: [
    [
      'paid amount',
      'amount paid',
      'payment amount',
      'reimbursed amount',
      'amount reimbursed',
      'reimbursement amount',
    ],
    ['amount'],
    ['payment', 'reimbursement', 'reimbursed'],
    ['paid'],
  ],
  date: [
    ['payment date', 'paid date', 'date paid', 'paid on', 'date of payment', 'pay date', 'check date'],
    ['date'],
    ['day'],
  ],
  result: [['payment result', 'payment status'], ['result'], ['outcome'], ['status']],
  /** Text columns for readers; they decide nothing. */
  reason: [
    ['rejection reason', 'reject reason', 'return reason', 'denial reason'],
    ...['reason', 'error', 'error message', 'message', 'description', 'note', 'notes'].map((name) => [name]),
  ],
} as const satisfies Record<string, readonly (readonly string[])[]>;

export type Meaning = keyof typeof columnNames;
/** The indexes of the columns that a file has. */
export type Columns = Partial<Record<Meaning, number>>;

/** `Carrier claim no.`, `carrier_claim_no` and `CarrierClaim#` count as the same name. */
const toName = (cell: string | undefined): string =>
  readCell(cell)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\((usd|\$|us\$)\)|\$/g, ' ')
    .replace(/#/g, ' number ')
    .replace(/[_.:*"]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\b(no|nr|num)$/, 'number');

/** The columns of these meanings in a row of names. `repeated`: two names that match the same meaning equally well. */
function nameColumns(cells: readonly (string | undefined)[], meanings: readonly Meaning[]) {
  const names = Array.from(cells, toName);
  const columns: Columns = {};
  const repeated: string[][] = [];
  for (const meaning of meanings)
    for (const exact of columnNames[meaning] as readonly (readonly string[])[]) {
      const indexes = [...names.entries()].flatMap(([index, name]) => (exact.includes(name) ? [index] : []));
      if (indexes.length > 1) repeated.push(indexes.map((index) => readCell(cells[index])));
      if (indexes[0] === undefined) continue;
      columns[meaning] = indexes[0];
      break;
    }
  return { columns, repeated };
}

/** The most title rows above the names of the columns. */
const maxTitles = 30;

/**
 * Finds the row with the names of the columns: among the first rows, the one with the most names. Null if none
 * satisfies `isEnough`.
 * @throws DeskError `file.sameColumns` with the names if two columns mean the same
 */
export function findHeader(
  rows: readonly { readonly cells: readonly (string | undefined)[] }[],
  meanings: readonly Meaning[],
  isEnough: (columns: Columns) => boolean,
): { at: number; columns: Columns } | null {
  const [best] = rows
    .slice(0, maxTitles)
    .map(({ cells }, at) => ({ at, ...nameColumns(cells, meanings) }))
    .filter(({ columns }) => isEnough(columns))
    .sort((a, b) => Object.keys(b.columns).length - Object.keys(a.columns).length || a.at - b.at);
  if (best === undefined) return null;
  const [same] = best.repeated;
  if (same !== undefined) throw new DeskError('file.sameColumns', { details: { columns: same.join(', ') } });
  return best;
}
