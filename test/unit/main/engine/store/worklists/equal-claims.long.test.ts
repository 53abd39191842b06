import { describe, expect, it, vi } from 'vitest';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { beginComparing } from '../../../../../../src/main/engine/store/worklists/compare-claims.ts';
import type {
  ComparedHead,
  ComparedLine,
} from '../../../../../../src/main/engine/store/worklists/relate-pair.ts';
import { createFactsUpdater } from '../../../../../../src/main/engine/store/worklists/update-facts.ts';
import { lookForDuplicates } from '../../../../../../src/main/engine/store/worklists/write-duplicates.ts';
import { worklistQuery } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { updateStore, usualRules, writeReviews } from '../../../../../support/update-store.ts';

const today = '2026-11-20';

/** Claims with these ids are equal but for their numbers. */
const claimOf = (id: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  type: { name: 'medical', type_id: 1 },
  vendor_system_id: `N${id}000000`,
  status: 'Processed',
  network: 'IN',
  patient_name: 'Margaret Edwards',
  service_provider: 'Lakeside Clinic',
  members: [{ id: 7, first_name: 'Margaret', last_name: 'Edwards' }],
  date_of_service: { bounds: '[)', start: '2026-03-02', end: '2026-03-03' },
  amount_billed: 80,
  patient_responsibility: 20,
  copayment: 20,
  reduction: 0,
  coinsurance_patient: 0,
  claim_medical_lines: [{ id: id * 10, procedure_code: 'G0439', amount_billed: 80, quantity: 1 }],
  ...more,
});
const idsTo = (count: number): number[] => Array.from({ length: count }, (_none, at) => at + 1);
const openWith = (count: number, more: (id: number) => Record<string, unknown> = () => ({})): OpenedStore => {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2026-01-01', on: null });
  store.ingest(
    'claims',
    idsTo(count).map((id) => claimOf(id, more(id))),
  );
  updateStore(store, today);
  return store;
};
const count = (store: OpenedStore, table: string): unknown =>
  store.database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
const pairsOf = (store: OpenedStore, claimId: number) => store.read.describePairs({ claimId }).pairs;
const openOthers = (store: OpenedStore, claimId: number): number[] =>
  pairsOf(store, claimId).flatMap(({ left, right, isOpen }) =>
    isOpen ? [left === claimId ? right : left] : [],
  );
/** Returns what is payable twice of each claim, in dollars, by the kind of its duplicate. */
const payable = (store: OpenedStore): Record<string, unknown> =>
  Object.fromEntries(
    (
      store.database
        .prepare('SELECT id, duplicate, payable_twice FROM claim_facts WHERE duplicate IS NOT NULL')
        .raw()
        .all() as [number, string, number | null][]
    ).map(([id, label, amount]) => [id, `${label} ${amount === null ? 'unknown' : amount / 10_000}`]),
  );
const judge = (store: OpenedStore, claimId: number, otherClaimId: number, isDuplicate: boolean): void => {
  const fingerprint = store.read.findFingerprint({ claimId, otherClaimId }) ?? '';
  const markedId = isDuplicate ? claimId : null;
  const own = isDuplicate ? { state: 'done', outcome: 'duplicate' } : {};
  writeReviews(store, {
    claimId,
    judged: [{ otherClaimId, fingerprint, isDuplicate, markedId, eventId: 'event' }],
    ...own,
  });
  updateStore(store, today);
};

