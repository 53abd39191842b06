import fc from 'fast-check';
import { readTable } from '../../src/main/engine/incoming/incoming-table.ts';
import { checkRunClaim } from '../../src/main/engine/review/check-run-claims.ts';
import { findEarlier, previewRows, rowsOfFile } from '../../src/main/engine/review/run-file.ts';
import type { RunRow } from '../../src/main/engine/store/worklists/read-runs.ts';
import { type ChainMember, shareChain } from '../../src/rules/money/chain-balance.ts';
import type { ChainClaim } from '../../src/rules/money/chain-claim.ts';
import { doesCount, resolveChains } from '../../src/rules/money/chains.ts';
import { decideAmounts, mayWriteOff } from '../../src/rules/money/decided-amounts.ts';
import { paidOf } from '../../src/rules/money/reimbursement.ts';
import type { ReviewFact } from '../../src/rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../src/rules/review/fold-review.ts';
import { foldReview } from '../../src/rules/review/fold-review.ts';
import type { FoldedReview } from '../../src/rules/review/folded-review.ts';
import type { RunLayout } from '../../src/rules/review/run-layout.ts';
import { chainClaim, reversalOf } from './chain-claims.ts';

const cents = fc.nat(20_000).map((amount) => amount * 100);
const statuses = fc.constantFrom('Processed', 'Pending', 'Rejected');
/**
 * The events of a claim: the carrier changes, corrects or reverses it, it is decided or written off, and a
 * run takes what differs, with the end of the run. A run that is `open` is recorded before the next one.
 */
export const happening = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), byRules: cents }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('correct' as const), byRules: cents, status: statuses }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('process' as const), status: statuses }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reverse' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('writeOff' as const),
      percent: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      outcome: fc.constantFrom(
        ...(['eligible', 'eligible', 'partlyEligible', 'notEligible', 'disputed', 'noAction'] as const),
      ),
      eligible: cents,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      end: fc.constantFrom(...(['recorded', 'recorded', 'rejected', 'back', 'leftLater', 'open'] as const)),
    }),
  },
);
export type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;
type Decided = Extract<Happening, { kind: 'decide' }>;
type RunEnd = Extract<Happening, { kind: 'run' }>['end'];

const layout: RunLayout = {
  ...{ rows: 'claim', format: 'csv', delimiter: ',', dates: 'YYYY-MM-DD', amounts: '1234.50' },
  columns: (['claim', 'amount', 'disposition', 'reference', 'original'] as const).map((field) => ({
    field,
    header: field,
  })),
};
const noClaim: Omit<RunRow, 'claimId' | 'amount' | 'state'> = {
  ...{ claimNumber: null, patient: null, provider: null, billed: null, allowed: null, serviceStart: null },
  ...{ serviceEnd: null, memberId: 7, memberKey: null, memberLast: null, memberFirst: null },
  ...{ employerId: null, employer: null, isHere: true, isMissing: false, reason: null },
};
const dayOf = (place: number): string => `2026-04-${String(place + 1).padStart(2, '0')}`;

/** A claim with its corrections and reversals, the events of each, and the runs, the oldest first. */
interface Play {
  readonly claims: { claim: ChainClaim; byRules: number; readonly events: FoldedEvent[] }[];
  readonly order: string[];
  /** Records the run that is sent. */
  close: (() => void) | null;
  eventCount: number;
  received: number;
  readonly words: string[];
}
interface Now extends ReturnType<typeof decideAmounts> {
  readonly claimId: number;
  readonly role: Parameters<typeof checkRunClaim>[1]['role'];
  readonly review: FoldedReview;
  readonly isShown: boolean;
  readonly whole: {
    eligible: number | null;
    disputed: number | null;
    writtenOff: number;
    reimbursed: number;
  };
}

function addTo(
  play: Play,
  claimIds: readonly number[],
  fact: ReviewFact,
  details?: Map<number, object>,
): string {
  const id = `e${play.eventCount}`;
  const at = new Date(1_700_000_000_000 + play.eventCount * 1000).toISOString();
  play.eventCount += 1;
  for (const { claim, events } of play.claims)
    if (claimIds.includes(claim.id))
      events.push({
        ...{ id, at, author: 'a@example.com', fact, digest: null, undoes: null, place: null },
        detail: details?.get(claim.id) ?? null,
      } as FoldedEvent);
  return id;
}

