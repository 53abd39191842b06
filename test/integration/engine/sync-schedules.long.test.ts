import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxPasses } from '../../../src/main/engine/sync/pass-rules.ts';
import { givenStore, readAll } from '../../support/engine-sync.ts';
import { openSandboxSync, type SandboxSync } from '../../support/sandbox-sync.ts';
import { fuzzRuns, seedFrom } from '../../support/seeds.ts';

/** 60 schedules in `npm test`, 1,000 in `npm run fuzz`; some in one test, so that a failure is near its seed. */
const schedules = Math.min(fuzzRuns(60), 1_000);
const schedulesPerTest = 20;
const usualClaims = 70;

type AnyRecord = { id: number };
type Edit = Record<string, unknown>;
interface Step {
  readonly after: number;
  readonly route: 'claims' | 'members';
  readonly edits: readonly Edit[];
}

let bed: SandboxSync;
beforeAll(async () => {
  bed = await openSandboxSync('--members', '25', '--claims', String(usualClaims), '--seed', '11');
  // Pages of ten whatever is asked: many pages of little data.
  await bed.sandbox.control('PUT', '/faults', [{ kind: 'ignore-paging', ignored: 'per_page' }]);
});
afterAll(() => bed.close());
beforeEach(() => bed.sandbox.control('DELETE', '/requests'));

const truthOf = async (list: 'claims' | 'members'): Promise<AnyRecord[]> =>
  (await bed.sandbox.truth<AnyRecord>(list)).sort((a, b) => a.id - b.id);

/** Brings the list near its usual length again, a little at a time: no loss is sudden. */
async function levelClaims(length: number): Promise<void> {
  const edits: Edit[] =
    length < usualClaims
      ? [{ op: 'insert', list: 'claims', count: usualClaims - length }]
      : Array.from({ length: Math.min(5, length - usualClaims) }, () => ({
          op: 'delete',
          list: 'claims',
          position: 0,
        }));
  if (edits.length > 0) await bed.sandbox.control('POST', '/edits', { edits });
}

const position = fc.nat({ max: 75 });
const editOf = (list: 'claims' | 'members'): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.record({
      op: fc.constant('insert'),
      list: fc.constant(list),
      count: fc.integer({ min: 1, max: 3 }),
      at: fc.constantFrom('start', 'end', 0, 3, 12),
    }),
    { arbitrary: fc.record({ op: fc.constant('delete'), list: fc.constant(list), position }), weight: 2 },
    fc.record({ op: fc.constant('change'), list: fc.constant(list), position }),
    fc.record({ op: fc.constant('move'), list: fc.constant(list), from: position, to: position }),
    fc.record({ op: fc.constant('swap'), list: fc.constant(list), a: position, b: position }),
  );
const stepOf = (route: 'claims' | 'members', last: number): fc.Arbitrary<Step> =>
  fc.record({
    after: fc.integer({ min: 1, max: last }),
    route: fc.constant(route),
    edits: fc.array(editOf(route), { minLength: 1, maxLength: 3 }),
  });
/** Everything happens while the lists are read the first time: the second read is quiet. */
const quietSchedule = fc
  .tuple(
    fc.array(stepOf('claims', 4), { minLength: 1, maxLength: 4 }),
    fc.array(stepOf('members', 1), { maxLength: 2 }),
  )
  .map(([claims, members]) => [...claims, ...members]);

describe('whatever changes while it is read the first time, a complete sync equals the truth', () => {
  const tests = Math.ceil(schedules / schedulesPerTest);
  test.each(Array.from({ length: tests }, (_none, index) => index + 1))('seed %i', async (seed) => {
    const drawn = fc.sample(quietSchedule, {
      seed: seedFrom(7_000 + seed),
      numRuns: Math.min(schedulesPerTest, schedules - (seed - 1) * schedulesPerTest),
    });
    let store = givenStore();
    for (const [index, steps] of drawn.entries()) {
      // Every third begins on an empty store, the others over what came before.
      if (index % 3 === 0) store = givenStore();
      await bed.sandbox.control('POST', '/schedule', { steps });
      const { receipt, error } = await bed.sync(store);
      const told = { seed, index, steps: JSON.stringify(steps), reason: receipt.reason };
      expect({ ...told, error: error?.code ?? null }).toEqual({ ...told, error: null });
      for (const list of ['members', 'claims'] as const) {
        const truth = await truthOf(list);
        expect({ ...told, list, records: await readAll(store, list) }).toEqual({
          ...told,
          list,
          records: truth,
        });
        expect(receipt[list]).toBe(truth.length);
        if (list === 'claims') await levelClaims(truth.length);
      }
    }
  });
});

test('lists that never settle end as not verified, and the first quiet sync after that is complete', async () => {
  const runs = Math.min(Math.ceil(schedules / 12), 40);
  for (const [index, seed] of Array.from({ length: runs }, (_none, at) => [at, 900 + at] as const)) {
    const store = givenStore();
    const changes = fc.sample(fc.nat({ max: 60 }), { seed: seedFrom(seed), numRuns: 200 });
    await bed.sandbox.control('POST', '/schedule', {
      steps: changes.map((at, after) => ({
        after: after + 1,
        route: 'claims',
        edits: [{ op: 'change', list: 'claims', position: at }],
      })),
    });
    const { receipt, error } = await bed.sync(store);
    expect({ index, code: error?.code }).toEqual({ index, code: 'sync.notProven' });
    expect(receipt).toMatchObject({ outcome: 'notProven', proof: 'not-proven', errorCode: null });
    expect(receipt.reason).toContain('claims changed between two reads');
    expect(receipt.passes).toBeLessThanOrEqual(2 * maxPasses);
    await bed.sandbox.control('DELETE', '/schedule');
    expect((await bed.sync(store)).receipt.outcome).toBe('complete');
    expect(await readAll(store, 'claims')).toEqual(await truthOf('claims'));
  }
});
