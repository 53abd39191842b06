import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, readLines, runCommand } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** The tests check what the command line reports of a sync; the syncs themselves run in this process. */
let bench: Bench;
let profile: string;
let lost: number;
beforeAll(async () => {
  bench = await openBench('--members', '20', '--claims', '60', '--seed', '4');
  profile = await bench.newProfile();
  const session = await bench.open(profile);
  await bench.sync(session);
  const { data } = await bench.sandbox.control<{ data: { ids: number[] }[] }>('POST', '/edits', {
    edits: [
      { op: 'delete', list: 'claims', position: 3 },
      { op: 'change', list: 'claims', position: 10, set: { remarks: 'Changed there' } },
      { op: 'insert', list: 'claims', count: 1 },
    ],
  });
  lost = data[0]?.ids[0] as number;
  expect((await bench.sync(session)).receipt.outcome).toBe('complete');
  await session.close();
});
afterAll(() => bench.close());

test('sync changes lists what the last sync changed, as JSON lines or as text', async () => {
  const lines = readLines(await runCommand(['sync', 'changes', '--json', '--reason', 'A test'], { profile }));
  expect(lines.at(-1)).toMatchObject({ event: 'changes', total: 3, new: 1, changed: 1, missing: 1 });
  const changed = lines.find(({ change }) => change === 'changed');
  expect(changed?.fields).toContainEqual(
    expect.objectContaining({ path: 'remarks', after: '"Changed there"' }),
  );
  const { stdout, stderr } = await runCommand(['sync', 'changes', '--reason', 'A test'], { profile });
  expect(stdout).toContain(`claim ${lost} missing`);
  expect(stdout).toContain('-> "Changed there"');
  expect(stderr).toContain('1 new, 1 changed, 1 missing, 0 confirmed missing, 0 returned');
});

test('a claim that is no longer returned is left out of the list, can be listed, and is shown with its mark', async () => {
  const filter = ['list', 'claims', '--json', '--filter', `id=${lost}`, '--reason', 'A test'];
  expect(readLines(await runCommand(filter, { profile }))).toEqual([]);
  expect(readLines(await runCommand([...filter, '--missing'], { profile }))).toMatchObject([{ id: lost }]);
  const shown = await runCommand(['show', 'claim', String(lost), '--reason', 'A test'], { profile });
  expect(shown.stderr).toMatch(/no longer in the service since 20\d\d-/);
  expect(readLines(shown)).toMatchObject([
    { id: lost, no_longer_returned_since: expect.stringMatching(/^20\d\d-/), confirmed_missing_at: null },
  ]);
});

test('invalid combinations are reported by their code, and nothing is requested from the service', async () => {
  await bench.sandbox.control('DELETE', '/requests');
  const quick = await runCommand(['sync', 'quick'], { profile });
  expect([quick.code, codeOf(quick)]).toEqual([1, 'sync.quickUnavailable']);
  const decline = await runCommand(['sync', '--decline-loss'], { profile });
  expect([decline.code, codeOf(decline)]).toEqual([1, 'sync.noLossQuestion']);
  const [status] = readLines(await runCommand(['sync', 'status'], { profile }));
  expect(status).toMatchObject({
    isResumable: false,
    lossQuestion: null,
    quickRefresh: { isOffered: false },
  });
  const { data } = await bench.sandbox.control<{ data: unknown[] }>('GET', '/requests');
  expect(data).toEqual([]);
});
