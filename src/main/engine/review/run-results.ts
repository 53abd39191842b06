import { maxListed, type RunSum } from '../../../contract/run-procedures.ts';
import type { UnusedRow } from '../../../rules/review/file-rows.ts';
import type { RunLayout } from '../../../rules/review/run-layout.ts';
import { type IncomingRow, readTable } from '../incoming/incoming-table.ts';
import type { RunRow } from '../store/worklists/read-runs.ts';
import {
  claimKeysOf,
  type FoundByKeys,
  indexKeys,
  isWithoutKeys,
  memberKeysOf,
  sayKeys,
} from './find-by-keys.ts';
import { claimProblems } from './record-payments.ts';
import { isInRun, toPayOf, toRejection } from './run-totals.ts';

const paidResults = ['paid', 'ok', 'accepted', 'processed', 'success', 'complete', 'completed', 'yes'];
const rejectedResults = ['rejected', 'denied', 'failed', 'returned', 'error', 'reversed', 'declined', 'no'];

/** The reason of a rejection whose row has none. */
const noReason = 'Rejected';
const maxReason = 1000;

/** Parses an amount that a layout writes in cents, without a point; null for any other text. */
const parseCents = (text: string): number | null => (/^-?\d{1,13}$/.test(text) ? Number(text) * 100 : null);

/** Rounds to the cent, as in files. */
const toCents = (amount: number): number => Math.round(amount / 100);

const sumOf = (rows: readonly RunRow[]): RunSum => ({
  claims: rows.length,
  amount: rows.reduce((sum, row) => sum + toPayOf(row), 0),
});

const isSent = ({ state }: RunRow): boolean => state === 'sent' || state === 'recorded';

/** Whether a result means that a claim is paid. Free text in the row decides nothing. */
function readResult(text: string): boolean | 'noResult' | 'badResult' {
  const result = text.toLowerCase();
  if (result === '') return 'noResult';
  if (paidResults.includes(result)) return true;
  return rejectedResults.includes(result) ? false : 'badResult';
}

const memberProblems = { none: 'notInRun', several: 'severalMembers', disagrees: 'disagrees' } as const;

type Found = { readonly rows: readonly RunRow[] } | { readonly problem: UnusedRow['reason'] };

/** Makes a function that finds the claims of the run that a row is about. */
function createFinder(all: readonly RunRow[]) {
  const findClaim = indexKeys(
    all.map((row) => ({ value: row, id: String(row.claimId), number: row.claimNumber })),
  );
  const findMember = indexKeys(
    all.flatMap(({ memberId, memberKey }) =>
      memberId === null ? [] : [{ value: memberId, id: String(memberId), number: memberKey }],
    ),
  );
  const isOfEmployer = (row: IncomingRow, { employerId, employer }: RunRow): boolean => {
    const [id, name] = [row.textOf('employerId'), row.textOf('employer')];
    if (id !== '' && id !== String(employerId)) return false;
    return name === '' || [employer?.trim().toLowerCase(), String(employerId)].includes(name.toLowerCase());
  };
  const findOfMember = (row: IncomingRow, match: FoundByKeys<number>): Found => {
    if ('problem' in match) return { problem: memberProblems[match.problem] };
    const ofMember = all.filter(({ memberId }) => memberId === match.one);
    const rows = ofMember.filter((candidate) => isOfEmployer(row, candidate));
    return rows.length === 0 ? { problem: 'disagrees' } : { rows };
  };
  return (row: IncomingRow): Found => {
    const [claimKeys, memberKeys] = [claimKeysOf(row), memberKeysOf(row)];
    const member = isWithoutKeys(memberKeys) ? null : findMember(memberKeys);
    if (isWithoutKeys(claimKeys)) return member === null ? { problem: 'noClaim' } : findOfMember(row, member);
    const match = findClaim(claimKeys);
    if ('problem' in match)
      return { problem: match.problem === 'none' ? 'notInRun' : claimProblems[match.problem] };
    const isSame =
      (member === null || ('one' in member && member.one === match.one.memberId)) &&
      isOfEmployer(row, match.one);
    return isSame ? { rows: [match.one] } : { problem: 'disagrees' };
  };
}

/**
 * Finds the claims of a row that were sent. A member's claims may have been sent for several employers, each with a
 * separate amount: the row is about the employer that it names or, if it names none, about the one with its amount.
 */
