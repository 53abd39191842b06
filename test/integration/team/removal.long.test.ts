import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import type { TeamRemoval } from '../../../src/contract/store.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { parseCsv } from '../../support/csv.ts';
import { toFile } from '../../support/incoming-file.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { readEverything } from '../../support/read-everything.ts';
import { openTeamSessions, reason } from '../../support/team-sessions.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const program = fileURLToPath(new URL('../../support/team-sync-program.ts', import.meta.url));
const records = ['--members', '8', '--claims', '48', '--seed', '7'] as const;

test('a removal for the team is carried out and acknowledged by everyone online, through the whole app', async () => {
  const { bench, here, there, empty, workspaceId, all, countNotes, remove, claimsIn, close } =
    await openTeamSessions(makeTempFolder(), records);
  try {
    const members = await bench.readAll(here, 'members');
    const memberId = Math.min(...members.map(({ id }) => id as number));
    const rule = { kind: 'member', memberId } as const;
    const planned = await here.call('team:planRemoval', { workspaceId, rule });
    expect(planned.claims).toBeGreaterThan(0);
    await remove(rule);
    await vi.waitFor(
      async () => {
        const [listed] = (await here.call('team:listRemovals', { workspaceId })).removals;
        expect(listed?.computers.map(({ isDone }) => isDone)).toEqual([true, true, true]);
      },
      { timeout: 30_000, interval: 50 },
    );
    const left = await claimsIn(here);
    expect(left).toHaveLength(all.length - planned.claims);
    expect(await claimsIn(there)).toEqual(left);
    const kept = new Set(left);
    for (const session of [here, there, empty])
      for (const claimId of all) expect(await countNotes(session, claimId)).toBe(kept.has(claimId) ? 1 : 0);
    // The records can be used as before, and a sync leaves out what was removed.
    const [claimId = 0] = left;
    const act = { kind: 'note', text: 'after it' } as const;
    await there.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act });
    for (const session of [there, here, empty]) await session.call('team:sync', { workspaceId });
    for (const session of [here, empty]) expect(await countNotes(session, claimId)).toBe(2);
    for (const session of [here, there, empty]) {
      expect((await bench.sync(session)).error).toBeNull();
      expect(await claimsIn(session)).toEqual(left);
      // After a sync a computer also sends its own state.
      await vi.waitFor(
        async () =>
          expect(await session.call('team:getStatus', { workspaceId })).toMatchObject({
            unsent: 0,
            refused: 0,
          }),
        { timeout: 30_000, interval: 50 },
      );
      const { entries } = await session.call('audit:list', { offset: 0, limit: 100 });
      expect(entries.map(({ action }) => action)).toContain('records.removed');
    }
    expect(await here.call('team:verify', { workspaceId })).toMatchObject({ isWhole: true });
  } finally {
    await close();
  }
});

/** IDs of a file of exactly the claims that a removal would remove. */
async function exportOf(session: Session, workspaceId: string, rule: TeamRemoval): Promise<number[]> {
  const path = join(makeTempFolder(), 'claims.csv');
  const engine = await session.getEngine();
  const ended = new Promise<unknown>((resolve) => {
    const end = engine.subscribe((event) => {
      if (event.name !== 'export:finished') return;
      end();
      resolve(event.payload.error);
    });
  });
  await session.call('export:start', {
    ...{ workspaceId, removal: rule, format: 'csv', columns: ['id'] },
    source: { kind: 'list', query: { entity: 'claims', includesMissing: true } },
    targetId: await session.addSaveTarget(path, 'records'),
  });
  expect(await ended).toBeNull();
  const [, ...rows] = parseCsv(await readFile(path, 'utf8'));
  return rows.map(([id]) => Number(id)).sort((one, other) => one - other);
}

