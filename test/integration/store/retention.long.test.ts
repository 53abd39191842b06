import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { removeRecords } from '../../../src/main/engine/store/maintenance/remove-records.ts';
import { profilePaths } from '../../../src/main/lib/paths.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { readProfileSecret } from '../../support/profile-secret.ts';
import { readEverything } from '../../support/read-everything.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '40', '--claims', '160', '--seed', '11');
});
afterAll(() => bench.close());

async function openSynced(isSynced = true) {
  const profileDir = await bench.newProfile();
  const session = await bench.open(profileDir);
  if (isSynced) await bench.sync(session);
  const workspaceId = (await session.findWorkspace()).id;
  return { profileDir, session, workspaceId };
}

type Claim = {
  id: number;
  patient_name: string;
  members: { id: number }[] | null;
  date_of_service: { start: string | null; end: string | null; bounds: string } | null;
};
const claimsOf = async (session: Session): Promise<Claim[]> =>
  (await bench.readAll(session, 'claims')) as unknown as Claim[];

test('claims before a date are permanently removed, stay away at the next sync, and come back when allowed', async () => {
  const { profileDir, session, workspaceId } = await openSynced();
  const all = await claimsOf(session);
  const date = '2025-01-01';
  const lastDay = ({ date_of_service: range }: Claim): string | null => range?.end ?? range?.start ?? null;
  const old = all.filter((claim) => (lastDay(claim) ?? '9') < date);
  expect(old.length).toBeGreaterThan(5);
  expect(old.length).toBeLessThan(all.length);
  const [first] = old;
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [first?.id ?? 0] },
    act: { kind: 'note', text: 'Plantednotetext about an old claim' },
  });
  const kept = all.find((claim) => !old.includes(claim));
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [kept?.id ?? 0] },
    act: { kind: 'note', text: 'Another note that stays' },
  });
  // One event about both: it stays for the other claim, without the filter, which may name the removed one.
  const { snapshotId } = await session.call('records:open', {
    workspaceId,
    query: {
      entity: 'claims',
      conditions: [
        { field: 'id', operator: 'isOneOf', values: [first?.id ?? 0, kept?.id ?? 0] },
        { field: 'patient_name', operator: 'isNot', values: ['Plantedfilter'] },
      ],
    },
  });
  const { selectionId } = await session.call('reviews:freeze', {
    workspaceId,
    from: { kind: 'list', snapshotId },
  });
  await session.call('reviews:act', {
    workspaceId,
    target: { selectionId },
    act: { kind: 'flag', isFlagged: true },
  });

  const removal = { kind: 'claimsBefore', date } as const;
  const planned = await session.call('data:planRemoval', { workspaceId, removal });
  expect(planned).toEqual({ members: 0, claims: old.length, sharedClaims: 0, reviews: 2 });
  await expect(session.call('data:remove', { workspaceId, removal, typed: 'yes' })).rejects.toMatchObject({
    code: 'data.notConfirmed',
  });
  expect(await claimsOf(session)).toHaveLength(all.length);

  expect(await session.call('data:remove', { workspaceId, removal, typed: date })).toEqual(planned);
  const left = await claimsOf(session);
  expect(new Set(left.map(({ id }) => id))).toEqual(
    new Set(all.filter((claim) => !old.includes(claim)).map(({ id }) => id)),
  );
  const { events } = await session.call('reviews:listEvents', { workspaceId, offset: 0, limit: 9 });
  expect(events.map(({ fact }) => fact)).toEqual([
    { kind: 'flag', isFlagged: true },
    { kind: 'note', text: 'Another note that stays' },
  ]);
  expect(events[0]).toMatchObject({ claims: 1, claimId: kept?.id, filter: null });

  const { receipt } = await bench.sync(session);
  expect(receipt.proof).toBe('complete');
  expect(await claimsOf(session)).toHaveLength(left.length);
  const state = await session.call('store:getState', { workspaceId });
  expect(state.retention).toEqual({ claimsBefore: date, memberIds: [] });
  expect(state.records.backups).toEqual([]);
  await session.close();
  const everything = await readEverything(profileDir, workspaceId);
  expect(everything).toContain('another note that stays');
  expect(everything).not.toContain('plantednotetext');
  expect(everything).not.toContain('plantedfilter');

  const again = await bench.open(profileDir);
  await again.call('data:liftRetention', { workspaceId });
  await bench.sync(again);
  expect(await claimsOf(again)).toHaveLength(all.length);
  await again.close();
});

