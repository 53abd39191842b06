import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultSettings, type Settings } from '../../../../../../src/contract/settings.ts';
import { describeReview } from '../../../../../../src/main/engine/review/describe-review.ts';
import { describeChain, shareChains } from '../../../../../../src/main/engine/review/share-chains.ts';
import { toReviewRow } from '../../../../../../src/main/engine/store/record/review-facts.ts';
import { computePartly } from '../../../../../../src/rules/money/decided-amounts.ts';
import {
  defaultReimbursementRules,
  eligibleParts,
  paymentKinds,
  type ReimbursementRules,
  rulesOf,
} from '../../../../../../src/rules/money/reimbursement.ts';
import type { Row } from '../../../../../../src/rules/query.ts';
import {
  type PartlyEligible,
  type ReviewOutcome,
  reviewOutcomes,
} from '../../../../../../src/rules/review/decision.ts';
import type { ReviewFact } from '../../../../../../src/rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../../../../../src/rules/review/fold-review.ts';
import { foldReview } from '../../../../../../src/rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../../../../src/rules/review/folded-review.ts';
import { worklistQuery, worklistTable } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';
import { updateStore } from '../../../../../support/update-store.ts';

const today = '2026-11-20';

const anyAmount = fc.option(fc.constantFrom(0, 0.0001, 5, 12.5, 30, 35, 1738.01, -12.5, 8_000_000_000.99), {
  nil: null,
});
const owner = {
  network: fc.constantFrom('IN', 'IN', 'OUT', null),
  year: fc.constantFrom(2025, 2026),
  employers: fc.constantFrom([3], [4], [3, 4], []),
  isMissing: fc.constantFrom(false, false, true),
};
const oddClaim = fc.record({
  ...owner,
  status: fc.constantFrom('Processed', 'Partially Approved', 'Adjusted', 'Rejected', 'In Process', null),
  amount_allowed: anyAmount,
  amount_paid: anyAmount,
  amount_paid_other: fc.constantFrom(null, 0, 0, 5),
  amount_not_covered: anyAmount,
  reduction: anyAmount,
  copayment: anyAmount,
  coinsurance_patient: anyAmount,
  patient_responsibility: anyAmount,
  computed_patient_responsibility: anyAmount,
});
/** One whose parts and what is not covered add up. */
const usualClaim = fc
  .record({
    ...owner,
    status: fc.constantFrom('Processed', 'Adjusted'),
    reduction: fc.constantFrom(0, 10, 250.5),
    copayment: fc.constantFrom(0, 20),
    coinsurance_patient: fc.constantFrom(0, 7.25),
    amount_not_covered: fc.constantFrom(0, 0, 0, 4),
    isSplit: fc.constantFrom(true, true, false),
  })
  .map(({ isSplit, ...claim }) => {
    const { reduction, copayment, coinsurance_patient, amount_not_covered } = claim;
    return {
      ...claim,
      ...(isSplit ? {} : { reduction: null, copayment: null, coinsurance_patient: null }),
      ...{ amount_allowed: null, amount_paid: null, amount_paid_other: null },
      patient_responsibility: reduction + copayment + coinsurance_patient + amount_not_covered,
      computed_patient_responsibility: null,
    };
  });
const anyClaim: fc.Arbitrary<AnyClaim> = fc.oneof(oddClaim, { weight: 2, arbitrary: usualClaim });
interface AnyClaim {
  readonly year: number;
  readonly employers: readonly number[];
  readonly isMissing: boolean;
}

const anyRules: fc.Arbitrary<ReimbursementRules> = fc.record({
  parts: fc.boolean().chain((isAll) => fc.subarray([...eligibleParts], isAll ? { minLength: 3 } : {})),
  networks: fc.constantFrom(null, null, null, ['IN']),
  runOutDays: fc.constantFrom(90, 334),
  decideDays: fc.constantFrom(null, 30),
  appealDays: fc.constantFrom(60, 180),
  answerDays: fc.constant(60),
  highCostFrom: fc.constant(null),
});
const anyPartly: fc.Arbitrary<PartlyEligible> = fc.oneof(
  fc.constantFrom<PartlyEligible>({ by: 'amount', amount: 0 }, { by: 'amount', amount: 50_000 }),
  fc.constant<PartlyEligible>({ by: 'lines', lines: [{ line: 0, amount: 20_000 }] }),
  fc.subarray([...eligibleParts], { minLength: 1 }).map((without) => ({ by: 'parts' as const, without })),
  fc.integer({ min: 1, max: 99 }).map((percent) => ({ by: 'share' as const, percent })),
);
/** A step in a claim's history; `keeps`: whether an amount is kept, unlike in version 0.2. */
const anyStep = fc.oneof(
  fc.record({
    kind: fc.constant('decide' as const),
    outcome: fc.constantFrom(...reviewOutcomes),
    partly: anyPartly,
    keeps: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('pay' as const),
    payment: fc.constantFrom(...paymentKinds),
    amount: fc.constantFrom(1, 50_000, 300_000),
  }),
  fc.record({ kind: fc.constant('reopen' as const) }),
  fc.record({ kind: fc.constant('undo' as const) }),
  fc.record({ kind: fc.constant('wait' as const) }),
);
type AnyStep = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** Every third claim is of the same member. */
const memberOf = (id: number): number => (id % 3 === 0 ? 30 : id * 10);