test('an employer, then everything: exported first, removed from every file, and restored by none', async () => {
  const { bench, folders, here, there, empty, workspaceId, all, countNotes, remove, claimsIn, close } =
    await openTeamSessions(makeTempFolder(), records);
  try {
    type Claim = { id: number; patient_name: string | null; members: { employer: { id: number } | null }[] };
    const claims = (await bench.readAll(here, 'claims')) as unknown as Claim[];
    const employersOf = ({ members }: Claim) => new Set(members.map(({ employer }) => employer?.id));
    const { employers } = await here.call('records:listEmployers', { workspaceId });
    const isOf = (employerId: number) => (claim: Claim) =>
      employersOf(claim).size === 1 && employersOf(claim).has(employerId);
    const employerId = employers.map(({ id }) => id).find((id) => claims.some(isOf(id))) as number;
    const rule = { kind: 'employer', employerId } as const;
    const removed = claims.filter(isOf(employerId)).map(({ id }) => id);
    const left = all.filter((id) => !removed.includes(id)).sort((one, other) => one - other);
    expect(left.length).toBeGreaterThan(0);
    const [removedId = 0] = removed;
    const [leftId = 0] = left;
    await there.call('reviews:act', {
      ...{ workspaceId, target: { claimIds: [removedId] } },
      act: { kind: 'note', text: 'Zqxgone' },
    });
    await there.call('team:sync', { workspaceId });
    const passphrase = 'correct horse battery staple';
    const path = join(makeTempFolder(), 'reviews');
    const targetId = await there.addSaveTarget(path, 'reviews');
    await there.call('reviews:export', { workspaceId, passphrase, targetId });
    const payments = {
      ...{ workspaceId, payment: 'reimbursed' as const },
      file: toFile(`claim,amount,date\n${removedId},10,2026-03-02\n${leftId},10,2026-03-02`),
    };
    const { selectionId, payments: matched } = await there.call('reviews:readPayments', payments);
    expect(matched).toBe(2);

    const planned = await here.call('team:planRemoval', { workspaceId, rule });
    expect(planned).toMatchObject({ claims: removed.length, reviews: removed.length + 1 });
    expect(await exportOf(here, workspaceId, rule)).toEqual(removed.sort((one, other) => one - other));
    await remove(rule);
    for (const session of [there, empty, here]) await session.call('team:sync', { workspaceId });

    const isDone = async (): Promise<void> => {
      for (const session of [here, there]) {
        expect(await claimsIn(session)).toEqual(left);
        for (const id of removed) expect(await countNotes(session, id)).toBe(0);
      }
    };
    await isDone();
    const [listed] = (await there.call('team:listRemovals', { workspaceId })).removals;
    expect(listed).toMatchObject({ rule, reason });
    expect(listed?.computers.map((one) => one.isDone)).toEqual([true, true, true]);
    // No file of any computer has an employer’s people or notes, deleted rows included.
    const names = claims.filter(isOf(employerId)).flatMap((claim) => claim.patient_name?.toLowerCase() ?? []);
    const others = new Set(claims.filter(({ id }) => left.includes(id)).map((one) => one.patient_name));
    const secrets = [
      ...names.filter((name) => ![...others].some((one) => one?.toLowerCase() === name)),
      'zqxgone',
    ];
    for (const folder of folders) {
      const text = await readEverything(folder, workspaceId);
      expect(
        secrets.filter((secret) => text.includes(secret)),
        folder,
      ).toEqual([]);
    }

    // An earlier reading of a payments file, the file again, and an earlier file of reviews restore nothing.
    const recorded = await there.call('reviews:recordPayments', { workspaceId, selectionId });
    expect(recorded).toMatchObject({ claims: 1, leftOut: [removedId] });
    expect((await there.call('reviews:readPayments', payments)).unmatched).toMatchObject([
      { line: 2, reason: 'noClaim' },
      { line: 3 },
    ]);
    const file = (await readFile(path)).toString('base64');
    for (const session of [there, here, empty]) {
      const report = await session.call('reviews:import', { workspaceId, file, passphrase });
      expect(report).toMatchObject({ removedClaims: removed.length });
      await session.call('team:sync', { workspaceId });
    }
    await isDone();

    await remove({ kind: 'everything' });
    for (const session of [there, empty, here]) await session.call('team:sync', { workspaceId });
    for (const session of [here, there]) {
      expect(await claimsIn(session)).toEqual([]);
      expect((await bench.sync(session)).error).toBeNull();
      expect(await claimsIn(session)).toEqual([]);
      await session.call('reviews:import', { workspaceId, file, passphrase });
      for (const id of all) expect(await countNotes(session, id)).toBe(0);
      expect(await session.call('team:getStatus', { workspaceId })).toMatchObject({ unsent: 0, refused: 0 });
    }
    expect(await here.call('team:verify', { workspaceId })).toMatchObject({ isWhole: true });
  } finally {
    await close();
  }
});

test('if a computer is killed at any moment, it completes a removal for the team when it is next online', async () => {
  const { bench, folders, here, there, workspaceId, all, countNotes, remove, claimsIn, close } =
    await openTeamSessions(makeTempFolder(), records);
  try {
    await there.close();
    const days = (await bench.readAll(here, 'claims')).flatMap(({ date_of_service: of }) => {
      const end = (of as { end?: string } | null)?.end;
      return typeof end === 'string' ? [end.slice(0, 10)] : [];
    });
    const date = days.sort()[Math.floor(days.length / 2)] as string;
    await remove({ kind: 'claimsBefore', date });
    const left = await claimsIn(here);
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(all.length);
    const kept = new Set(left);
    let wholeMs = 0;
    // The first one ends by itself and says how long it takes here.
    for (const share of [null, 0.4, 0.8]) {
      const folder = `${folders[1]}-${share}`;
      await cp(folders[1] as string, folder, { recursive: true });
      const { isDone, ms } = await runUntilKilled([program, folder], share === null ? null : wholeMs * share);
      if (share === null) {
        expect(isDone).toBe(true);
        wholeMs = ms;
      }
      const again = await bench.open(folder);
      await again.call('team:sync', { workspaceId });
      expect(await claimsIn(again), `${share}`).toEqual(left);
      for (const claimId of all)
        expect(await countNotes(again, claimId), `${share}`).toBe(kept.has(claimId) ? 1 : 0);
      const [listed] = (await again.call('team:listRemovals', { workspaceId })).removals;
      expect(listed?.computers.find(({ isThis }) => isThis)).toMatchObject({ isDone: true });
      expect(await again.call('team:getStatus', { workspaceId })).toMatchObject({ unsent: 0, refused: 0 });
      await again.close();
    }
  } finally {
    await close();
  }
});
