import { describe, expect, it } from 'vitest';
import { readFirstKeys } from '../../../../../../src/main/engine/store/query/first-rows.ts';
import { readFeedWarning } from '../../../../../../src/main/engine/store/worklists/write-duplicates.ts';
import {
  isSamePerson,
  isSameProcedure,
  readClaimNumber,
  readName,
  readProcedure,
} from '../../../../../../src/rules/compare-values.ts';
import type { ListQuery } from '../../../../../../src/rules/query.ts';
import { worklistQuery } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type LabeledPair, makeDuplicateSet, type Truth } from '../../../../../support/duplicate-set.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { seedFrom } from '../../../../../support/seeds.ts';
import { updateStore } from '../../../../../support/update-store.ts';

const at = '2026-11-20T12:00:00.000Z';

const update = (store: OpenedStore): void => updateStore(store, '2026-11-20');

/** The open pairs as `left right` → kind. */
function openPairs(store: OpenedStore): Map<string, string> {
  const claimIds = store.database.prepare('SELECT id FROM claims').pluck().all() as number[];
  const pairs = store.read.readPairs({ claimIds }).flatMap((of) => of.pairs);
  return new Map(
    pairs.flatMap(({ left, right, kind, isOpen }) => (isOpen ? [[`${left} ${right}`, kind]] : [])),
  );
}

const nameOf = ({ ids }: LabeledPair): string => ids.join(' ');

describe('the published set', () => {
  it('has every exact duplicate found, and nearly every suspected one with few false alarms', () => {
    const set = makeDuplicateSet(seedFrom(1), 36);
    const store = openTestStore();
    store.ingest('claims', set.claims);
    update(store);
    const found = openPairs(store);
    const wrong = (truth: Truth) =>
      set.pairs
        .filter((pair) => pair.truth === truth && found.get(nameOf(pair)) !== truth)
        .map(({ situation }) => situation);
    expect(wrong('exact')).toEqual([]);
    expect(wrong('sameClaim')).toEqual([]);
    const notHard = set.pairs.filter(({ situation }) => !situation.startsWith('hard'));
    expect(
      notHard.filter((pair) => ['none', 'adjustment'].includes(pair.truth) && found.has(nameOf(pair))),
    ).toEqual([]);

    const known = new Map(set.pairs.map((pair) => [nameOf(pair), pair.truth]));
    const suspected = set.pairs.filter(({ truth }) => truth === 'suspected');
    const recall = 1 - wrong('suspected').length / suspected.length;
    const flagged = [...found].filter(([, kind]) => kind === 'suspected');
    const precision = flagged.filter(([pair]) => known.get(pair) === 'suspected').length / flagged.length;
    expect({ suspected: suspected.length, flagged: flagged.length }).toEqual({
      suspected: 147,
      flagged: 147,
    });
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(precision).toBeGreaterThanOrEqual(0.9);
  });
});

const claimOf = (id: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  type: { name: 'medical', type_id: 1 },
  vendor_system_id: `N${id}000000`,
  patient_name: 'Margaret Edwards',
  service_provider: 'Lakeside Clinic',
  members: [{ id: 7, first_name: 'Margaret', last_name: 'Edwards' }],
  date_of_service: { bounds: '[)', start: '2026-03-02', end: '2026-03-03' },
  amount_billed: 80,
  patient_responsibility: 20,
  claim_medical_lines: [{ id: id * 10, procedure_code: 'G0439', amount_billed: 80, quantity: 1 }],
  ...more,
});