describe('what is payable twice', () => {
  const rules: FactRules = {
    ...usualRules,
    settings: {
      ...usualRules.settings,
      reimbursementRules: {
        w: {
          parts: ['copay'],
          networks: ['IN'],
          runOutDays: 90,
          highCostFrom: null,
          decideDays: null,
          appealDays: 180,
          answerDays: 60,
        },
      },
    },
  };
  const openPair = (left: Record<string, unknown>, right: Record<string, unknown>): OpenedStore => {
    const store = openTestStore();
    store.ingest('claims', [claimOf(1, left), claimOf(2, right)]);
    updateStore(store, today, rules);
    return store;
  };

  /** The claim with less to reimburse or, of equals, the larger ID has the amount: a sum counts each pair once. */
  it.each([
    ['both eligible: the smaller eligible amount', { copayment: 12, coinsurance_patient: 8 }, {}, 12, 1],
    [
      'both rejected: nothing, whatever the patient owes',
      { status: 'Rejected' },
      { status: 'Rejected' },
      0,
      2,
    ],
    ['one not eligible and not reimbursed: nothing', { network: 'OUT' }, {}, 0, 1],
    ['neither eligible: nothing, whatever the patient owes', { network: 'OUT' }, { network: 'OUT' }, 0, 2],
    ['one of which it is not known, and one eligible: not known', { network: null }, {}, 'unknown', 1],
    [
      'one of which it is not known, and one not eligible: nothing',
      { network: null },
      { network: 'OUT' },
      0,
      1,
    ],
  ])('%s', (_name, left, right, amount, second) => {
    const store = openPair(left, right);
    expect(payable(store)).toEqual(
      second === 1 ? { 1: `Exact ${amount}`, 2: 'Exact 0' } : { 1: 'Exact 0', 2: `Exact ${amount}` },
    );
    const [pair] = pairsOf(store, 2);
    expect(pair?.payableTwice).toBe(amount === 'unknown' ? null : Number(amount) * 10_000);
  });

  it('a payment counts even if nothing is eligible, as soon as it is recorded', () => {
    const store = openPair({ network: 'OUT' }, {});
    writeReviews(store, { claimId: 1, reimbursed: 150_000 });
    updateStore(store, today, rules);
    expect(payable(store)).toEqual({ 1: 'Exact 15', 2: 'Exact 0' });
    writeReviews(store, { claimId: 1, reimbursed: 350_000 });
    updateStore(store, today, rules);
    expect(payable(store)).toEqual({ 1: 'Exact 0', 2: 'Exact 20' });
    writeReviews(store, { claimId: 1, reimbursed: 0 });
    updateStore(store, today, rules);
    expect(payable(store)).toEqual({ 1: 'Exact 0', 2: 'Exact 0' });
  });

  it('a decision on one determines which has it', () => {
    const store = openPair({}, {});
    const decided = { state: 'done', outcome: 'notEligible', decidedOutcome: 'notEligible' };
    writeReviews(store, { claimId: 1, ...decided });
    updateStore(store, today, rules);
    expect(payable(store)).toEqual({ 1: 'Exact 0', 2: 'Exact 0' });
    writeReviews(store, { claimId: 1, ...decided, reimbursed: 50_000 });
    updateStore(store, today, rules);
    expect(payable(store)).toEqual({ 1: 'Exact 5', 2: 'Exact 0' });
    writeReviews(store, { claimId: 1 });
    updateStore(store, today, rules);
    expect(payable(store)).toEqual({ 1: 'Exact 0', 2: 'Exact 20' });
  });

  it.each([2, 3, 40])(
    'the worklist of %i counts what every claim but one would be paid again, as its rows show',
    (size) => {
      const store = openWith(size);
      const { worklists } = store.read.readWorklistCounts({});
      const rows = store.read.readRows({
        ...{ entity: 'claims', keys: store.list(worklistQuery('duplicates')) },
        fields: ['facts.payable_twice'],
      });
      expect(rows.map((row) => row['facts.payable_twice'])).toEqual([
        ...Array.from({ length: size - 1 }, () => 200_000),
        0,
      ]);
      expect(worklists.find(({ id }) => id === 'duplicates')).toMatchObject({
        ...{ claims: size, amount: (size - 1) * 200_000, notKnown: 0 },
      });
    },
  );

  it('a setting that makes another amount eligible changes it', () => {
    const store = openPair({}, {});
    updateStore(store, today, {
      ...rules,
      settings: {
        ...rules.settings,
        reimbursementRules: {
          w: {
            parts: ['deductible'],
            networks: null,
            runOutDays: 90,
            highCostFrom: null,
            decideDays: null,
            appealDays: 180,
            answerDays: 60,
          },
        },
      },
    });
    expect(payable(store)).toEqual({ 1: 'Exact 0', 2: 'Exact 0' });
  });
});