/** Each claim with its amounts of the moment, by the functions of the engine. */
function readNow({ claims }: Play): Now[] {
  const { places } = resolveChains(
    claims.map(({ claim }) => claim),
    [],
  );
  const reviews = claims.map(({ claim, events }) => foldReview(claim.id, events));
  const members = claims.map(({ claim, byRules }, at): ChainMember => {
    const { outcome, amounts, payments } = reviews[at] as FoldedReview;
    const paid = paidOf(payments);
    const { role = 'standing', by = null } = places.get(claim.id) ?? {};
    const { eligible, disputed } = decideAmounts(byRules, { outcome, kept: amounts, ...paid });
    const paidOn = payments.map(({ day }) => day).sort();
    return { ...{ id: claim.id, role, by, eligible, disputed, ...paid }, paidOn: paidOn.at(-1) ?? null };
  });
  const rests = shareChain(members);
  return claims.map(({ claim, byRules }, at) => {
    const review = reviews[at] as FoldedReview;
    const rest = places.has(claim.id) ? (rests.get(claim.id) ?? null) : null;
    const paid = paidOf(review.payments);
    const amounts = decideAmounts(byRules, { outcome: review.outcome, kept: review.amounts, ...paid }, rest);
    const add = (own: number | null, others: number | null | undefined): number | null =>
      own === null || others === null ? null : own + (others ?? 0);
    const isCounted = rest === null || doesCount(rest.role) || rest.role === 'unclear';
    const { eligible, disputed } = isCounted ? amounts : { eligible: 0, disputed: 0 };
    return {
      ...{ ...amounts, review, claimId: claim.id, role: rest?.role ?? null },
      isShown: rest?.isShown ?? true,
      whole: {
        eligible: add(eligible, rest?.eligible),
        disputed: add(disputed, rest?.disputed),
        writtenOff: paid.writtenOff + (rest?.writtenOff ?? 0),
        reimbursed: paid.reimbursed + (rest?.reimbursed ?? 0),
      },
    };
  });
}

/** The claims of a play are one chain. */
const matesOf = (all: readonly Now[], claimId: number) =>
  all.flatMap((one) =>
    one.claimId === claimId || one.role === null
      ? []
      : [{ claimId: one.claimId, role: one.role, runs: one.review.runs }],
  );

function decide(play: Play, { outcome, eligible }: Omit<Decided, 'kind'>): void {
  const one = readNow(play).find(({ isShown }) => isShown);
  const own = play.claims.find(({ claim }) => claim.id === one?.claimId);
  if (one === undefined || own === undefined) return;
  const amounts = { eligible: Math.min(eligible, own.byRules), byRules: own.byRules };
  const fact = {
    kind: 'decision',
    state: 'done',
    outcome,
    onWhom: null,
    reason: null,
    reminder: null,
  } as const;
  const details = new Map(outcome === 'partlyEligible' ? [[one.claimId, { amounts }]] : []);
  addTo(play, [one.claimId], fact, details);
}

function writeOff(play: Play, percent: number): void {
  const one = readNow(play).find(({ isShown, owed }) => isShown && (owed ?? 0) > 0);
  if (one === undefined) return;
  const most = mayWriteOff({ ...one.whole, owed: one.owed });
  const amount = Math.floor((most * percent) / 10_000) * 100;
  if (amount === 0) return;
  const of = { payment: 'writtenOff', amount, day: '2026-05-01', account: 'Small' } as const;
  addTo(play, [one.claimId], { kind: 'payment', ...of });
}

