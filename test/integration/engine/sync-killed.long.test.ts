import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxAtOnce } from '../../../src/main/engine/service/request-budget.ts';
import { startCli, waitForOutput } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { fuzzRuns, seedFrom } from '../../support/seeds.ts';

/** 8 kills in `npm test`, 50 in `npm run fuzz`; some of one sync, which each time goes on where it was. */
const kills = Math.min(fuzzRuns(8), 50);
const killsOfOneSync = 4;
const claims = 600;

let bench: Bench;
let undisturbed: Awaited<ReturnType<typeof syncToItsEnd>>;
let asked = 0;
beforeAll(async () => {
  bench = await openBench('--members', '30', '--claims', String(claims), '--seed', '3');
  await bench.sandbox.control('PUT', '/faults', [
    { kind: 'ignore-paging', ignored: 'per_page' },
    { kind: 'latency', ms: 25 },
  ]);
});
afterAll(() => bench.close());

const countRequests = async (): Promise<number> =>
  (await bench.sandbox.control<{ data: { path: string }[] }>('GET', '/requests')).data.filter(({ path }) =>
    path.startsWith('/api/v2/'),
  ).length;

/** The sandbox's order of random numbers would hang on the kills; this one does not. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Closed before the next one, so that fifty of them are no more than one. */
async function syncToItsEnd(profile: string) {
  const session = await bench.open(profile);
  try {
    const { receipt } = await bench.sync(session);
    expect(receipt).toMatchObject({ outcome: 'complete', claims });
    const lists = [await bench.readAll(session, 'members'), await bench.readAll(session, 'claims')];
    return { digest: receipt.digest, lists };
  } finally {
    await session.close();
  }
}

/** True where it was killed; it may have been faster, and then it must have ended well. */
async function killSync(profile: string, afterMs: number): Promise<boolean> {
  const { child, result } = startCli(['sync', '--json'], { profile });
  await waitForOutput(child, /"progress"/);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  const { signal, code } = await result;
  if (signal !== 'SIGKILL') expect(code).toBe(0);
  return signal === 'SIGKILL';
}

test('undisturbed, a sync ends with the truth', async () => {
  await bench.sandbox.control('DELETE', '/requests');
  undisturbed = await syncToItsEnd(await bench.newProfile());
  asked = await countRequests();
  for (const [index, list] of (['members', 'claims'] as const).entries()) {
    const truth = await bench.sandbox.truth<{ id: number }>(list);
    expect(undisturbed.lists[index]).toEqual(truth.sort((a, b) => a.id - b.id));
  }
});

test.each(Array.from({ length: Math.ceil(kills / killsOfOneSync) }, (_none, index) => index + 1))(
  'killed again and again it ends the same, and reads again no more than was in flight (seed %i)',
  async (seed) => {
    const random = createRandom(seedFrom(17 * seed));
    for (let left = Math.min(killsOfOneSync, kills - (seed - 1) * killsOfOneSync); left > 0; ) {
      const victim = await bench.newProfile();
      await bench.sandbox.control('DELETE', '/requests');
      let killed = 0;
      let isOver = false;
      while (left > 0 && !isOver) {
        if (await killSync(victim, random() * 500)) {
          killed += 1;
          left -= 1;
        } else isOver = true;
      }
      expect(await syncToItsEnd(victim)).toEqual(undisturbed);
      // One that ended before its kill was followed by a whole sync more.
      if (!isOver) expect((await countRequests()) - asked).toBeLessThanOrEqual(killed * maxAtOnce);
    }
  },
  300_000,
);