describe('a claim that is reviewed as a duplicate', () => {
  it('closes its other pairs, until it is no longer reviewed so', () => {
    const store = openWith(3);
    expect(openOthers(store, 3)).toEqual([1, 2]);
    judge(store, 2, 1, true);
    expect(payable(store)).toEqual({ 1: 'Exact 0', 3: 'Exact 20' });
    expect(openOthers(store, 3)).toEqual([1]);
    expect(pairsOf(store, 3)[1]).toMatchObject({ left: 2, isOpen: false, judged: null, markedId: 2 });
    expect(pairsOf(store, 1)[1]).toMatchObject({
      right: 2,
      isOpen: false,
      judged: { isDuplicate: true, eventId: 'event' },
      markedId: 2,
    });
    judge(store, 3, 1, true);
    expect(payable(store)).toEqual({});
    writeReviews(store, { claimId: 2 });
    updateStore(store, today);
    expect(openOthers(store, 2)).toEqual([1]);
    expect(payable(store)).toEqual({ 1: 'Exact 0', 2: 'Exact 20' });
  });
});

describe('a group of equal claims', () => {
  it('up to eight are paired with each other; more are one group without pairs, each compared with the first', () => {
    const few = openWith(8);
    expect([count(few, 'duplicate_pairs'), count(few, 'equal_claims')]).toEqual([28, 0]);
    const many = openWith(40);
    expect([count(many, 'duplicate_pairs'), count(many, 'equal_claims')]).toEqual([0, 40]);
    expect(openOthers(many, 40)).toEqual([1]);
    expect(openOthers(many, 1)).toEqual([2]);
    expect(pairsOf(many, 40)[0]).toMatchObject({ kind: 'exact', equalClaims: 40, payableTwice: 200_000 });
    expect(Object.values(payable(many))).toEqual(idsTo(40).map((id) => `Exact ${id === 1 ? 0 : 20}`));
    expect(many.read.readReasons({ claimId: 7 }).find(({ id }) => id === 'duplicates')?.values).toMatchObject(
      {
        'facts.duplicate': 'Exact',
        $equalClaims: 40,
      },
    );
  });

  it('grows out of pairs and shrinks to them again, whichever claim is added or removed', () => {
    const store = openWith(8);
    const bring = (...claims: Record<string, unknown>[]): unknown[] => {
      store.ingest('claims', claims);
      updateStore(store, today);
      return [count(store, 'duplicate_pairs'), count(store, 'equal_claims'), count(store, 'equal_groups')];
    };
    expect(bring(claimOf(9), claimOf(10))).toEqual([0, 10, 1]);
    expect(bring(claimOf(1, { amount_billed: 81 }))).toEqual([1, 9, 1]);
    expect(openOthers(store, 1)).toEqual([2]);
    expect(openOthers(store, 5)).toEqual([2]);
    expect(bring(claimOf(2, { service_provider: 'Harbor Clinic' }))).toEqual([36, 0, 0]);
    expect(bring(claimOf(2))).toEqual([1, 9, 1]);
  });

  it('one judgment is enough for each claim of it; it applies while the claim is equal to others', () => {
    const store = openWith(12);
    judge(store, 5, 1, false);
    expect(openOthers(store, 5)).toEqual([]);
    expect(pairsOf(store, 5)).toMatchObject([{ left: 1, judged: { isDuplicate: false } }]);
    expect(Object.keys(payable(store)).map(Number)).toEqual([2, 3, 4, 6, 7, 8, 9, 10, 11, 12]);
    judge(store, 3, 2, true);
    expect(pairsOf(store, 2)).toMatchObject([{ right: 3, judged: { isDuplicate: true }, markedId: 3 }]);
    expect(openOthers(store, 4)).toEqual([1]);
    store.ingest('claims', [claimOf(5, { patient_responsibility: 21, copayment: 21 })]);
    updateStore(store, today);
    expect(openOthers(store, 5)).toEqual([1]);
  });

  it('the others are compared with one that counts, with the largest amount', () => {
    const store = openWith(12);
    judge(store, 1, 2, true);
    expect(openOthers(store, 9)).toEqual([2]);
    expect(pairsOf(store, 1)).toMatchObject([{ right: 2, isOpen: false, markedId: 1 }]);
    writeReviews(store, { claimId: 6, reimbursed: 500_000 });
    updateStore(store, today);
    expect(openOthers(store, 9)).toEqual([6]);
    expect(payable(store)['9']).toBe('Exact 20');
    for (const id of idsTo(12)) if (id !== 6) judge(store, id, 6, true);
    expect(payable(store)).toEqual({});
  });

  it('a reversal cancels one of them, and the next reversal another', () => {
    const back = {
      amount_billed: -80,
      patient_responsibility: -20,
      copayment: -20,
      processed_on: '2026-05-01',
      claim_medical_lines: [{ id: 1, procedure_code: 'G0439', amount_billed: -80, quantity: 1 }],
    };
    const store = openWith(30, (id) => (id > 20 ? back : { processed_on: '2026-04-01' }));
    expect(Object.keys(payable(store)).map(Number)).toEqual(idsTo(20).slice(10));
  });

  it('a number that most of them have makes no adjustment; of one that a few have, the newest counts', () => {
    const word = openWith(30, () => ({ vendor_system_id: 'UNKNOWN' }));
    expect([count(word, 'duplicate_pairs'), count(word, 'equal_claims')]).toEqual([0, 30]);
    const chains = openWith(30, (id) => ({
      vendor_system_id: `N${id % 10}00000000`,
      processed_on: `2026-04-${10 + id}`.slice(0, 10),
    }));
    expect(Object.keys(payable(chains)).map(Number)).toEqual(idsTo(30).slice(20));
  });

  it('a faulty feed shows the warning and is named so, even if a later sync adds one more', () => {
    const store = openWith(60);
    expect(payable(store)['60']).toBe('Many in one sync 20');
    store.ingest('claims', [claimOf(61)], { changes: { syncId: 'next', keepsNew: true } });
    updateStore(store, today);
    expect(payable(store)['61']).toBe('Many in one sync 20');
    const counts = store.read.readWorklistCounts({});
    expect(counts.feedWarning).toMatchObject({ claims: 60, duplicates: 60 });
    expect(counts.worklists.find(({ id }) => id === 'duplicates')?.claims).toBe(0);
  });

  it('a few claims at a time, in any order, are the groups that all together are', () => {
    const mixed = (id: number): Record<string, unknown> =>
      claimOf(id, id % 3 === 0 ? { amount_billed: 80 + (id % 9) } : {});
    const [some, all] = [openTestStore(), openTestStore()];
    all.ingest('claims', idsTo(40).map(mixed));
    updateStore(all, today);
    for (const id of idsTo(40).sort((a, b) => ((a * 7) % 41) - ((b * 7) % 41))) {
      some.ingest('claims', [mixed(id)]);
      updateStore(some, today);
    }
    const rows = (store: OpenedStore): unknown[] =>
      ['duplicate_pairs ORDER BY 1, 2', 'equal_claims ORDER BY 1', 'equal_groups ORDER BY 1'].map((from) =>
        store.database.prepare(`SELECT * FROM ${from}`).all(),
      );
    expect(rows(some)).toEqual(rows(all));
    expect(payable(some)).toEqual(payable(all));
    expect(count(all, 'equal_groups')).toBe(1);
  });
});

