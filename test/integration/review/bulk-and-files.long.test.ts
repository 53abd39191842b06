import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewEntry } from '../../../src/main/engine/store/user-data/write-event.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import type { Condition } from '../../../src/rules/query.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { toFile } from '../../support/incoming-file.ts';
import { sealEntries } from '../../support/review-files.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '60', '--seed', '18');
});
afterAll(() => bench.close());

interface Opened {
  readonly profileDir: string;
  readonly session: Session;
  readonly workspaceId: string;
  readonly claims: readonly Record<string, unknown>[];
}
async function openSynced(): Promise<Opened> {
  const profileDir = await bench.newProfile();
  const session = await bench.open(profileDir);
  await bench.sync(session);
  const workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
  return { profileDir, session, workspaceId, claims: await bench.readAll(session, 'claims') };
}
const done = { kind: 'decision', state: 'done', outcome: 'noAction' } as const;
const status = (value: string) => ({
  entity: 'claims' as const,
  conditions: [{ field: 'status', operator: 'is' as const, values: [value] }],
});
const stateOf = async ({ session, workspaceId }: Opened, claimId: number) =>
  (await session.call('reviews:get', { workspaceId, claimId })).state;

test('a whole list is done as one event: claims that changed in the meantime are left out, and one undo reverts it', async () => {
  const opened = await openSynced();
  const { session, workspaceId, claims } = opened;
  const wanted = claims.filter((claim) => claim.status === claims[0]?.status);
  const ids = wanted.map(({ id }) => id as number);
  expect(ids.length).toBeGreaterThan(4);
  const query = status(claims[0]?.status as string);
  const { snapshotId } = await session.call('records:open', { workspaceId, query });
  const frozen = await session.call('reviews:freeze', { workspaceId, from: { kind: 'list', snapshotId } });
  expect(frozen.claims).toBe(ids.length);
  const { totals } = await session.call('records:open', { workspaceId, query });
  expect(frozen.groups.map(({ totals: one }) => one)).toEqual([totals]);

  const [changed = 0, reviewed = 0, ...others] = ids;
  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'change', list: 'claims', id: changed, set: { remarks: 'changed meanwhile' } }],
  });
  await bench.sync(session);
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [reviewed] },
    act: { kind: 'flag', isFlagged: true },
  });
  const target = { selectionId: frozen.selectionId };
  const answer = await session.call('reviews:act', { workspaceId, target, act: done });
  expect(answer).toMatchObject({ claims: others.length });
  expect([...answer.leftOut].sort()).toEqual([changed, reviewed].sort());
  expect(await stateOf(opened, changed)).not.toBe('done');
  expect(await stateOf(opened, others[0] ?? 0)).toBe('done');
  const { events } = await session.call('reviews:listEvents', { workspaceId, offset: 0, limit: 1 });
  expect(events[0]).toMatchObject({ id: answer.eventId, claims: others.length, claimId: null });
  expect(JSON.parse(events[0]?.filter ?? '')).toEqual(query);
  // A selection is good for one act.
  await expect(session.call('reviews:act', { workspaceId, target, act: done })).rejects.toMatchObject({
    code: 'review.noSelection',
  });

  const { event } = await session.call('reviews:getUndo', { workspaceId });
  expect(event?.id).toBe(answer.eventId);
  await session.call('reviews:undo', { workspaceId, eventId: answer.eventId as string });
  for (const claimId of others) expect(await stateOf(opened, claimId)).toMatch(/^(todo|notSelected)$/);
  await session.close();
});