test('a member goes with dependents and own claims: no file of the profile knows the names', async () => {
  const truth = await bench.sandbox.truth<{
    id: number;
    first_name: string;
    last_name: string;
    ssn: string | null;
    email: string | null;
    dependents: { first_name: string; last_name: string; ssn: string }[] | null;
  }>('members');
  const { profileDir, session, workspaceId } = await openSynced();
  const all = await claimsOf(session);
  const claims = all.filter((claim) => claim.members?.length === 1);
  const shared = new Set(
    all
      .filter((claim) => (claim.members?.length ?? 0) > 1)
      .flatMap(({ members }) => members?.map(({ id }) => id) ?? []),
  );
  const member = truth.find(
    ({ id, dependents }) =>
      !shared.has(id) &&
      (dependents?.length ?? 0) > 0 &&
      claims.some((claim) => claim.members?.[0]?.id === id),
  );
  if (member === undefined) throw new Error('the sandbox has no such member');
  const own = claims.filter((claim) => claim.members?.[0]?.id === member.id);
  const planted = [member.email, member.ssn, ...(member.dependents ?? []).map(({ ssn }) => ssn)].filter(
    (text): text is string => typeof text === 'string',
  );
  const before = await readEverythingOpen(profileDir, workspaceId, session);
  for (const text of planted) expect(before.text, 'it was there').toContain(text.toLowerCase());

  const removal = { kind: 'member', memberId: member.id } as const;
  const counts = await before.session.call('data:remove', { workspaceId, removal, typed: String(member.id) });
  expect(counts).toMatchObject({ members: 1, claims: own.length, sharedClaims: 0 });
  await before.session.close();
  const everything = await readEverything(profileDir, workspaceId);
  for (const text of planted) expect(everything).not.toContain(text.toLowerCase());
  for (const path of listFiles(profileDir)) expect(findPlain(readFileSync(path), planted), path).toEqual([]);

  const again = await bench.open(profileDir);
  await bench.sync(again);
  expect((await bench.readAll(again, 'members')).map(({ id }) => id)).not.toContain(member.id);
  expect(
    (await claimsOf(again)).filter(({ members }) => members?.some(({ id }) => id === member.id)),
  ).toEqual([]);
  await again.close();
});

async function readEverythingOpen(profileDir: string, workspaceId: string, session: Session) {
  await session.close();
  return { text: await readEverything(profileDir, workspaceId), session: await bench.open(profileDir) };
}

const note = { kind: 'note', text: 'Of a removed claim' } as const;
const everything = { kind: 'claimsBefore', date: '2100-01-01' } as const;
const recordsIn = (profileDir: string, workspaceId: string): string =>
  listFiles(profileDir).find((path) => path.endsWith('records.db') && path.includes(workspaceId)) ?? '';

/** Counts the events about claims, and lists the audit entries about removals. */
async function readWritten(session: Session, workspaceId: string) {
  const { total } = await session.call('reviews:listEvents', { workspaceId, offset: 0, limit: 9 });
  const { entries } = await session.call('audit:list', { offset: 0, limit: 50, filter: { kinds: ['data'] } });
  return { notes: total, entries: entries.map(({ action }) => action).reverse() };
}

