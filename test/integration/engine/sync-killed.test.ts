import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { mostAtOnce } from '../../../src/main/engine/service/request-budget.ts';
import { startCli, waitForOutput } from '../../support/cli-run.ts';
import { fuzzRuns } from '../../support/engine-records.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** 8 kills in `npm test`, 50 in `npm run fuzz`; some of one sync, which each time goes on where it was. */
const kills = Math.min(fuzzRuns(8), 50);
const killsOfOneSync = 4;
const claims = 600;

let bench: Bench;
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

test('a sync that is killed again and again ends as if nothing had been, and reads again what was in flight', async () => {
  const syncToItsEnd = async (from: string) => {
    const session = await bench.open(from);
    onTestFinished(() => session.close());
    const { receipt } = await bench.sync(session);
    expect(receipt).toMatchObject({ outcome: 'complete', claims });
    return { session, receipt };
  };
  await bench.sandbox.control('DELETE', '/requests');
  const undisturbed = await syncToItsEnd(await bench.newProfile());
  const asked = await countRequests();

  const random = createRandom(17);
  for (let done = 0; done < kills; ) {
    const victim = await bench.newProfile();
    await bench.sandbox.control('DELETE', '/requests');
    let killed = 0;
    while (killed < killsOfOneSync && done < kills) {
      const { child, result } = startCli(['sync', '--json'], { profile: victim });
      await waitForOutput(child, /"progress"/);
      await new Promise((resolve) => setTimeout(resolve, random() * 500));
      child.kill('SIGKILL');
      const { signal, code } = await result;
      // It was faster than the kill: then it must have ended well, and the next sync is another one.
      if (signal !== 'SIGKILL') {
        expect(code).toBe(0);
        break;
      }
      killed += 1;
      done += 1;
    }
    const { session, receipt } = await syncToItsEnd(victim);
    expect(receipt.digest).toBe(undisturbed.receipt.digest);
    if (killed === killsOfOneSync || done === kills) {
      expect((await countRequests()) - asked).toBeLessThanOrEqual(killed * mostAtOnce);
    }
    for (const list of ['members', 'claims'] as const) {
      const truth = await bench.sandbox.truth<{ id: number }>(list);
      expect(await bench.readAll(session, list)).toEqual(truth.sort((a, b) => a.id - b.id));
    }
  }
});