test('a selection shows what its carrier and a user here did; an act applies to the chosen groups', async () => {
  const opened = await openSynced();
  const { session, workspaceId, claims } = opened;
  const carrierDid = (claim: Record<string, unknown>): 'processed' | 'rejected' | 'unprocessed' => {
    if (claim.status === 'Rejected') return 'rejected';
    const isProcessed = ['Processed', 'Partially Approved', 'Adjusted'].includes(claim.status as string);
    return isProcessed ? 'processed' : 'unprocessed';
  };
  const idsOf = (did: ReturnType<typeof carrierDid>): number[] =>
    claims.filter((claim) => carrierDid(claim) === did).map(({ id }) => id as number);
  const [processed, rejected, unprocessed] = (['processed', 'rejected', 'unprocessed'] as const).map(
    idsOf,
  ) as [number[], number[], number[]];
  expect([processed, rejected, unprocessed].map((ids) => ids.length > 2)).toEqual([true, true, true]);
  const act = (claimIds: number[], wanted: Parameters<typeof session.call<'reviews:act'>>[1]['act']) =>
    session.call('reviews:act', { workspaceId, target: { claimIds }, act: wanted });
  const wait = { kind: 'decision', state: 'waiting', onWhom: 'Carrier', reason: 'EOB' } as const;
  // Due again, in review and noted: all of these are still to review.
  await act([processed[2] as number], { ...wait, reminder: '2020-01-01' });
  await act([processed[3] as number], { kind: 'decision', state: 'inReview' });
  await act([processed[4] as number], { kind: 'note', text: 'x' });
  await act(processed.slice(0, 1), done);
  await act([processed[1] as number, rejected[0] as number], wait);
  await act(unprocessed.slice(0, 2), { ...wait, state: 'escalated' });

  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
  const frozen = await session.call('reviews:freeze', { workspaceId, from: { kind: 'list', snapshotId } });
  const amountOf = (ids: readonly number[]) => {
    const amounts = claims
      .filter(({ id, patient_responsibility: amount }) => ids.includes(id as number) && amount !== null)
      .map(({ patient_responsibility: amount }) => Math.round((amount as number) * 10_000));
    return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
  };
  const expected = [
    ['open', processed.slice(2)],
    ['reviewed', processed.slice(0, 2)],
    ['rejected', rejected.slice(1)],
    ['rejectedReviewed', rejected.slice(0, 1)],
    ['unprocessed', unprocessed.slice(2)],
    ['unprocessedReviewed', unprocessed.slice(0, 2)],
  ] as const;
  expect(
    frozen.groups.map(({ group, totals }) => [group, totals.count, totals.patientResponsibility]),
  ).toEqual(expected.map(([group, ids]) => [group, ids.length, amountOf(ids)]));
  expect(frozen.claims).toBe(claims.length);

  const target = { selectionId: frozen.selectionId, groups: ['open', 'rejectedReviewed'] as const };
  const disputed = { kind: 'decision', state: 'done', outcome: 'disputed' } as const;
  const answer = await session.call('reviews:act', {
    workspaceId,
    target: { ...target, groups: [...target.groups] },
    act: disputed,
  });
  expect(answer).toMatchObject({ claims: processed.length - 2 + 1, leftOut: [] });
  const { rows } = await session.call('records:begin', {
    workspaceId,
    query: {
      entity: 'claims',
      conditions: [{ field: 'review.outcome', operator: 'is', values: ['disputed'] }],
    },
    limit: 100,
    fields: ['id'],
  });
  const byNumber = (a: number, b: number): number => a - b;
  expect(rows.map(({ id }) => id as number).sort(byNumber)).toEqual(
    [...processed.slice(2), rejected[0] as number].sort(byNumber),
  );
  await session.close();
});

test('some rows of a list can be selected; a list of members, another ID and a note for many are refused', async () => {
  const { session, workspaceId } = await openSynced();
  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
  const some = { kind: 'list', snapshotId, places: [[2, 4] as [number, number], [7, 7] as [number, number]] };
  const frozen = await session.call('reviews:freeze', { workspaceId, from: some as never });
  expect(frozen.claims).toBe(4);
  await expect(
    session.call('reviews:act', {
      workspaceId,
      target: { selectionId: frozen.selectionId },
      act: { kind: 'deleteNote', noteId: 'x' },
    }),
  ).rejects.toMatchObject({ code: 'usage.invalid' });
  await expect(
    session.call('reviews:act', { workspaceId, target: { selectionId: 'x' }, act: done }),
  ).rejects.toMatchObject({ code: 'review.noSelection' });
  const people = await session.call('records:open', { workspaceId, query: { entity: 'members' } });
  await expect(
    session.call('reviews:freeze', { workspaceId, from: { kind: 'list', snapshotId: people.snapshotId } }),
  ).rejects.toMatchObject({ code: 'usage.invalid' });
  await session.close();
});

