import '../../support/fixed-clock.ts';
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRules, toStoredRules } from '../../../src/contract/stored-rules.ts';
import type { RuleDraft } from '../../../src/rules/decide/decision-rule.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { runUntilKilled } from '../../support/killed-program.ts';

type Session = Awaited<ReturnType<Bench['open']>>;
const supportFile = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url));
const program = ['--import', supportFile('kill-at-step.ts'), supportFile('sync-program.ts')];

/** One rule decides fewer claims a day than meet its conditions. */
const perDay = { IN: 20, OUT: 1_000 };
const draftOf = (network: keyof typeof perDay): RuleDraft => ({
  name: network,
  conditions: [{ field: 'network', operator: 'is', values: [network] }],
  ...{ employers: [], act: { kind: 'eligible' }, most: null, secondLook: 5 },
  perDay: { claims: perDay[network], amount: 1e11 },
});

let bench: Bench;
let filled: string;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '20', '--claims', '150', '--seed', '16', '--corpus', 'ordinary');
  filled = await bench.newProfile();
  const session = await bench.open(filled);
  workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
  for (const network of ['IN', 'OUT'] as const)
    await session.call('rules:save', { workspaceId, draft: draftOf(network) });
  // As after a trial, for which 200 decisions of two months would have to be here.
  const { id, rules, unread } = findRules((await session.call('views:list', { workspaceId })).views);
  const deciding = rules.map((rule) => ({ ...rule, state: 'do' as const }));
  await session.call('views:save', { workspaceId, id: id ?? '', ...toStoredRules(deciding, unread) });
  await session.close();
});
afterAll(() => bench.close());

/** The claims that rules decided, by rule, after it is known that each has one event, and that counts and report have them all. */
async function readDecided(session: Session): Promise<Map<string, number[]>> {
  await session.call('worklists:update', { workspaceId });
  const { rows } = await session.call('records:begin', {
    ...{ workspaceId, limit: 1_000, fields: ['id', 'review.rule'] },
    query: {
      entity: 'claims',
      conditions: [{ field: 'review.rule', operator: 'isNotEmpty', values: [] }],
    },
  });
  const decided = Map.groupBy(
    rows.toSorted((a, b) => Number(a.id) - Number(b.id)),
    (row) => String(row['review.rule']),
  );
  const { total } = await session.call('reviews:listEvents', { workspaceId, offset: 0, limit: 1 });
  expect(total).toBe(rows.length);
  const { rules } = await session.call('rules:list', { workspaceId });
  for (const { rule, decided: count } of rules) expect(count).toBe(decided.get(rule.name)?.length ?? 0);
  const { byRules } = await session.call('worklists:report', { workspaceId });
  expect(Object.fromEntries(byRules.map((row) => [row.name, row.decided]))).toEqual(
    Object.fromEntries([...decided].map(([name, own]) => [name, own.length])),
  );
  return new Map([...decided].map(([name, own]) => [name, own.map(({ id }) => Number(id))]));
}

test('if a rule is killed at any step, it decides each claim once, and no more than its daily limit', async () => {
  const whole = `${filled}-whole`;
  await cp(filled, whole, { recursive: true });
  const undisturbed = await bench.open(whole);
  await bench.sync(undisturbed);
  const expected = await readDecided(undisturbed);
  await undisturbed.close();
  expect(expected.get('IN')).toHaveLength(perDay.IN);
  expect(expected.get('OUT')?.length).toBeGreaterThan(0);
  const seen = new Set<string>();
  for (let step = 1, isDone = false; !isDone; step += 1) {
    const profileDir = `${filled}-${step}`;
    await cp(filled, profileDir, { recursive: true });
    ({ isDone } = await runUntilKilled([...program, profileDir, String(step)], null));
    const session = await bench.open(profileDir);
    const decided = await readDecided(session);
    seen.add([...decided.keys()].sort().join(' '));
    for (const [name, own] of decided) expect(own).toEqual(expected.get(name));
    await bench.sync(session);
    expect(await readDecided(session)).toEqual(expected);
    await session.close();
    await rm(profileDir, { recursive: true, force: true });
  }
  // Killed before a rule decided, between two of them, and after both.
  expect([...seen].sort()).toEqual(['', 'IN', 'IN OUT']);
}, 1_800_000);