/** A run of what differs, its file as its receiver reads it, and what becomes of it. */
function run(play: Play, end: RunEnd): void {
  play.close?.();
  const now = readNow(play);
  const judged = now.flatMap((one) => {
    const made = checkRunClaim(one.claimId, { ...one, mates: matesOf(now, one.claimId) }, true);
    return 'amount' in made ? [made] : [];
  });
  if (judged.length === 0) return;
  const ids = judged.map(({ claimId }) => claimId);
  const amount = judged.reduce((sum, one) => sum + one.amount, 0);
  const id = addTo(
    play,
    ids,
    { kind: 'run', name: 'R', account: '', claims: ids.length, amount, corrections: true },
    new Map(judged.map(({ claimId, amount: own, after }) => [claimId, { run: { amount: own, after } }])),
  );
  play.order.push(id);
  addTo(play, ids, { kind: 'runSent', run: id, file: null });
  const sent = readNow(play);
  const earlier = new Map(
    ids.map((claimId) => {
      const own = sent.find((one) => one.claimId === claimId)?.review.runs ?? [];
      return [
        claimId,
        findEarlier([{ claimId, runs: own }, ...matesOf(sent, claimId)], id, play.order),
      ] as const;
    }),
  );
  const rows = rowsOfFile(
    judged.map(({ claimId, amount: own }): RunRow => ({ ...noClaim, claimId, amount: own, state: 'sent' })),
    layout,
    { id, name: 'R', account: '', today: '2026-03-02' },
    { lines: new Map(), parts: new Map(), earlier },
  );
  const csv = [layout.columns.map(({ header }) => header), ...previewRows(rows, layout)]
    .map((cells) => cells.join(','))
    .join('\n');
  const table = readTable(Buffer.from(csv), {
    ...{ meanings: ['claim', 'amount'], without: 'review.badCsv' },
    isEnough: () => true,
  });
  const sum = table.rows.reduce((before, row) => before + (row.amountOf('amount') ?? Number.NaN), 0);
  const record = (): void => {
    play.close = null;
    for (const payment of ['reimbursed', 'offset'] as const) {
      const some = judged.filter((one) => one.amount < 0 === (payment === 'offset'));
      const details = some.map((one) => {
        const payments = [{ amount: Math.abs(one.amount), day: '2026-03-02' }];
        return [one.claimId, { payments }] as const;
      });
      const fact = { kind: 'payment', payment, amount: null, day: null, account: '', run: id } as const;
      addTo(play, [...some.map(({ claimId }) => claimId)], fact, new Map(details));
    }
  };
  const receive = (): void => {
    play.received += sum;
    play.words.push(...rows.map((row) => String(row[2])));
  };
  const left = (reason: string | null, detail: object): void => {
    addTo(play, ids, { kind: 'runLeft', run: id, reason }, new Map(ids.map((claimId) => [claimId, detail])));
  };
  if (end === 'rejected') left(null, { reason: 'No', rejected: true });
  else if (end === 'back') left('Not sent after all', {});
  else if (end === 'leftLater') {
    record();
    left('Returned', {});
  } else if (end === 'open') play.close = () => [record(), receive()];
  else [record(), receive()];
}

function addClaim(play: Play, claim: ChainClaim, byRules: number): void {
  play.claims.push({ claim, byRules, events: [] });
}

function correct(play: Play, byRules: number, status: string): void {
  const place = play.claims.length;
  if (place >= 5) return;
  addClaim(play, chainClaim(place + 1, { status, processed: dayOf(place) }), byRules);
}

function happen(play: Play, one: Happening): void {
  const last = play.claims.at(-1);
  if (one.kind === 'run') run(play, one.end);
  else if (one.kind === 'decide') decide(play, one);
  else if (one.kind === 'writeOff') writeOff(play, one.percent);
  else if (one.kind === 'correct') correct(play, one.byRules, one.status);
  else if (last === undefined) return;
  else if (one.kind === 'change') last.byRules = (last.claim.billed ?? 0) < 0 ? 0 : one.byRules;
  else if (one.kind === 'process') last.claim = { ...last.claim, status: one.status };
  else if (play.claims.length < 5 && (last.claim.billed ?? 0) > 0) {
    const place = play.claims.length;
    addClaim(play, reversalOf(place + 1, last.claim, { processed: dayOf(place), status: 'Processed' }), 0);
  }
}

/**
 * Plays the history of a claim and its chain with the functions of the engine, decides it last, and sends what differs. `received`: what
 * a receiver of the files has, who adds up the rows that were not rejected, and had before the last run. `eligible` and `disputed`:
 * of the chain as decided; null: it is not clear how its claims relate. `isHeld`: nothing more is paid until a correction is processed. `words`: the dispositions of its rows.
 */
export function playHistory(history: readonly Happening[]) {
  const play: Play = {
    ...{ claims: [], order: [], close: null, eventCount: 0, received: 0, words: [] },
  };
  correct(play, 1_000_000, 'Processed');
  for (const one of history) happen(play, one);
  play.close?.();
  for (const one of readNow(play))
    if (one.isShown && one.review.state !== 'done') decide(play, { outcome: 'eligible', eligible: 0 });
  const before = play.received;
  run(play, 'recorded');
  // A rejected reversal stands by itself.
  const shown = readNow(play).filter(({ isShown, role }) => isShown || role === 'unclear');
  const addUp = (name: 'eligible' | 'disputed' | 'writtenOff'): number | null =>
    shown.reduce<number | null>((sum, { whole }) => {
      const one = whole[name];
      return sum === null || one === null ? null : sum + one;
    }, 0);
  const [eligible, disputed, writtenOff] = [addUp('eligible'), addUp('disputed'), addUp('writtenOff') ?? 0];
  const { received, words } = play;
  const isHeld = shown.some(({ role }) => role === 'awaitsCorrection');
  return { before, received, eligible, disputed, writtenOff, isHeld, words, claims: play.claims.length };
}
