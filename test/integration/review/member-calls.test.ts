import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { subjectOfMember } from '../../../src/rules/review/member-subject.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { readEverything } from '../../support/read-everything.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

let bench: Bench;
let session: Session;
let profileDir: string;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '12', '--claims', '80', '--seed', '47');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

type Act = Parameters<typeof session.call<'reviews:act'>>[1]['act'];
const actOn = (claimId: number, act: Act, by = session) =>
  by.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act });
const onMember = (memberId: number, act: Act) => actOn(subjectOfMember(memberId), act);
const callsOf = async (memberId: number, of = session) =>
  (await of.call('reviews:get', { workspaceId, claimId: subjectOfMember(memberId) })).notes;

/** Members with several claims, each with the IDs of these. */
async function listFamilies(): Promise<[memberId: number, claimIds: number[]][]> {
  const families = new Map<number, number[]>();
  for (const { id, members } of (await bench.readAll(session, 'claims')) as unknown as {
    id: number;
    members: { id: number }[] | null;
  }[])
    for (const { id: memberId } of members ?? [])
      families.set(memberId, [...(families.get(memberId) ?? []), id]);
  return [...families].filter(([, claimIds]) => claimIds.length > 2);
}

test('a call is linked to the family’s claims that are open at the time, and is shown with them', async () => {
  const [[memberId, claimIds]] = (await listFamilies()) as [[number, number[]]];
  expect(await callsOf(memberId)).toEqual([]);
  const [closed] = claimIds as [number];
  await actOn(closed, { kind: 'decision', state: 'done', outcome: 'noAction' });
  const done = await onMember(memberId, { kind: 'note', text: 'Asked about the EOB.' });
  expect(done).toMatchObject({ claims: 1, leftOut: [] });

  const [call] = await callsOf(memberId);
  expect(call).toMatchObject({ text: 'Asked about the EOB.', author: bench.sandbox.account.email });
  const linked = call?.claimIds ?? [];
  expect(linked.length).toBeGreaterThan(0);
  expect(claimIds).toEqual(expect.arrayContaining(linked));
  expect(linked).not.toContain(closed);
  const notesOf = async (claimId: number) =>
    (await session.call('reviews:get', { workspaceId, claimId })).notes;
  expect(await notesOf(linked[0] as number)).toEqual([{ ...call, memberId }]);
  expect(await notesOf(closed)).toEqual([]);

  // What is decided later stays linked: it was open during the call.
  await actOn(linked[0] as number, { kind: 'decision', state: 'done', outcome: 'noAction' });
  expect((await callsOf(memberId))[0]?.claimIds).toEqual(linked);
  const { events } = await session.call('reviews:listEvents', { workspaceId, offset: 0, limit: 2 });
  expect(events[1]).toMatchObject({ memberId, claimId: null, claims: 0, fact: { kind: 'note' } });
  const reviewed = {
    entity: 'claims' as const,
    conditions: [{ field: 'review.last_event_at', operator: 'isNotEmpty' as const, values: [] }],
  };
  expect(await session.call('records:getTotals', { workspaceId, query: reviewed })).toMatchObject({
    total: 2,
  });
});

test('only its author corrects and deletes a call, and adding one can be undone', async () => {
  const [, [memberId]] = (await listFamilies()) as [unknown, [number]];
  const [first, second] = [
    await onMember(memberId, { kind: 'note', text: 'First' }),
    await onMember(memberId, { kind: 'note', text: 'Second' }),
  ].map(({ eventId }) => eventId as string) as [string, string];
  await onMember(memberId, { kind: 'editNote', noteId: first, text: 'First, corrected' });
  expect((await callsOf(memberId)).map(({ text, editedAt }) => [text, editedAt !== null])).toEqual([
    ['First, corrected', true],
    ['Second', false],
  ]);
  await onMember(memberId, { kind: 'deleteNote', noteId: second });
  expect(await callsOf(memberId)).toHaveLength(1);
  await onMember(memberId, { kind: 'note', text: 'By mistake' });
  const { event } = await session.call('reviews:getUndo', { workspaceId });
  expect(event).toMatchObject({ memberId, fact: { text: 'By mistake' } });
  await session.call('reviews:undo', { workspaceId, eventId: event?.id as string });
  expect((await callsOf(memberId)).map(({ text }) => text)).toEqual(['First, corrected']);
});

test.each([
  ['a decision', { kind: 'decision', state: 'done', outcome: 'eligible' }, 'usage.invalid'],
  ['a tag', { kind: 'tag', add: ['x'], remove: [] }, 'usage.invalid'],
  ['a note with claims of its sender', { kind: 'note', text: 'x', claimIds: [1] }, 'usage.invalid'],
  ['a correction of another note', { kind: 'editNote', noteId: 'none', text: 'x' }, 'note.unknown'],
] as const)('%s on a member is refused', async (_name, act, code) => {
  const [, , [memberId]] = (await listFamilies()) as [unknown, unknown, [number]];
  await expect(onMember(memberId, act as Act)).rejects.toMatchObject({ code });
  await expect(onMember(999_999, { kind: 'note', text: 'x' })).rejects.toMatchObject({
    code: 'record.unknown',
  });
  expect(await callsOf(memberId)).toEqual([]);
});

test('a call is in files of reviews, and is permanently removed with its member', async () => {
  const [, , , [memberId]] = (await listFamilies()) as [unknown, unknown, unknown, [number]];
  await onMember(memberId, { kind: 'note', text: 'Plantedcalltext of the member' });
  const passphrase = 'quiet amber forest lantern';
  const path = join(makeTempFolder(), 'reviews');
  const targetId = await session.addSaveTarget(path, 'reviews');
  await session.call('reviews:export', { workspaceId, passphrase, targetId });

  const otherDir = await bench.newProfile();
  const other = await bench.open(otherDir);
  await bench.sync(other);
  const { id } = await other.findWorkspace();
  const file = readFileSync(path).toString('base64');
  const report = await other.call('reviews:import', { workspaceId: id, file, passphrase });
  expect(report).toMatchObject({ unknownClaims: 0, removedClaims: 0 });
  const there = await other.call('reviews:get', { workspaceId: id, claimId: subjectOfMember(memberId) });
  expect(there.notes).toEqual(await callsOf(memberId));

  const removal = { kind: 'member', memberId } as const;
  const planned = await other.call('data:planRemoval', { workspaceId: id, removal });
  expect(planned).toMatchObject({ members: 1, reviews: 1 });
  await other.call('data:remove', { workspaceId: id, removal, typed: String(memberId) });
  const left = await other.call('reviews:get', { workspaceId: id, claimId: subjectOfMember(memberId) });
  expect(left.notes).toEqual([]);
  // The file does not bring it back.
  await other.call('reviews:import', { workspaceId: id, file, passphrase });
  const again = await other.call('reviews:get', { workspaceId: id, claimId: subjectOfMember(memberId) });
  expect(again.notes).toEqual([]);
  await other.close();
  for (const plain of [profileDir, otherDir].flatMap(listFiles))
    expect(findPlain(readFileSync(plain), ['Plantedcalltext']), plain).toEqual([]);
  expect(await readEverything(profileDir, workspaceId)).toContain('plantedcalltext');
  expect(await readEverything(otherDir, id)).not.toContain('plantedcalltext');
});