test('a removal that fails at the records has changed nothing, and the audit log shows that it was begun', async () => {
  const { profileDir, session, workspaceId } = await openSynced();
  const claims = await claimsOf(session);
  const claimIds = claims.slice(0, 1).map(({ id }) => id);
  await session.call('reviews:act', { workspaceId, target: { claimIds }, act: note });
  const next = `${recordsIn(profileDir, workspaceId)}.next`;
  mkdirSync(next);
  const remove = () =>
    session.call('data:remove', { workspaceId, removal: everything, typed: everything.date });
  await expect(remove()).rejects.toMatchObject({ code: 'internal.fault' });
  rmSync(next, { recursive: true });
  expect(await claimsOf(session)).toHaveLength(claims.length);
  expect(await readWritten(session, workspaceId)).toEqual({ notes: 1, entries: ['records.removalBegun'] });
  await session.close();
});

test('a removal whose beginning can’t be recorded changes nothing', async () => {
  const { profileDir, session, workspaceId } = await openSynced();
  const claims = await claimsOf(session);
  const key = await readProfileSecret(profileDir, 'database-key/{profile}/ours');
  const database = openDatabase(profilePaths(profileDir).userData, key);
  database.exec(`CREATE TRIGGER refused BEFORE INSERT ON audit WHEN NEW.action='records.removalBegun'
    BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  database.close();
  const remove = () =>
    session.call('data:remove', { workspaceId, removal: everything, typed: everything.date });
  await expect(remove()).rejects.toThrow();
  expect(await claimsOf(session)).toHaveLength(claims.length);
  expect((await session.call('store:getState', { workspaceId })).retention.claimsBefore).toBeNull();
  await session.close();
});

test('a removal that was killed after the records were replaced is completed when they are next opened', async () => {
  const { profileDir, session, workspaceId } = await openSynced();
  const [claim] = await claimsOf(session);
  const written = [claim?.id ?? 0];
  await session.call('reviews:act', { workspaceId, target: { claimIds: written }, act: note });
  const counts = await session.call('data:planRemoval', { workspaceId, removal: everything });
  await session.close();
  const unfinished = { removal: everything, counts, written, emails: [] as string[] };
  removeRecords({
    filePath: recordsIn(profileDir, workspaceId),
    key: await readProfileSecret(profileDir, `database-key/{profile}/${workspaceId}`),
    removal: everything,
    unfinished,
  });
  for (let start = 0; start < 2; start += 1) {
    const again = await bench.open(profileDir);
    expect((await claimsOf(again)).length).toBeLessThan(160);
    const finished = { notes: 0, entries: ['records.removed'] };
    await vi.waitFor(async () => expect(await readWritten(again, workspaceId)).toEqual(finished), 20_000);
    await again.close();
  }
});

test('a removed workspace loses its reviews and views, in every backup too; the audit log is complete', async () => {
  const { profileDir, session, workspaceId } = await openSynced();
  const [claim] = await claimsOf(session);
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [claim?.id ?? 0] },
    act: { kind: 'tag', add: ['Plantedtag'], remove: [] },
  });
  await session.call('views:save', { workspaceId, name: 'Plantedview', query: '{"entity":"claims"}' });
  await session.call('workspaces:remove', { workspaceId });
  await session.close();
  const everything = await readEverything(profileDir, workspaceId);
  expect(everything).not.toContain('plantedtag');
  expect(everything).not.toContain('plantedview');
  const reader = await bench.open(profileDir, { writes: false });
  expect(await reader.call('audit:verify', {})).toMatchObject({ isIntact: true });
  await reader.close();
});

test('everything is removed: secrets, records, keys, notes and logs; only the lease is left', async () => {
  const { profileDir, session, workspaceId } = await openSynced(false);
  // Makes the file of the records.
  await session.call('records:getSummary', { workspaceId });
  await expect(session.call('data:removeEverything', { typed: 'everything' })).rejects.toMatchObject({
    code: 'data.notConfirmed',
  });
  await session.call('data:removeEverything', { typed: 'remove everything' });
  const left = listFiles(profileDir).filter((path) => !path.startsWith(join(profileDir, 'lease')));
  expect(left).toEqual([]);
  await session.close();
  const again = await bench.open(profileDir);
  expect(await again.call('workspaces:list', {})).toEqual({ workspaces: [], activeId: null });
  expect(await again.call('keys:list', {})).toEqual({ keys: [] });
  await again.close();
});