describe('after a sync', () => {
  it('compares only what changed, and a missing claim is not a duplicate', () => {
    const store = openTestStore();
    store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3, { patient_name: 'Luis Edwards' })]);
    update(store);
    expect([...openPairs(store)]).toEqual([['1 2', 'exact']]);
    expect(store.read.lookForDuplicates(null)).toBeNull();

    store.ingest('claims', [claimOf(2, { service_provider: 'Harbor Clinic' }), claimOf(3)]);
    expect(store.read.lookForDuplicates(null)).toMatchObject({
      concerned: [1, 2, 3],
      pairs: [{ left: 1, right: 3, kind: 'exact' }],
    });
    update(store);
    expect([...openPairs(store)]).toEqual([['1 3', 'exact']]);

    store.database.prepare("UPDATE claims SET gone_since='2026-11-19' WHERE id=3").run();
    update(store);
    expect(openPairs(store).size).toBe(0);
    store.ingest('claims', [claimOf(3)]);
    update(store);
    expect(openPairs(store).size).toBe(1);
  });

  it('finds for a few claims what it finds for all', () => {
    const set = makeDuplicateSet(seedFrom(2), 4);
    const [some, all] = [openTestStore(), openTestStore()];
    for (const claim of set.claims) {
      some.ingest('claims', [claim]);
      update(some);
    }
    all.ingest('claims', set.claims);
    update(all);
    // Whether it is a fault of the feed depends on what one sync brought.
    const rows = (store: OpenedStore): unknown =>
      store.database
        .prepare(
          `SELECT left_id, right_id, kind, fingerprint, '' AS role FROM duplicate_pairs
           UNION ALL SELECT id, chain, role, by_id, group_id FROM claim_chains ORDER BY 1, 2`,
        )
        .all();
    expect(rows(some)).toEqual(rows(all));
    expect(openPairs(all).size).toBeGreaterThan(20);
  });

  it('a word that many claims have instead of a number relates none of them, and the index finds the others', () => {
    const store = openTestStore();
    const other = (id: number) => ({
      policy_holder: { id },
      members: [{ id: 100 + id }],
      vendor_system_id: 'UNKNOWN',
    });
    store.ingest(
      'claims',
      Array.from({ length: 21 }, (_none, at) => claimOf(at + 1, other(at))),
    );
    update(store);
    expect(openPairs(store).size).toBe(0);
    store.ingest('claims', [
      claimOf(22, { ...other(50), vendor_system_id: 'N77' }),
      claimOf(23, { ...other(51), vendor_system_id: 'N77' }),
    ]);
    update(store);
    expect([...openPairs(store)]).toEqual([['22 23', 'sameClaim']]);
    store.ingest('claims', [claimOf(21, other(99))]);
    update(store);
    expect(openPairs(store).size).toBe(1);
  });

  it('a changed day of processing does not affect a pair’s fingerprint, a changed amount does', () => {
    const store = openTestStore();
    const fingerprint = (): unknown =>
      store.database.prepare('SELECT fingerprint FROM duplicate_pairs').pluck().get();
    store.ingest('claims', [claimOf(1), claimOf(2)]);
    update(store);
    const before = fingerprint();
    store.ingest('claims', [claimOf(2, { processed_on: '2026-04-01', check_number: '77' })]);
    update(store);
    expect(fingerprint()).toBe(before);
    store.ingest('claims', [claimOf(2, { patient_responsibility: 21 })]);
    update(store);
    expect(fingerprint()).not.toBe(before);
  });

  const families = (from: number, count: number, times: number) =>
    Array.from({ length: count * times }, (_none, at) => {
      const family = from + (at % count);
      return claimOf(from * 10 + at, { members: [{ id: family }], amount_billed: 80 });
    });
  it('more than 5 % duplicates are one warning about the feed, a few are no warning', () => {
    const store = openTestStore();
    store.ingest('claims', [...families(100_000, 400, 1), ...families(200_000, 9, 2)]);
    update(store);
    expect(readFeedWarning(store.database)).toBeNull();
    store.ingest('claims', families(300_000, 60, 2));
    update(store);
    expect(readFeedWarning(store.database)).toEqual({ at, claims: 120, duplicates: 120 });
    expect(
      store.database.prepare('SELECT is_of_feed, count(*) AS pairs FROM duplicate_pairs GROUP BY 1').all(),
    ).toEqual([
      { is_of_feed: 0, pairs: 9 },
      { is_of_feed: 1, pairs: 60 },
    ]);
  });

  it('the duplicates of one sync count together, in whatever parts it is examined, and relative to that sync', () => {
    const store = openTestStore();
    const inSync = (syncId: string, data: readonly unknown[]): void => {
      store.ingest('claims', data, { changes: { syncId, keepsNew: true } });
      update(store);
    };
    const ofFeed = (): unknown =>
      store.database.prepare('SELECT count(*) FROM duplicate_pairs WHERE is_of_feed=1').pluck().get();
    inSync('first', families(100_000, 1_500, 1));
    inSync('second', families(200_000, 20, 2));
    expect(readFeedWarning(store.database)).toBeNull();
    inSync('second', families(300_000, 20, 2));
    expect(readFeedWarning(store.database)).toEqual({ at, claims: 80, duplicates: 80 });
    expect(ofFeed()).toBe(40);
    // The share falls below 5 % by what the same sync brings later, and is no concern of the next sync.
    inSync('second', families(400_000, 1_700, 1));
    expect(readFeedWarning(store.database)).toBeNull();
    inSync('third', families(500_000, 30, 2));
    inSync('fourth', families(600_000, 200, 1));
    expect(readFeedWarning(store.database)).toEqual({ at, claims: 60, duplicates: 60 });
    expect(ofFeed()).toBe(30);
  });
});