const recordOf = (id: number, { employers, year, isMissing: _isMissing, ...amounts }: AnyClaim) => ({
  id,
  type: { name: 'medical' },
  patient_name: `Pat ${id} Edwards`,
  service_provider: 'Lakeside Clinic',
  members: employers.map((employer, at) => ({
    ...{ id: memberOf(id) + at, employer: { id: employer, name: `E${employer}` } },
  })),
  date_of_service: { bounds: '[]', start: `${year}-03-02`, end: `${year}-03-02` },
  claim_medical_lines: [{ id: id * 10, procedure_code: 'G0439' }],
  ...amounts,
});

/** The events that these steps are, with what the engine keeps of a partly eligible claim. */
function eventsOf(
  store: OpenedStore,
  settings: Settings,
  claimId: number,
  steps: readonly AnyStep[],
): FoldedEvent[] {
  const [claim] = store.read.readEligibleClaims({ claimIds: [claimId], rules: { service: 'w', settings } });
  if (claim === undefined) throw new Error(`no claim ${claimId}`);
  const rules = rulesOf(settings.reimbursementRules, 'w', claim.employerId);
  const events: FoldedEvent[] = [];
  const add = (fact: ReviewFact, detail: ReviewDetail | null = null, undoes: string | null = null): void => {
    const id = `${claimId}-${String(events.length).padStart(3, '0')}`;
    const at = new Date(Date.UTC(2026, 9, 1, 0, events.length)).toISOString();
    events.push({ id, at, author: 'a@example.com', fact, undoes, digest: null, detail });
  };
  const decision = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;
  for (const step of steps) {
    if (step.kind === 'pay') add({ ...step, kind: 'payment', day: today, account: '' });
    else if (step.kind === 'undo') {
      const last = events.findLast(({ fact }) => fact.kind !== 'undo');
      if (last !== undefined) add({ kind: 'undo' }, null, last.id);
    } else if (step.kind === 'reopen') {
      const { reviewedIn } = foldReview(claimId, events);
      if (reviewedIn !== null) add({ kind: 'reopened' }, { since: reviewedIn });
    } else if (step.kind === 'wait')
      add({ ...decision, state: 'waiting', outcome: null, onWhom: 'Carrier', reason: 'EOB' });
    else {
      const { outcome, partly, keeps } = step;
      const isPartly = outcome === 'partlyEligible' && keeps;
      const amounts = isPartly ? computePartly(partly, claim.source, rules) : 'none';
      // The engine refuses it, or leaves the claim out.
      if (isPartly && typeof amounts === 'string') continue;
      const done = { ...decision, state: 'done', outcome } as const;
      add(
        isPartly ? { ...done, partly, cause: 'Missing receipt' } : done,
        typeof amounts === 'string' ? null : { amounts },
      );
    }
  }
  return events;
}

const exact = (row: Row, path: string): bigint | null => {
  const cell = row[path] ?? null;
  return cell === null ? null : BigInt(Number(cell));
};
const addUp = (amounts: readonly (bigint | null)[]): bigint =>
  amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);

const factPaths = ['eligible_by_rules', 'eligible', 'declined', 'disputed', 'open'].map(
  (name) => `facts.${name}`,
);

interface Written {
  readonly store: OpenedStore;
  readonly settings: Settings;
  readonly claims: readonly AnyClaim[];
  readonly reviews: readonly ReturnType<typeof foldReview>[];
  readonly rowsOf: (keys: readonly number[]) => Row[];
  readonly rows: readonly Row[];
  /** Notes that something was among what was tried. */
  readonly see: (name: string) => void;
}

