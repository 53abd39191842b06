import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { EventName, EventPayload } from '../../../src/contract/events.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** The tests use a sync as users can beyond starting it, by the whole engine and a real service. */
let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '40', '--claims', '300', '--seed', '9', '--order', 'desc');
});
afterAll(() => bench.close());
afterEach(() => bench.sandbox.control('DELETE', '/faults'));

async function openProfile(): Promise<{ session: Session; workspaceId: string }> {
  const session = await bench.open(await bench.newProfile());
  onTestFinished(() => session.close());
  return { session, workspaceId: (await session.findWorkspace()).id };
}

async function nextEvent<E extends EventName>(session: Session, name: E): Promise<EventPayload<E>> {
  const engine = await session.getEngine();
  return new Promise((resolve) => {
    const end = engine.subscribe((event) => {
      if (event.name !== name) return;
      end();
      resolve(event.payload as EventPayload<E>);
    });
  });
}

const edit = (...edits: object[]): Promise<{ data: { ids: number[] }[] }> =>
  bench.sandbox.control('POST', '/edits', { edits });

test('a paused sync stays paused when the profile is reopened, and continues where it was', async () => {
  const profile = await bench.newProfile();
  await bench.sandbox.control('PUT', '/faults', [
    { kind: 'ignore-paging', ignored: 'per_page' },
    { kind: 'latency', ms: 10 },
  ]);
  const first = await bench.open(profile);
  const { id: workspaceId } = await first.findWorkspace();
  const progress = nextEvent(first, 'sync:progress');
  const paused = nextEvent(first, 'sync:paused');
  await first.call('sync:start', { workspaceId });
  await progress;
  await expect(first.call('sync:refresh', { workspaceId })).rejects.toMatchObject({
    code: 'sync.quickUnavailable',
  });
  await expect(
    first.call('sync:refreshRecord', { workspaceId, what: { kind: 'connection', policyHolderId: 1 } }),
  ).rejects.toMatchObject({ code: 'sync.running' });
  await first.call('sync:pause', { workspaceId });
  await paused;
  const status = await first.call('sync:getStatus', { workspaceId });
  expect(status).toMatchObject({ running: null, lastReceipt: null, isPaused: true, isResumable: true });
  await first.close();

  const second = await bench.open(profile);
  onTestFinished(() => second.close());
  expect(await second.call('sync:getStatus', { workspaceId })).toMatchObject({ isPaused: true });
  const { receipt } = await bench.sync(second);
  expect(receipt).toMatchObject({ outcome: 'complete', claims: 300, members: 40 });
  expect(await second.call('sync:getStatus', { workspaceId })).toMatchObject({
    isPaused: false,
    isResumable: false,
  });
});

test('a quick refresh finds new records without verifying, and an automatic one waits for its time', async () => {
  const { session, workspaceId } = await openProfile();
  await bench.sync(session);
  const { quickRefresh } = await session.call('sync:getStatus', { workspaceId });
  expect(quickRefresh).toMatchObject({ isOffered: true, reason: expect.stringContaining('new claims') });
  const { data } = await edit({ op: 'insert', list: 'claims', count: 2, at: 'start' });
  const finished = nextEvent(session, 'sync:finished');
  await session.call('sync:refresh', { workspaceId });
  const { receipt, error } = await finished;
  expect(error).toBeNull();
  expect(receipt).toMatchObject({ outcome: 'refreshed', proof: 'not-proven', changes: { new: 2 } });
  const listed = await session.call('sync:listChanges', { workspaceId, offset: 0, limit: 10 });
  expect(listed.changes.map(({ id }) => id).sort()).toEqual([...(data[0]?.ids ?? [])].sort());
  // As the command reads its pages: a decision between two of them moves none to another page.
  const readPage = async (offset: number) =>
    (await session.call('sync:listChanges', { workspaceId, order: 'logged', offset, limit: 1 })).changes;
  const [first] = await readPage(0);
  const second = listed.changes.find(({ id }) => id !== first?.id);
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [second?.id as number] },
    act: { kind: 'decision', state: 'done', outcome: 'noAction' },
  });
  expect((await readPage(1)).map(({ id }) => id)).toEqual([second?.id]);
  const engine = await session.getEngine();
  expect(await engine.refreshIfDue({ workspaceId, minutes: 60 })).toBe(false);
  expect(await engine.refreshIfDue({ workspaceId, minutes: 0 })).toBe(false);
});