test('accepting at once skips changes to money, status and patient, and claims that the list does not have', async () => {
  const opened = await openSynced();
  const { session, workspaceId, claims } = opened;
  const [renamed = 0, dearer = 0, filtered = 0] = claims.slice(20).map(({ id }) => id as number);
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [renamed, dearer, filtered] },
    act: { ...done, outcome: 'eligible' },
  });
  await bench.sandbox.control('POST', '/edits', {
    edits: [
      { op: 'change', list: 'claims', id: renamed, set: { network: 'Renamed' } },
      { op: 'change', list: 'claims', id: dearer, set: { patient_responsibility: 9999.99 } },
      { op: 'change', list: 'claims', id: filtered, set: { network: 'Filtered' } },
    ],
  });
  await bench.sync(session);
  expect(await stateOf(opened, renamed)).toBe('todo');
  const freeze = async (share: Condition[]) => {
    const query = worklistQuery('changed', share);
    const { snapshotId } = await session.call('records:open', { workspaceId, query });
    return session.call('reviews:freeze', { workspaceId, from: { kind: 'acceptable', snapshotId } });
  };
  expect(await freeze([])).toMatchObject({ claims: 2 });
  const frozen = await freeze([{ field: 'network', operator: 'is', values: ['Renamed'] }]);
  expect(frozen.claims).toBe(1);
  const target = { selectionId: frozen.selectionId };
  await session.call('reviews:act', { workspaceId, target, act: { kind: 'accept' } });
  expect(await session.call('reviews:get', { workspaceId, claimId: renamed })).toMatchObject({
    state: 'done',
    outcome: 'eligible',
    changes: [],
  });
  expect(await stateOf(opened, dearer)).toBe('todo');
  expect(await stateOf(opened, filtered)).toBe('todo');
  await session.close();
});

test('payments of a file are matched by ID or number, the others are listed, and nothing is recorded twice', async () => {
  const { session, workspaceId, claims } = await openSynced();
  // Their services are before the payments.
  const [first, second] = (claims as Record<string, unknown>[]).filter(
    ({ date_of_service: days }) => (days as { start?: string } | null)?.start?.startsWith('2025') === true,
  ) as [Record<string, unknown>, Record<string, unknown>];
  const number = second.vendor_system_id ?? second.id;
  const csv = [
    'Claim;Paid Amount;Payment Date;Memo',
    `${first.id};$1,250.5;3/2/2026;"a; quoted ""memo"""`,
    `${number};20.0100;2026-03-02;`,
    `${number};30;2026-03-04;`,
    `${second.id};30.00;3/4/2026;`,
    'no such claim;10;2026-03-02;',
    `${first.id};-10;2026-03-02;`,
    `${first.id};10;2026-02-30;`,
  ].join('\r\n');
  const wanted = { workspaceId, file: toFile(csv), payment: 'reimbursed', account: 'HRA 2026' } as const;
  const plan = await session.call('reviews:readPayments', wanted);
  expect(plan).toMatchObject({ payments: 3, claims: 2, amount: 12_505_000 + 200_100 + 300_000 });
  expect(plan.unmatched).toEqual([
    { line: 5, of: String(second.id), reason: 'repeated' },
    { line: 6, of: 'no such claim', reason: 'noClaim' },
    { line: 7, of: String(first.id), reason: 'notAbove0' },
    { line: 8, of: String(first.id), reason: 'badDate' },
  ]);
  const before = await session.call('reviews:get', { workspaceId, claimId: first.id as number });
  expect(before.payments).toEqual([]);
  const twin = await session.call('reviews:readPayments', wanted);
  expect(twin.payments).toBe(3);
  const [recorded, not] = await Promise.all(
    [plan, twin].map(({ selectionId }) =>
      session.call('reviews:recordPayments', { workspaceId, selectionId }),
    ),
  );
  expect(recorded).toMatchObject({ claims: 2, leftOut: [] });
  expect(not).toEqual({
    ...{ eventId: null, claims: 0, notKnown: [], needsSecond: [], unchanged: 0 },
    leftOut: [first.id, second.id],
  });
  const after = await session.call('reviews:get', { workspaceId, claimId: first.id as number });
  expect(after).toMatchObject({ reimbursed: 12_505_000, state: 'todo' });
  expect(after.payments).toMatchObject([{ day: '2026-03-02', account: 'HRA 2026', payment: 'reimbursed' }]);
  const other = await session.call('reviews:get', { workspaceId, claimId: second.id as number });
  expect(other.reimbursed).toBe(500_100);
  const again = await session.call('reviews:readPayments', wanted);
  expect(again.payments).toBe(0);
  expect(again.unmatched.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['recordedBefore', 'noClaim']),
  );
  await expect(
    session.call('reviews:recordPayments', { workspaceId, selectionId: plan.selectionId }),
  ).rejects.toMatchObject({ code: 'review.noSelection' });
  await expect(
    session.call('reviews:readPayments', { ...wanted, file: toFile('claim,when\n1,2') }),
  ).rejects.toMatchObject({ code: 'review.badCsv' });
  const { event } = await session.call('reviews:getUndo', { workspaceId });
  expect(event?.id).toBe(recorded?.eventId);
  await session.call('reviews:undo', { workspaceId, eventId: event?.id ?? '' });
  for (const { id } of [first, second])
    expect(await session.call('reviews:get', { workspaceId, claimId: id as number })).toMatchObject({
      payments: [],
      reimbursed: 0,
    });
  await session.close();
});

