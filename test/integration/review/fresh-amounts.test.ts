import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { runCommand } from '../../support/cli-run.ts';
import { parseCsv } from '../../support/csv.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** Amounts leave only once they follow from the newest decisions, without anyone asking for worklists in between. */
let bench: Bench;
let profile: string;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '5', '--claims', '60', '--seed', '43');
  profile = await bench.newProfile();
  await inSession(async (session) => {
    await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
    await bench.sync(session);
    await session.call('worklists:update', { workspaceId });
  });
});
afterAll(() => bench.close());

async function inSession<T>(act: (session: Session) => Promise<T>): Promise<T> {
  const session = await bench.open(profile);
  workspaceId = (await session.findWorkspace()).id;
  try {
    return await act(session);
  } finally {
    await session.close();
  }
}

const openClaims = {
  entity: 'claims' as const,
  conditions: [{ field: 'facts.open', operator: 'moreThan' as const, values: [0] }],
};
const findOpen = () =>
  inSession(async (session) => {
    const { rows } = await session.call('records:readFirst', {
      workspaceId,
      query: openClaims,
      limit: 50,
      fields: ['id'],
    });
    return rows.map(({ id }) => Number(id));
  });
const command = async (...words: string[]) => {
  const result = await runCommand([...words, '--json'], { profile });
  expect([result.code, result.stderr]).toEqual([0, expect.any(String)]);
  return result;
};

test('an export right after a decision on the command line has the amounts of that decision', async () => {
  const [claimId = 0] = await findOpen();
  await command('review', 'set', String(claimId), '--state', 'done', '--outcome', 'notEligible');
  const wanted = [
    '--filter',
    `id=${claimId}`,
    '--columns',
    'id,facts.eligible,facts.open',
    '--reason',
    'A test',
  ];
  const path = join(profile, 'one.csv');
  await command('export', 'claims', '--out', path, ...wanted);
  const [, row] = parseCsv(await readFile(path, 'utf8'));
  expect(row?.map(Number)).toEqual([claimId, 0, 0]);
});

test('lists, counts, and groups by amounts include a decision of the previous command', async () => {
  const [claimId = 0] = await findOpen();
  const { stdout } = await command(
    'list',
    'claims',
    '--filter',
    'facts.open>0',
    '--totals',
    '--reason',
    'A test',
  );
  const before = (JSON.parse(stdout) as { count: number }).count;
  await command('review', 'set', String(claimId), '--state', 'done', '--outcome', 'notEligible');
  const after = await command('list', 'claims', '--filter', 'facts.open>0', '--totals', '--reason', 'A test');
  expect((JSON.parse(after.stdout) as { count: number }).count).toBe(before - 1);
});

test('in one process, an export, a list, a group, and a report begin only after a decision is counted', async () => {
  await inSession(async (session) => {
    const { rows } = await session.call('records:readFirst', {
      workspaceId,
      query: openClaims,
      limit: 4,
      fields: ['id'],
    });
    const decide = (claimId: number) =>
      session.call('reviews:act', {
        workspaceId,
        target: { claimIds: [claimId] },
        act: { kind: 'decision', state: 'done', outcome: 'notEligible' },
      });
    const [one = 0, two = 0, three = 0] = rows.map(({ id }) => Number(id));
    const ofClaim = (id: number) => ({ field: 'id', operator: 'is' as const, values: [id] });
    await decide(one);
    const listed = await session.call('records:open', {
      workspaceId,
      query: { ...openClaims, conditions: [...openClaims.conditions, ofClaim(one)] },
    });
    expect(listed.total).toBe(0);
    await decide(two);
    const groups = await session.call('records:group', {
      workspaceId,
      query: { entity: 'claims', conditions: [ofClaim(two)] },
      by: 'review.outcome',
    });
    expect(groups.groups.map(({ value }) => value)).toEqual(['notEligible']);
    await decide(three);
    const ready = await session.call('records:open', { workspaceId, query: worklistQuery('toDecide') });
    const { rows: shown } = await session.call('records:getWindow', {
      ...{ workspaceId, snapshotId: ready.snapshotId, offset: 0, limit: 1000, fields: ['id'] },
    });
    expect(shown.map(({ id }) => Number(id))).not.toContain(three);
  });
});

test('a command that only reads waits for the process that has the profile open, and then says what it waits for', async () => {
  await inSession(async (session) => {
    const reader = await bench.open(profile, { writes: false });
    try {
      const count = async () => (await reader.call('records:open', { workspaceId, query: openClaims })).total;
      const before = await count();
      const { rows } = await session.call('records:readFirst', {
        workspaceId,
        query: openClaims,
        limit: 1,
        fields: ['id'],
      });
      await session.call('reviews:act', {
        workspaceId,
        target: { claimIds: [Number(rows[0]?.id)] },
        act: { kind: 'decision', state: 'done', outcome: 'notEligible' },
      });
      let now: number | string = 'facts.behind';
      while (now === 'facts.behind') now = await count().catch(({ code }: { code: string }) => code);
      expect(now).toBe(before - 1);
      // A list that does not use amounts does not wait.
      await expect(
        reader.call('records:open', { workspaceId, query: { entity: 'claims' } }),
      ).resolves.toMatchObject({ total: 60 });
    } finally {
      await reader.close();
    }
  });
});

test('a command that only reads gets what the open app computed at its start', async () => {
  await inSession((session) => session.call('settings:set', { planYearStart: 7 }));
  await inSession(async (holder) => {
    const reader = await bench.open(profile, { writes: false });
    try {
      const count = () => reader.call('records:open', { workspaceId, query: openClaims });
      await expect(count()).rejects.toMatchObject({ code: 'facts.behind' });
      const engine = await holder.getEngine();
      const isComputed = new Promise((resolve) =>
        engine.subscribe(({ name }) => name === 'worklists:changed' && resolve(name)),
      );
      engine.openAhead(workspaceId);
      await isComputed;
      expect((await count()).total).toBeGreaterThan(0);
    } finally {
      await reader.close();
    }
  });
});