describe('the order of the worklist', () => {
  /** What a claim needs to be in no worklist before Duplicates. */
  const whole = { status: 'Processed', network: 'IN', copayment: 20, reduction: 0, coinsurance_patient: 0 };
  const names = ['Ana Ruiz', 'Ben Cole', 'Cy Dunn', 'Dee Ford'];
  const query = worklistQuery('duplicates');
  const openPairsOf = (amounts: readonly number[]): OpenedStore => {
    const store = openTestStore();
    const claims = [1, 2, 3, 4, 8, 7, 6, 5].map((id, at) => {
      const [who, amount] = [at % 4, amounts[at % 4]];
      const [first, last] = (names[who] as string).split(' ');
      return claimOf(id, {
        ...whole,
        patient_name: names[who],
        members: [{ id: who + 1, first_name: first, last_name: last }],
        patient_responsibility: amount,
        copayment: amount,
      });
    });
    store.write.writeReviewPeriod({ from: '2026-01-01', on: null });
    store.ingest('claims', claims);
    update(store);
    return store;
  };
  /** The patients of a list, in its order. */
  const patientsOf = (store: OpenedStore, keys: number[]): unknown[] =>
    store.read.readRows({ entity: 'claims', keys, fields: ['patient_name'] }).map((row) => row.patient_name);

  it('has both claims of a pair together, the largest amount first, whatever their IDs', () => {
    const store = openPairsOf([20, 0, 50, 20]);
    expect(store.list(query)).toEqual([6, 3, 5, 4, 8, 1, 7, 2]);
    expect(store.list({ ...query, sort: [{ field: 'facts.payable_twice', direction: 'asc' }] })).toEqual([
      2, 7, 1, 8, 4, 5, 3, 6,
    ]);
    expect(readFirstKeys(store.readerConnection, query, 5)).toEqual([6, 3, 5, 4, 8]);
  });

  it('has them together with a filter, and if nothing is payable', () => {
    const store = openPairsOf([20, 0, 0, 20]);
    expect(patientsOf(store, store.list(query))).toEqual(
      ['Dee Ford', 'Ana Ruiz', 'Cy Dunn', 'Ben Cole'].flatMap((name) => [name, name]),
    );
    const some = { field: 'patient_name', operator: 'isOneOf', values: [names[0], names[2]] } as const;
    const filtered = { ...query, conditions: [...(query.conditions ?? []), some] } as ListQuery;
    expect(store.list(filtered)).toEqual([8, 1, 6, 3]);
  });

  it('has both claims of a pair together where the IDs of two pairs differ by a power of two', () => {
    const store = openTestStore();
    store.write.writeReviewPeriod({ from: '2026-01-01', on: null });
    const far = 2 ** 20;
    const others = [5 + far, 5 + 2 * far];
    const claims = [5, 6 + far, ...others].map((id) =>
      claimOf(id, {
        ...whole,
        patient_responsibility: 0,
        copayment: 0,
        ...(others.includes(id)
          ? { patient_name: 'Ben Cole', members: [{ id: 8, first_name: 'Ben', last_name: 'Cole' }] }
          : {}),
      }),
    );
    for (const some of [claims.slice(2), claims]) {
      store.ingest('claims', some);
      update(store);
    }
    const keys = store.list(query);
    expect(keys.map((id) => others.includes(id))).toEqual([false, false, true, true]);
    expect(readFirstKeys(store.readerConnection, query, 4)).toEqual(keys);
  });

  it('has all claims together that are related through others', () => {
    const store = openTestStore();
    store.write.writeReviewPeriod({ from: '2026-01-01', on: null });
    store.ingest(
      'claims',
      [1, 9, 12, 3].map((id) => claimOf(id, whole)),
    );
    update(store);
    expect(store.list(query)).toEqual([12, 9, 3, 1]);
  });
});

describe('what is compared', () => {
  it.each([
    ['Edwards, Margaret', 'MARGARET EDWARDS', true],
    ['Margaret A Edwards', 'Margaret Ann Edwards', true],
    ['Margaret A. Smith-Jones', 'Margaret Smith-Jones', true],
    ['Baby A Edwards', 'Baby B Edwards', false],
    ['John Edwards Jr', 'John Edwards', false],
    ['Zoë Nuñez', 'ZOE NUNEZ', true],
  ])('%s and %s are one person: %s', (a, b, isSame) => {
    const [left, right] = [readName(a), readName(b)];
    expect(left !== null && right !== null && isSamePerson(left, right)).toBe(isSame);
  });
  it('a name with one part identifies no one', () => expect(readName('Margaret')).toBeNull());

  it.each([
    ['73721-LT', '73721-RT', false],
    ['73721', '73721-LT', true],
    ['73721', '73721-76', false],
    ['73721-26', '73721 TC', false],
    ['87254 - Virus isolation', '87254', true],
  ])('%s and %s are one service: %s', (a, b, isSame) => {
    const [left, right] = [readProcedure(a), readProcedure(b)];
    expect(left !== null && right !== null && isSameProcedure(left, right)).toBe(isSame);
  });

  it('a claim number without the suffix of an adjustment', () => {
    expect(readClaimNumber(' c000000123-01')).toEqual({ whole: 'C000000123-01', base: 'C000000123' });
    expect(readClaimNumber('12-01')).toEqual({ whole: '12-01', base: '12-01' });
    expect(readClaimNumber(' ')).toBeNull();
  });
});