test('reviews go to another computer as one encrypted file: import unions, and the newest decides on both', async () => {
  const here = await openSynced();
  const there = await openSynced();
  const [shared = 0, mine = 0] = here.claims.map(({ id }) => id as number);
  const act = (
    on: Opened,
    claimId: number,
    wanted: Parameters<typeof here.session.call<'reviews:act'>>[1]['act'],
  ) =>
    on.session.call('reviews:act', {
      workspaceId: on.workspaceId,
      target: { claimIds: [claimId] },
      act: wanted,
    });
  await act(here, shared, { kind: 'note', text: 'Planted words of a note' });
  await act(here, shared, { ...done, outcome: 'eligible' });
  await act(here, mine, { kind: 'tag', add: ['appeal'], remove: [] });
  await act(there, shared, { ...done, outcome: 'disputed' });
  await act(there, shared, { kind: 'note', text: 'A second note' });

  const passphrase = 'a long passphrase';
  const move = async (from: Opened, to: Opened) => {
    const path = join(from.profileDir, 'handed-over.claimdesk-reviews');
    await writeFile(path, '');
    const targetId = await from.session.addSaveTarget(path, 'reviews');
    await from.session.call('reviews:export', { workspaceId: from.workspaceId, passphrase, targetId });
    const file = await readFile(path);
    expect(file.includes('Planted')).toBe(false);
    return {
      file,
      report: await to.session.call('reviews:import', {
        workspaceId: to.workspaceId,
        file: file.toString('base64'),
        passphrase,
      }),
    };
  };
  const { file, report } = await move(here, there);
  expect(report).toMatchObject({ events: 3, known: 0, claims: 2, unknownClaims: 0 });
  expect(report.byKind).toEqual({ note: 1, decision: 1, tag: 1 });
  expect((await move(here, there)).report).toMatchObject({ events: 0, known: 3 });
  await move(there, here);
  const get = (on: Opened, claimId: number) =>
    on.session.call('reviews:get', { workspaceId: on.workspaceId, claimId });
  const merged = await get(there, shared);
  expect(merged).toMatchObject({ state: 'done', outcome: 'disputed' });
  expect(merged.notes.map(({ text }) => text)).toEqual(['Planted words of a note', 'A second note']);
  expect(await get(here, shared)).toEqual(merged);
  expect((await get(there, mine)).tags).toEqual(['appeal']);

  const give = (bytes: Buffer, word: string) =>
    here.session.call('reviews:import', {
      workspaceId: here.workspaceId,
      file: bytes.toString('base64'),
      passphrase: word,
    });
  await expect(give(file, 'another passphrase')).rejects.toMatchObject({ code: 'review.wrongPassphrase' });
  const altered = Buffer.from(file);
  altered[altered.length - 40] = (altered[altered.length - 40] ?? 0) ^ 1;
  await expect(give(altered, passphrase)).rejects.toMatchObject({ code: 'review.wrongPassphrase' });
  // A large file arrives in parts; what was sent is used once, and only by its workspace.
  const { session, workspaceId: toHere } = here;
  const addPart = (part: Buffer, uploadId?: string) =>
    session.call('reviews:addFilePart', { workspaceId: toHere, uploadId, part: part.toString('base64') });
  const { uploadId } = await addPart(file.subarray(0, 100));
  await addPart(file.subarray(100, 300), uploadId);
  const rest = { uploadId, file: file.subarray(300).toString('base64'), passphrase };
  expect(await session.call('reviews:import', { workspaceId: toHere, ...rest })).toMatchObject({
    events: 0,
    known: 3,
  });
  await expect(session.call('reviews:import', { workspaceId: toHere, ...rest })).rejects.toMatchObject({
    code: 'review.importInterrupted',
  });
  await expect(addPart(file, 'none')).rejects.toMatchObject({ code: 'review.importInterrupted' });
  await expect(give(Buffer.from('hello'), passphrase)).rejects.toMatchObject({ code: 'review.notAFile' });
  const weak = {
    workspaceId: here.workspaceId,
    passphrase: 'short',
    targetId: await here.session.addSaveTarget(join(here.profileDir, 'weak'), 'reviews'),
  };
  await expect(here.session.call('reviews:export', weak)).rejects.toMatchObject({
    code: 'vault.weakPassphrase',
  });
  const { entries } = await here.session.call('audit:list', { offset: 0, limit: 50 });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['reviews.exported', 'reviews.imported']),
  );
  await here.session.close();
  await there.session.close();
});