/** Writes claims with the IDs 1, 2, 3, … and what happened to each, and settles them. */
function write(
  given: readonly (readonly [AnyClaim, readonly AnyStep[]])[],
  settings: Settings,
  see: Written['see'],
): Written {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2025-01-01', on: null });
  const claims = given.map(([claim]) => claim);
  store.ingest(
    'claims',
    claims.map((claim, index) => recordOf(index + 1, claim)),
  );
  const markMissing = store.database.prepare("UPDATE claims SET gone_since='2026-11-01' WHERE id=?");
  for (const [index, { isMissing }] of claims.entries()) if (isMissing) markMissing.run(index + 1);
  const reviews = given.map(([, steps], index) =>
    foldReview(index + 1, eventsOf(store, settings, index + 1, steps)),
  );
  store.write.applyReviews({
    rows: reviews.map((review) => toReviewRow(review, { today, paidValues: null, blankChange: null })),
    mark: null,
    isFirst: false,
  });
  updateStore(store, today, { service: 'w', settings });
  const paths = [
    ...['id', 'facts.plan_year', 'facts.owed', 'review.outcome', 'review.reimbursed', ...factPaths],
    ...worklistTable.map(({ amount }) => amount.field),
  ];
  const rowsOf = (keys: readonly number[]): Row[] =>
    store.read.readRows({ entity: 'claims', keys: [...keys], fields: [...new Set(paths)] });
  const rows = rowsOf(claims.map((_claim, index) => index + 1));
  return { store, settings, claims, reviews, rowsOf, rows, see };
}

/** A claim shows what its row has. */
function expectShown({ store, settings, reviews, rows, see }: Written): void {
  for (const [index, row] of rows.entries()) {
    const id = index + 1;
    const mates = store.read.readChainMates({ claimIds: [id] });
    const all = store.read.readEligibleClaims({
      claimIds: [...new Set([id, ...mates.map((mate) => mate.id)])],
      rules: { service: 'w', settings },
    });
    const claim = all.find(({ claimId }) => claimId === id) ?? null;
    const sources = {
      ...{ mates, claims: all, settings: { ...settings, service: 'w' } },
      reviews: new Map(reviews.map((review) => [review.claimId, review])),
    };
    const chain = describeChain(id, shareChains(sources), sources);
    const described = describeReview({
      ...{
        workspaceId: 'w',
        review: reviews[index] as (typeof reviews)[number],
        now: null,
        claim,
        chain,
      },
      ...{ reviewed: null, compared: null, receipt: null, settings: { ...settings, service: 'w' }, today },
    });
    const { byRules, eligible, declined, disputed, open } = described;
    const shown = [byRules, eligible, declined, disputed, open];
    expect(shown.map((amount) => (amount === null ? null : BigInt(amount)))).toEqual(
      factPaths.map((path) => exact(row, path)),
    );
    const owed = described.payments.length === 0 ? null : described.owed;
    expect(exact(row, 'facts.owed')).toBe(owed === null ? null : BigInt(owed));
    if (owed !== null && owed > 0) see('owed');
    if (byRules !== null && eligible !== null && declined !== null && disputed !== null)
      expect(eligible + declined + disputed).toBe(byRules);
    if (eligible !== null && eligible !== 0) see(described.outcome ?? 'none');
  }
}

/** A worklist is counted, and added up, as the rows of its list. */
function expectWorklists({ store, rowsOf, see }: Written): void {
  for (const { id, claims, amount } of store.read.readWorklistCounts({}).worklists) {
    const found = rowsOf(store.list(worklistQuery(id)));
    const path = worklistTable.find((one) => one.id === id)?.amount.field ?? '';
    const sum = addUp(found.map((row) => exact(row, path)));
    expect([id, claims, BigInt(amount)]).toEqual([id, found.length, sum]);
    if (found.length > 0) see(id);
  }
}

/** Checks that members owe back the sum of their claims, of which each counts for one member. */
function expectOwed({ store, claims, rows }: Written): void {
  const { members, all } = store.read.readOwed({ limit: 1000 });
  const owing = rows.filter((row) => (exact(row, 'facts.owed') ?? 0n) > 0n);
  const ownerOf = (row: Row): number | null => {
    const id = Number(row.id);
    return claims[id - 1]?.employers.length === 0 ? null : memberOf(id);
  };
  for (const { memberId, claims: count, owed } of members) {
    const own = owing.filter((row) => ownerOf(row) === memberId);
    expect([count, BigInt(owed)]).toEqual([own.length, addUp(own.map((row) => exact(row, 'facts.owed')))]);
  }
  expect(members.map(({ owed }) => owed)).toEqual(members.map(({ owed }) => owed).toSorted((a, b) => b - a));
  expect([all.claims, BigInt(all.owed)]).toEqual([
    owing.length,
    addUp(owing.map((row) => exact(row, 'facts.owed'))),
  ]);
}