function chooseSent(
  rows: readonly RunRow[],
  isAmountOf: ((rows: readonly RunRow[]) => boolean) | null,
): Found {
  const inRun = rows.filter(isInRun);
  if (inRun.length === 0) return { problem: 'leftRun' };
  const byEmployer = [...Map.groupBy(inRun.filter(isSent), ({ employerId }) => employerId).values()];
  const [first, ...others] = byEmployer;
  if (first === undefined) return { problem: 'notSent' };
  if (isAmountOf === null) return others.length === 0 ? { rows: first } : { problem: 'severalEmployers' };
  const [match, ...more] = byEmployer.filter(isAmountOf);
  if (match === undefined) return { problem: 'amountDiffers' };
  return more.length === 0 ? { rows: match } : { problem: 'severalEmployers' };
}

/**
 * Finds the claims of a run that a file of results is about: by the claim's ID or number, or all that were sent of a
 * member and employer by the member's ID or partner key. An amount in the file has to be that of the claims: in dollars
 * or, for an employer for which files of runs are written with `amountsOf` `123450`, in cents. Without a column of
 * results, all rows count as paid, which the user is asked to confirm (`asksAllPaid`).
 * @throws DeskError `run.badResults`, `file.*`
 */
export function matchResults(
  file: Uint8Array,
  all: readonly RunRow[],
  amountsOf: (employerId: number | null) => readonly RunLayout['amounts'][] = () => [],
) {
  const table = readTable(file, {
    meanings: [
      ...(['claimId', 'claimNumber', 'claim', 'memberId', 'memberKey', 'member'] as const),
      ...(['employerId', 'employer', 'amount', 'result', 'reason'] as const),
    ],
    isEnough: (columns) =>
      (columns.claimId ?? columns.claimNumber ?? columns.claim) !== undefined ||
      (columns.memberId ?? columns.memberKey ?? columns.member) !== undefined,
    without: 'run.badResults',
  });
  const asksAllPaid = !table.has('result');
  const find = createFinder(all);
  const unmatched: UnusedRow[] = table.broken.map((line) => ({ line, of: '', reason: 'openQuote' }));
  const rejected = new Map<number, string>();
  const paid = new Set<number>();
  for (const row of table.rows) {
    const text = row.textOf('amount');
    const amount = row.amountOf('amount');
    const isAmountOf = (rows: readonly RunRow[]): boolean => {
      const isInCents = rows.some(({ employerId }) => amountsOf(employerId).includes('123450'));
      const read = [amount, isInCents ? parseCents(text) : null];
      return read.some((reading) => reading !== null && toCents(reading) === toCents(sumOf(rows).amount));
    };
    const isPaid = asksAllPaid || readResult(row.textOf('result'));
    const matchRow = (): Found => {
      if (text !== '' && amount === null && parseCents(text) === null) return { problem: 'badAmount' };
      if (typeof isPaid === 'string') return { problem: isPaid };
      const match = find(row);
      if ('problem' in match) return match;
      const sent = chooseSent(match.rows, text === '' ? null : isAmountOf);
      if ('problem' in sent) return sent;
      const isKnown = sent.rows.some(({ claimId }) => paid.has(claimId) || rejected.has(claimId));
      return isKnown ? { problem: 'repeated' } : sent;
    };
    const matched = matchRow();
    const { line } = row;
    const of = sayKeys(claimKeysOf(row)) || sayKeys(memberKeysOf(row));
    if ('problem' in matched) unmatched.push({ line, of, reason: matched.problem });
    else
      for (const { claimId } of matched.rows)
        if (isPaid === true) paid.add(claimId);
        else rejected.set(claimId, row.textOf('reason').slice(0, maxReason) || noReason);
  }
  const inRun = all.filter(isInRun);
  const rejections = inRun.flatMap((row) => {
    const reason = rejected.get(row.claimId);
    return reason === undefined ? [] : [toRejection(row, reason)];
  });
  return {
    rejected,
    paid,
    asksAllPaid,
    rows: table.rows.length + table.broken.length,
    unmatched: unmatched.sort((a, b) => a.line - b.line),
    rejections: rejections.slice(0, maxListed),
    sums: {
      paid: sumOf(inRun.filter(({ claimId }) => paid.has(claimId))),
      rejected: sumOf(inRun.filter(({ claimId }) => rejected.has(claimId))),
      without: sumOf(
        inRun.filter((row) => isSent(row) && !paid.has(row.claimId) && !rejected.has(row.claimId)),
      ),
    },
  };
}
