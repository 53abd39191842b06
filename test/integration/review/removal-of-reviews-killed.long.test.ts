import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { fuzzRuns } from '../../support/seeds.ts';

const program = fileURLToPath(new URL('../../support/remove-session-program.ts', import.meta.url));
let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '60', '--seed', '18');
});
afterAll(() => bench.close());

test('if a removal is killed at any moment, nothing written is lost while its claim exists, and the rest is completed', async () => {
  const filled = await bench.newProfile();
  const session = await bench.open(filled);
  await bench.sync(session);
  const workspaceId = (await session.findWorkspace()).id;
  const claims = await bench.readAll(session, 'claims');
  const lastDays = claims.flatMap(({ date_of_service: days }) => {
    const end = (days as { end?: string } | null)?.end;
    return typeof end === 'string' ? [end.slice(0, 10)] : [];
  });
  const date = lastDays.sort()[Math.floor(lastDays.length / 2)] as string;
  const act = { kind: 'note', text: 'kept or removed' } as const;
  const all = claims.map(({ id }) => id as number);
  await session.call('reviews:act', { workspaceId, target: { claimIds: all }, act });
  await session.close();

  let wholeMs = Number.POSITIVE_INFINITY;
  let kept: number[] = [];
  const outcomes: string[] = [];
  const runs = Math.min(fuzzRuns(2), 50);
  // The first one ends by itself and says how long it takes here.
  for (let run = 0; run <= runs; run += 1) {
    const profile = `${filled}-${run}`;
    await cp(filled, profile, { recursive: true });
    const killAfterMs = run === 0 ? null : (wholeMs * run) / (runs + 1);
    const { ms } = await runUntilKilled([program, profile, date], killAfterMs);
    if (run === 0) wholeMs = ms;

    const again = await bench.open(profile);
    const here = new Set((await bench.readAll(again, 'claims')).map(({ id }) => id as number));
    const notes = async (claimId: number): Promise<number> => {
      const { total } = await again.call('reviews:listEvents', { workspaceId, claimId, offset: 0, limit: 9 });
      return total;
    };
    const removed = all.filter((id) => !here.has(id));
    const readEntries = async (): Promise<string[]> => {
      const wanted = { offset: 0, limit: 100, filter: { kinds: ['data' as const] } };
      return (await again.call('audit:list', wanted)).entries.map(({ action }) => action);
    };
    if (removed.length > 0)
      await vi.waitFor(async () => expect(await readEntries()).toContain('records.removed'), 20_000);
    const noted = await readEntries();
    const counts = new Map<number, number>();
    for (const id of all) counts.set(id, await notes(id));
    expect(removed.map((id) => counts.get(id))).toEqual(removed.map(() => 0));
    const withNote = all.filter((id) => counts.get(id) === 1);
    if (run === 0) kept = all.filter((id) => here.has(id));
    expect(withNote).toEqual(removed.length > 0 ? kept : all);
    expect(noted.includes('records.removed')).toBe(removed.length > 0);
    if (removed.length > 0) expect(noted).toContain('records.removalBegun');
    outcomes.push(`${removed.length} removed, ${withNote.length} with a note`);
    // A repeated removal ends like one that was not killed.
    const removal = { kind: 'claimsBefore', date } as const;
    await again.call('data:remove', { workspaceId, removal, typed: date });
    const left = await bench.readAll(again, 'claims');
    for (const { id } of left) expect(await notes(id as number)).toBe(1);
    outcomes.push(`${left.length} left`);
    await again.close();
    await rm(profile, { recursive: true, force: true });
  }
  const ends = outcomes.filter((text) => text.endsWith('left'));
  expect(new Set(ends).size, outcomes.join('; ')).toBe(1);
});