test('one member, a connection and a vendor’s list are read again', async () => {
  const { session, workspaceId } = await openProfile();
  await bench.sync(session);
  const members = await bench.readAll(session, 'members');
  const claims = await bench.readAll(session, 'claims');
  const claim = claims.find((one) => (one.members as { id: number }[]).length > 0) as {
    id: number;
    members: { id: number }[];
    policy_holder: { id: number };
  };
  const member = members.find(({ id }) => id === claim.members[0]?.id) as { id: number; address: string };
  await edit(
    { op: 'change', list: 'members', id: member.id, set: { address: 'Elsewhere 1' } },
    { op: 'change', list: 'claims', id: claim.id, set: { status: 'Adjusted', amount_paid: 1.5 } },
  );
  const connection = { kind: 'connection', policyHolderId: claim.policy_holder.id } as const;
  const ofConnection = await session.call('sync:refreshRecord', { workspaceId, what: connection });
  expect(ofConnection).toMatchObject({ added: 0, changed: 1 });
  const ofMember = await session.call('sync:refreshRecord', {
    workspaceId,
    what: { kind: 'member', memberId: member.id },
  });
  expect(ofMember.requests).toBeGreaterThanOrEqual(2);
  expect(ofMember).toMatchObject({ added: 0, changed: 1, requestId: expect.stringMatching(/^[\w-]{8,}$/) });
  const { member: read } = await session.call('records:getMember', { workspaceId, id: member.id });
  expect(read.address).toBe('Elsewhere 1');
  const { changes } = await session.call('sync:listChanges', {
    workspaceId,
    syncId: ofConnection.syncId,
    offset: 0,
    limit: 10,
  });
  expect(changes).toMatchObject([{ list: 'claims', id: claim.id, change: 'changed' }]);
  expect(changes[0]?.fields).toContainEqual(expect.objectContaining({ path: 'amount_paid', after: '1.5' }));

  const { data: employers } = await bench.sandbox.control<{
    data: { employer_id: number; employer_key: string }[];
  }>('GET', '/truth/employers');
  const withVendor = members.find((one) => (one.vendor_members as unknown[]).length > 0) as {
    id: number;
    employer: { id: number };
  };
  const employer = employers.find((one) => one.employer_id === withVendor.employer.id);
  const ofVendor = await session.call('sync:refreshRecord', {
    workspaceId,
    what: { kind: 'member', memberId: withVendor.id, employerKey: String(employer?.employer_key) },
  });
  expect(ofVendor.records).toBeGreaterThan(0);

  await expect(
    session.call('sync:refreshRecord', { workspaceId, what: { ...connection, policyHolderId: 5 } }),
  ).rejects.toMatchObject({ code: 'service.notFound' });
});

test('a sudden loss asks; if accepted, missing records are kept and show since when', async () => {
  const { session, workspaceId } = await openProfile();
  await bench.sync(session);
  const doomed = (await bench.readAll(session, 'claims')).slice(0, 120).map(({ id }) => Number(id));
  await edit(...doomed.map((id) => ({ op: 'delete', list: 'claims', id })));
  const { receipt, error } = await bench.sync(session);
  expect(error?.code).toBe('sync.suddenLoss');
  const before = await session.call('sync:getStatus', { workspaceId });
  expect(before.lossQuestion?.losses).toEqual([{ list: 'claims', here: receipt.claims, missing: 120 }]);
  expect(before.isResumable).toBe(false);
  const lost = doomed[0] as number;
  await expect(session.call('sync:refresh', { workspaceId })).rejects.toMatchObject({
    code: 'sync.quickUnavailable',
  });
  const [member] = await bench.readAll(session, 'members');
  const what = { kind: 'member', memberId: Number(member?.id) } as const;
  await session.call('sync:refreshRecord', { workspaceId, what });
  expect((await session.call('records:getClaim', { workspaceId, id: lost })).missing).toBeNull();

  const finished = nextEvent(session, 'sync:finished');
  await session.call('sync:answerLoss', { workspaceId, answer: 'accept' });
  expect((await finished).receipt).toMatchObject({ outcome: 'complete', changes: { missing: 120 } });
  const { entries } = await session.call('audit:list', { offset: 0, limit: 10 });
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'sync.lossAccepted', workspaceId, details: { claims: 120 } }),
  );
  const after = await session.call('sync:getStatus', { workspaceId });
  expect(after).toMatchObject({ lossQuestion: null, lastComplete: { runId: receipt.runId } });
  const { missing, claim } = await session.call('records:getClaim', { workspaceId, id: lost });
  expect(claim.id).toBe(lost);
  expect(missing).toMatchObject({ since: before.lossQuestion?.askedAt, confirmedAt: null });
  const query = { entity: 'claims' as const };
  const here = await session.call('records:open', { workspaceId, query });
  const all = await session.call('records:open', { workspaceId, query: { ...query, includesMissing: true } });
  expect(all.total - here.total).toBe(120);
  await expect(session.call('sync:answerLoss', { workspaceId, answer: 'decline' })).rejects.toMatchObject({
    code: 'sync.noLossQuestion',
  });
});

test('two workspaces of one service sync at once, each verified separately, within the limit of one host', async () => {
  const { session, workspaceId } = await openProfile();
  const { workspaces } = await session.call('workspaces:list', {});
  const { port } = new URL(bench.sandbox.baseUrl);
  const other = await session.call('workspaces:add', {
    baseUrl: `http://localhost:${port}`,
    email: bench.sandbox.account.email,
  });
  await session.call('keys:use', { workspaceId: other.id, keyId: workspaces[0]?.keyId as string });
  const outcomes = new Map<string, string>();
  const ended = new Promise<void>((resolve) => {
    void session.getEngine().then((engine) =>
      engine.subscribe((event) => {
        if (event.name !== 'sync:finished') return;
        outcomes.set(event.payload.workspaceId, event.payload.receipt.outcome);
        if (outcomes.size === 2) resolve();
      }),
    );
  });
  await session.call('sync:start', { workspaceId });
  await session.call('sync:start', { workspaceId: other.id });
  await ended;
  expect([outcomes.get(workspaceId), outcomes.get(other.id)]).toEqual(['complete', 'complete']);
  const counts = await Promise.all(
    [workspaceId, other.id].map((id) => session.call('records:getSummary', { workspaceId: id })),
  );
  expect(counts[0]).toEqual(counts[1]);
});
