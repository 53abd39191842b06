import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, readLines, runCommand } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { decisionOf } from '../../support/review-files.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '60', '--seed', '7');
});
afterAll(() => bench.close());

test('rules are made, tried, changed, set to propose, undone, and removed by commands', async () => {
  const profile = await bench.newProfile();
  const run = async (...words: string[]) => {
    const result = await runCommand(['rules', ...words], { profile });
    expect(result.code, result.stderr).toBe(0);
    return { ...result, answer: readLines(result)[0] ?? {} };
  };
  const session = await bench.open(profile);
  await bench.sync(session);
  const { id: workspaceId } = await session.findWorkspace();
  const claims = await bench.readAll(session, 'claims');
  const inNetwork = claims.filter(({ network, status }) => network === 'IN' && status === 'Processed');
  const target = { claimIds: [inNetwork[0]?.id as number] };
  await session.call('reviews:act', { workspaceId, target, act: decisionOf('notEligible') });
  await session.close();

  const filters = ['--filter', 'network=IN', '--filter', 'members.employer.id=1|2', '--most', 'any'];
  const made = await run('set', '--name', 'In network', ...filters, '--outcome', 'eligible');
  expect(made.answer).toMatchObject({
    ...{ version: 1, state: 'watch', name: 'In network', filter: ['network=IN'], employers: [1, 2] },
    ...{ does: 'Eligible by the rules', most: null, perDay: { claims: 200, amount: 10_000 } },
  });
  const id = made.answer.id as string;

  const changed = await run('set', id, '--filter', 'network=IN', '--filter', 'amount_billed>0');
  expect(changed.answer).toMatchObject({
    ...{ id, version: 2, filter: ['network=IN', 'amount_billed>0'], employers: [1, 2] },
  });
  const partly = await run('set', id, '--outcome', 'partlyEligible', '--share', '80', '--cause', 'Cosmetic');
  expect(partly.answer).toMatchObject({ version: 3, does: 'Partly eligible: 80%, Cosmetic' });
  const completed = await run('set', id, '--share', '60');
  expect(completed.answer).toMatchObject({ version: 4, does: 'Partly eligible: 60%, Cosmetic' });
  const again = await run('set', id, '--outcome', 'eligible', '--employer', 'any');
  expect(again.answer).toMatchObject({ does: 'Eligible by the rules', employers: [] });
  const stray = await runCommand(['rules', 'set', id, '--days', '3'], { profile });
  expect([stray.code, stray.stderr]).toEqual([2, expect.stringContaining('--days doesn’t go with')]);
  const tried = await run('try', id);
  expect(tried.answer).toMatchObject({
    decisions: 1,
    agrees: 0,
    differing: [target.claimIds[0]].map((claimId) => ({ claimId })),
  });
  const open = tried.answer.open as { claims: number; amount: number };
  expect(open.claims).toBeGreaterThan(0);
  expect(tried.stderr).toContain('Agrees in 0 of 1 decision of the last year; below is the 1 that differs.');
  expect(tried.stderr).toContain(`Would decide ${open.claims} open claim`);

  const refused = await runCommand(['rules', 'state', id, 'do'], { profile });
  expect([refused.code, codeOf(refused)]).toEqual([1, 'rule.notTried']);
  expect((await run('state', id, 'propose')).answer).toMatchObject({ state: 'propose', version: 5 });
  expect((await run('list')).answer).toMatchObject({ id, acts: 'propose', proposed: open, decided: 0 });
  expect((await run('show', id)).answer).toMatchObject({ id, filter: ['network=IN', 'amount_billed>0'] });
  expect((await run('move', id, 'up')).answer).toEqual({ isDone: true });
  expect((await run('undo', id, '--date', '2026-11-02')).answer).toEqual({ claims: 0 });
  await run('remove', id);
  expect((await run('list')).lines).toEqual([]);
});

test.each<[words: string[], said: string]>([
  [
    ['set', '--name', 'X', '--filter', 'review.state=todo', '--outcome', 'eligible'],
    'can’t use review.state',
  ],
  [['set', '--name', 'X', '--filter', 'network=IN'], 'act is missing'],
  [['set', '--name', 'X', '--filter', 'network=IN', '--outcome', 'notEligible'], 'act cause is missing'],
  [
    ['set', '--name', 'X', '--filter', 'network=IN', '--outcome', 'eligible', '--share', '80'],
    '--share doesn’t go with',
  ],
  [['set', '--name', 'X', '--outcome', 'eligible'], 'conditions is missing'],
  [['set', '--filter', 'network=IN', '--outcome', 'eligible', '--most', '$5'], '--most is in dollars'],
])('rules %j is refused', async (words, said) => {
  const result = await runCommand(['rules', ...words], { profile: await bench.newProfile() });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(said);
});