test('claims that an earlier file lacked for a known event are added from a later one', async () => {
  const { session, workspaceId, claims } = await openSynced();
  const [first = 0, second = 0] = claims.map(({ id }) => id as number);
  const passphrase = 'a long passphrase';
  const give = async (...claimIds: number[]) => {
    const entry: ReviewEntry = {
      id: 'an-event',
      workspace_id: '',
      at: '2026-03-02T10:00:00.000Z',
      author: 'colleague@example.com',
      kind: 'tag',
      fact: JSON.stringify({ kind: 'tag', add: ['appeal'], remove: [] }),
      filter: null,
      undoes: null,
      receipt: null,
      is_imported: 0,
      folds_at: null,
      more: null,
      proof: null,
      claims: claimIds.map((claimId) => [claimId, null, null, null]),
    };
    const file = (await sealEntries([entry])).toString('base64');
    return session.call('reviews:import', { workspaceId, file, passphrase });
  };
  expect(await give(first)).toMatchObject({ events: 1, known: 0, claims: 1 });
  expect(await give(first, second)).toMatchObject({ events: 0, known: 1, claims: 1, unknownClaims: 0 });
  expect(await give(second)).toMatchObject({ events: 0, known: 1, claims: 0 });
  expect(await session.call('reviews:get', { workspaceId, claimId: second })).toMatchObject({
    tags: ['appeal'],
  });
  const { total } = await session.call('records:open', {
    workspaceId,
    query: {
      entity: 'claims',
      conditions: [{ field: 'review.tags', operator: 'isNotEmpty', values: [] }],
    },
  });
  expect(total).toBe(2);
  await session.close();
});

test('a file adds no review of a removed member until the removal is lifted', async () => {
  const here = await openSynced();
  const there = await openSynced();
  const memberIdOf = (claim: Record<string, unknown> | undefined) =>
    (claim?.members as { id: number }[] | undefined)?.[0]?.id as number;
  const removedMember = memberIdOf(here.claims.find((claim) => (claim.members as object[]).length === 1));
  const isRemoved = (claim: Record<string, unknown>) =>
    (claim.members as { id: number }[]).every(({ id }) => id === removedMember) &&
    (claim.members as object[]).length > 0;
  const removed = here.claims.filter(isRemoved).map(({ id }) => id as number);
  const [kept = 0] = here.claims.filter((claim) => !isRemoved(claim)).map(({ id }) => id as number);
  const act = (claimIds: number[], text: string) =>
    here.session.call('reviews:act', {
      workspaceId: here.workspaceId,
      target: { claimIds },
      act: { kind: 'note', text },
    });
  await act([...removed, kept], 'of both');
  await act(removed.slice(0, 1), 'of the removed');
  const passphrase = 'a long passphrase';
  const path = join(here.profileDir, 'handed-over.claimdesk-reviews');
  const targetId = await here.session.addSaveTarget(path, 'reviews');
  await here.session.call('reviews:export', { workspaceId: here.workspaceId, passphrase, targetId });
  const file = (await readFile(path)).toString('base64');

  const { session, workspaceId } = there;
  const removal = { kind: 'member', memberId: removedMember } as const;
  await session.call('data:remove', { workspaceId, removal, typed: String(removedMember) });
  const report = await session.call('reviews:import', { workspaceId, file, passphrase });
  expect(report).toMatchObject({ events: 1, known: 0, claims: 1, removedClaims: removed.length });
  for (const claimId of removed)
    await expect(session.call('reviews:get', { workspaceId, claimId })).rejects.toMatchObject({
      code: 'record.unknown',
    });
  expect((await session.call('reviews:get', { workspaceId, claimId: kept })).notes).toMatchObject([
    { text: 'of both' },
  ]);
  await session.call('data:liftRetention', { workspaceId });
  expect(await session.call('reviews:import', { workspaceId, file, passphrase })).toMatchObject({
    events: 1,
    claims: removed.length,
    removedClaims: 0,
  });
  await here.session.close();
  await session.close();
});