/** So is a row of the report. */
function expectReported({ store, claims, rows }: Written, employerId: number, planYear: string): void {
  const claimOf = (row: Row) => claims[Number(row.id) - 1] as AnyClaim;
  const ofRow = rows.filter(
    (row) => claimOf(row).employers.includes(employerId) && row['facts.plan_year'] === planYear,
  );
  const here = ofRow.filter((row) => !claimOf(row).isMissing);
  const paid = ofRow.filter((row) => row['review.reimbursed'] !== null);
  const found = store.read
    .readReimbursed(null)
    .find((one) => one.employerId === employerId && one.planYear === planYear);
  if (here.length === 0 && paid.length === 0) {
    expect(found).toBeUndefined();
    return;
  }
  const sumOf = (of: readonly Row[], path: string) => ({
    claims: of.length,
    amount: Number(addUp(of.map((row) => exact(row, path)))),
  });
  const sumOfPart = (path: string) =>
    sumOf(
      here.filter((row) => ![null, 0n].includes(exact(row, path))),
      path,
    );
  const withOutcome = (isWanted: (outcome: unknown) => boolean) =>
    here.filter((row) => isWanted(row['review.outcome']));
  expect(found).toEqual({
    ...{ employerId, planYear, claims: here.length },
    decided: sumOf(
      withOutcome((outcome) => outcome !== null),
      'facts.eligible',
    ),
    undecided: sumOf(
      withOutcome((outcome) => outcome === null),
      'facts.eligible',
    ),
    declined: sumOfPart('facts.declined'),
    disputed: sumOf(
      withOutcome((outcome) => outcome === 'disputed'),
      'facts.disputed',
    ),
    reimbursed: sumOf(paid, 'review.reimbursed'),
    notKnown: here.filter((row) => factPaths.slice(1, 4).some((path) => row[path] === null)).length,
  });
}

test('for random claims, decisions, payments and rules, every total is the sum of its rows, in lists, report and claim alike', () => {
  const seen = new Map<string, number>();
  const see = (name: string): void => void seen.set(name, (seen.get(name) ?? 0) + 1);
  const anyHistory = fc.tuple(anyClaim, fc.array(anyStep, { maxLength: 5, size: 'max' }));
  fc.assert(
    fc.property(
      fc.array(anyHistory, { minLength: 1, maxLength: 25, size: 'max' }),
      anyRules,
      anyRules,
      (given, usual, own) => {
        const settings = { ...defaultSettings, reimbursementRules: { w: usual, 'w#4': own } };
        const written = write(given, settings, see);
        expectShown(written);
        expectWorklists(written);
        expectOwed(written);
        for (const employerId of [3, 4])
          for (const planYear of ['2025', '2026']) expectReported(written, employerId, planYear);
      },
    ),
    { numRuns: fuzzRuns(50) },
  );
  for (const name of [
    'none',
    'eligible',
    'partlyEligible',
    'toDecide',
    'toPay',
    'due',
    'owedBack',
    'owed',
  ] satisfies (ReviewOutcome | string)[])
    expect([name, (seen.get(name) ?? 0) > 5]).toEqual([name, true]);
});

test('a decided amount does not change with the rules, and a reopened claim has the amount that they give', () => {
  const store = openTestStore();
  const claim = {
    ...{ status: 'Processed', network: null, year: 2026, employers: [3], isMissing: false },
    ...{ amount_allowed: null, amount_paid: null, amount_paid_other: null, amount_not_covered: null },
    ...{ reduction: 10, copayment: 20, coinsurance_patient: 0, patient_responsibility: 30 },
    computed_patient_responsibility: null,
  };
  store.ingest('claims', [recordOf(1, claim), recordOf(2, claim)]);
  const partly: AnyStep = {
    kind: 'decide',
    outcome: 'partlyEligible',
    partly: { by: 'parts', without: ['copay'] },
    keeps: true,
  };
  const of = (rules: Settings['reimbursementRules']) => ({ ...defaultSettings, reimbursementRules: rules });
  const decide = (claimId: number, ...steps: AnyStep[]): void => {
    const review = foldReview(claimId, eventsOf(store, of({}), claimId, steps));
    store.write.applyReviews({
      rows: [toReviewRow(review, { today, paidValues: null, blankChange: null })],
      mark: null,
      isFirst: false,
    });
  };
  const read = (settings: Settings): Row[] => {
    updateStore(store, today, { service: 'w', settings });
    return store.read.readRows({
      entity: 'claims',
      keys: [1, 2],
      fields: [...factPaths.slice(0, 3), 'review.cause'],
    });
  };
  decide(1, partly);
  decide(2, partly, { kind: 'reopen' });
  const row = (byRules: number, eligible: number, declined: number, cause: string | null) => ({
    ...{ 'facts.eligible_by_rules': byRules, 'facts.eligible': eligible, 'facts.declined': declined },
    'review.cause': cause,
  });
  const byParts = row(300_000, 100_000, 200_000, 'Missing receipt');
  expect(read(of({}))).toMatchObject([byParts, row(300_000, 300_000, 0, null)]);
  const onlyCopay = { w: { ...defaultReimbursementRules, parts: ['copay' as const] } };
  expect(read(of(onlyCopay))).toMatchObject([byParts, row(200_000, 200_000, 0, null)]);
});