describe('days of service', () => {
  it('an open end is not a day of every other claim: only the known day is compared', () => {
    const day = (id: number): string => new Date(Date.UTC(2020, 0, id)).toISOString().slice(0, 10);
    for (const open of ['start', 'end'] as const) {
      const known = open === 'start' ? 'end' : 'start';
      const store = openWith(300, (id) => ({
        date_of_service: { bounds: '[]', [open]: null, [known]: day(id - (id % 100 === 0 ? 1 : 0)) },
        amount_billed: 80 + id,
      }));
      expect(count(store, 'duplicate_pairs')).toBe(3);
    }
  });
});

describe('the work that many claims of one person and day are', () => {
  /** How often providers and lines were read, per claim. */
  function workOf(claims: number, more: (id: number) => Partial<ComparedHead>): number {
    let reads = 0;
    const counted = <T extends object>(value: T): T =>
      new Proxy(value, {
        get(target, name, receiver) {
          reads += 1;
          return Reflect.get(target, name, receiver);
        },
      });
    const line: ComparedLine = {
      first: null,
      last: null,
      procedure: { code: 'G0439', modifiers: '' },
      drug: null,
      quantity: 1,
      supplyDays: null,
      billed: 800_000,
    };
    const name = { first: 'MARGARET', middle: [], last: 'EDWARDS', parts: 'EDWARDS MARGARET' };
    const heads = idsTo(claims).map(
      (id): ComparedHead => ({
        id,
        connection: 1,
        name,
        type: 'medical',
        number: null,
        provider: counted(['1', null, null, null, null, null]),
        first: '2026-03-02',
        last: '2026-03-02',
        billed: 800_000,
        patientResponsibility: 200_000,
        ...more(id),
      }),
    );
    const { compare } = beginComparing(heads);
    const { pairs, equals } = compare(() => [counted(line)]);
    expect(pairs.length).toBeLessThanOrEqual(claims * 10);
    expect(equals.length).toBeLessThanOrEqual(1);
    return reads / claims;
  }

  it.each([
    ['equal claims', () => ({}), 200],
    ['claims of other amounts', (id: number) => ({ billed: 800_000 + id }), 2_000],
    ['claims of other types', (id: number) => ({ type: `type ${id}` }), 200],
    ['stays of years', (id: number) => ({ first: '1900-01-01', last: '2026-12-31', billed: id }), 2_000],
  ])('%s: no more for each of them if there are four times as many', (_name, more, limit) => {
    const [some, many] = [workOf(1_000, more), workOf(4_000, more)];
    expect(some).toBeLessThan(limit);
    expect(many).toBeLessThan(some * 1.2);
  });

  it('no statement that updates them reads all pairs, groups or judgments for each', () => {
    const store = openTestStore();
    store.ingest('claims', [...idsTo(40).map((id) => claimOf(id)), claimOf(50, { amount_billed: 81 })]);
    const prepare = vi.spyOn(store.database, 'prepare');
    const findings = lookForDuplicates(store.database);
    if (findings === 'firstRead') throw new Error('the indexes are not there');
    createFactsUpdater(store.database)({ ...usualRules, today, at: `${today}T12:00:00.000Z`, findings });
    const statements = new Set(prepare.mock.calls.map(([text]) => text));
    prepare.mockRestore();
    const scanned = [...statements].filter((text) => {
      const bound = text.replace(/\?|:\w+/g, 'NULL');
      const steps = store.database.prepare(`EXPLAIN QUERY PLAN ${bound}`).raw().all() as unknown[][];
      return steps.some((step) => /^SCAN (duplicate_pairs|judged|equal)/.test(String(step[3])));
    });
    // The claims of one look are counted once, to find a feed with a fault.
    const ofFeed = /is_of_feed|SELECT count\(\*\) FROM json_each\(:ids\)/;
    expect(scanned.filter((text) => !ofFeed.test(text))).toEqual([]);
    expect(statements.size).toBeGreaterThan(20);
  });
});