test('the open amounts of many claims are paid as one event: unknown amounts are listed, nothing is paid twice, one undo', async () => {
  const opened = await openSynced();
  const { session, workspaceId, claims } = opened;
  const openOf = async (claimId: number) =>
    (await session.call('reviews:get', { workspaceId, claimId })).open;
  const open = new Map<number, number | null>();
  for (const { id } of claims) open.set(id as number, await openOf(id as number));
  const dueIds = [...open].flatMap(([id, amount]) => (amount !== null && amount > 0 ? [id] : []));
  const sum = dueIds.reduce((total, id) => total + (open.get(id) ?? 0), 0);
  const unknown = [...open].flatMap(([id, amount]) => (amount === null ? [id] : []));
  expect([dueIds.length > 5, unknown.length > 0]).toEqual([true, true]);

  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
  const freeze = () => session.call('reviews:freeze', { workspaceId, from: { kind: 'list', snapshotId } });
  const [first, second] = [await freeze(), await freeze()];
  const pay = {
    kind: 'payment',
    payment: 'reimbursed',
    amount: null,
    day: '2026-03-02',
    account: 'HRA',
  } as const;
  const estimate = await session.call('reviews:estimateOpen', {
    workspaceId,
    selectionId: first.selectionId,
  });
  expect(estimate).toEqual({
    open: sum,
    payments: dueIds.length,
    amount: sum,
    notKnown: unknown.length,
    nothingOpen: claims.length - dueIds.length - unknown.length,
    inRun: 0,
    needsSecond: 0,
    broken: [],
  });
  const act = (selectionId: string, one: typeof pay | (Omit<typeof pay, 'day'> & { day: null })) =>
    session.call('reviews:act', { workspaceId, target: { selectionId }, act: one, acceptsEarly: true });
  await expect(act(first.selectionId, { ...pay, day: null })).rejects.toMatchObject({
    code: 'usage.invalid',
  });
  const answer = await act(first.selectionId, pay);
  expect(answer).toMatchObject({ claims: dueIds.length, leftOut: [] });
  expect([...answer.notKnown].sort()).toEqual(unknown.sort());
  const [paid = 0] = dueIds;
  expect(await session.call('reviews:get', { workspaceId, claimId: paid })).toMatchObject({
    open: 0,
    payments: [{ amount: open.get(paid), day: '2026-03-02', account: 'HRA', payment: 'reimbursed' }],
  });
  const { reimbursed } = await session.call('worklists:report', { workspaceId });
  expect(reimbursed.length).toBeGreaterThan(0);

  // The same claims, frozen before they were paid: each was reviewed since, and gets no second payment.
  expect(await act(second.selectionId, pay)).toMatchObject({ eventId: null, claims: 0 });
  expect((await session.call('reviews:get', { workspaceId, claimId: paid })).payments).toHaveLength(1);

  const { event } = await session.call('reviews:getUndo', { workspaceId });
  expect(event).toMatchObject({ id: answer.eventId, claims: dueIds.length });
  await session.call('reviews:undo', { workspaceId, eventId: event?.id ?? '' });
  expect(await openOf(paid)).toBe(open.get(paid));
  await session.close();
});
