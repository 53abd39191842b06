import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repairUserData } from '../../../src/main/engine/store/user-data/repair-user-data.ts';
import type { ReviewEntry } from '../../../src/main/engine/store/user-data/write-event.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { filePassphrase, sealLines } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

/** More than are read at once, and more than that twice. */
const claimCount = 6_000;
const done = {
  kind: 'decision',
  state: 'done',
  outcome: 'noAction',
  onWhom: null,
  reason: null,
  reminder: null,
} as const;
const flagged = { kind: 'flag', isFlagged: true } as const;

function openFilled() {
  const folder = makeTempFolder();
  const computer = openComputer(folder, 'a', { now: () => Date.parse('2026-03-01T12:00:00Z') });
  onTestFinished(() => computer.file.close());
  computer.opened.ingest(
    'claims',
    Array.from({ length: claimCount }, (_none, index) => ({
      id: index + 1,
      status: 'Processed',
      amount_billed: 0.1,
      date_of_service: { start: '2026-01-05', end: '2026-01-05', bounds: '[]' },
    })),
  );
  return computer;
}
type Computer = ReturnType<typeof openFilled>;
const countDone = ({ opened }: Computer): number =>
  opened.database.prepare("SELECT count(*) FROM claim_reviews WHERE state='done'").pluck().get() as number;
const claimsKept = ({ file }: Computer): number =>
  file.database.prepare('SELECT count(*) FROM review_event_claims').pluck().get() as number;

test('an act on a list of thousands is one event, and its undo another; claims that changed in between are left out', async () => {
  const computer = openFilled();
  const { reviews, opened } = computer;
  const frozen = await reviews.freezeList(workspaceId, 'all', null);
  expect(frozen).toMatchObject({
    claims: claimCount,
    groups: [{ group: 'open', totals: { count: claimCount, billed: 6_000_000, paid: null } }],
  });
  opened.ingest('claims', [{ id: 4_000, status: 'Rejected' }]);
  await reviews.act(workspaceId, { claimIds: [17] }, flagged);
  const act = await reviews.act(workspaceId, { selectionId: frozen.selectionId }, done);
  expect(act).toMatchObject({ claims: claimCount - 2, leftOut: [17, 4_000] });
  expect(countDone(computer)).toBe(claimCount - 2);
  const { events, total } = await reviews.listEvents({ workspaceId, offset: 0, limit: 10 });
  expect([total, events[0]?.claims]).toEqual([2, claimCount - 2]);
  await reviews.undo(workspaceId, act.eventId as string);
  expect(countDone(computer)).toBe(0);
});

test('an act that fails midway has no effect, not even with the next one', async () => {
  const computer = openFilled();
  const { reviews, userData } = computer;
  const { selectionId } = await reviews.freezeList(workspaceId, 'all', null);
  const { call } = userData;
  let calls = 0;
  userData.call = async (name, input) => {
    if (name === 'appendReview') throw new Error('killed');
    if (name === 'dropStaged') throw new Error('killed');
    if (name === 'stageClaims') calls += 1;
    return call(name, input);
  };
  await expect(reviews.act(workspaceId, { selectionId }, done)).rejects.toThrow('killed');
  expect(calls).toBe(2);
  expect(claimsKept(computer)).toBeGreaterThan(0);
  userData.call = call;
  computer.reviews = computer.start();
  await computer.reviews.updateOnce(workspaceId);
  expect(countDone(computer)).toBe(0);
  expect((await computer.reviews.get(workspaceId, 5)).state).toBe('todo');
  await computer.reviews.act(workspaceId, { claimIds: [1, 2] }, done);
  expect(countDone(computer)).toBe(2);
  expect(claimsKept(computer)).toBe(2);
});

test('records that are removed in the middle of an act end it', async () => {
  const computer = openFilled();
  const { reviews, userData, operations } = computer;
  const { selectionId } = await reviews.freezeList(workspaceId, 'all', null);
  const { call } = userData;
  userData.call = async (name, input) => {
    if (name === 'appendReview') operations.forgetWritten({ workspaceId, claimIds: [1] });
    return call(name, input);
  };
  await expect(reviews.act(workspaceId, { selectionId }, done)).rejects.toMatchObject({ code: 'store.busy' });
  expect(claimsKept(computer)).toBe(0);
});

test('an import between two parts of an act gets none of its claims, in the file and in its journal', async () => {
  const computer = openFilled();
  const { reviews, userData, operations, path, key } = computer;
  const { selectionId } = await reviews.freezeList(workspaceId, 'all', null);
  const imported = (id: string, claimId: number): ReviewEntry => ({
    id,
    workspace_id: workspaceId,
    at: '2026-03-01T11:00:00.000Z',
    author: 'colleague@example.com',
    kind: 'tag',
    fact: JSON.stringify({ kind: 'tag', add: [id], remove: [] }),
    filter: null,
    undoes: null,
    receipt: null,
    is_imported: 1,
    folds_at: null,
    more: null,
    proof: null,
    claims: [[claimId, null, null, null]],
  });
  const { call } = userData;
  let parts = 0;
  userData.call = async (name, input) => {
    if (name === 'stageClaims' || name === 'appendReview') {
      parts += 1;
      if (parts > 1)
        operations.importReviews({
          workspaceId,
          nowMs: Date.parse('2026-03-01T12:00:00Z'),
          entries: [imported(`a${parts}`, parts), imported(`b${parts}`, claimCount)],
        });
    }
    return call(name, input);
  };
  const act = await reviews.act(workspaceId, { selectionId }, done);
  expect(parts).toBe(3);
  expect(act).toMatchObject({ claims: claimCount, leftOut: [] });
  expect(countDone(computer)).toBe(claimCount);
  expect(claimsKept(computer)).toBe(claimCount + 4);
  expect((await reviews.get(workspaceId, claimCount)).tags).toEqual(['b2', 'b3']);
  const before = computer.operations.foldReviews({ workspaceId, claimIds: null });
  computer.file.close();
  writeFileSync(path, Buffer.alloc(8192, 7), { flag: 'r+' });
  expect(repairUserData({ filePath: path, key, mayLose: false })).toMatchObject({ lost: [] });
  const again = openComputer(join(path, '..'), 'a', { now: () => 0 });
  computer.file = again.file;
  expect(again.operations.foldReviews({ workspaceId, claimIds: null })).toEqual(before);
});

test('the journal of a damaged file contains acts on thousands completely, and nothing of one that failed', async () => {
  const computer = openFilled();
  const { reviews, userData, path, key } = computer;
  const { selectionId: failed } = await reviews.freezeList(workspaceId, 'all', null);
  const { call } = userData;
  userData.call = async (name, input) => {
    if (name === 'appendReview') throw new Error('killed');
    return call(name, input);
  };
  await expect(reviews.act(workspaceId, { selectionId: failed }, flagged)).rejects.toThrow('killed');
  userData.call = call;
  const { selectionId } = await reviews.freezeList(workspaceId, 'all', null);
  await reviews.act(workspaceId, { selectionId }, done);
  const before = computer.operations.foldReviews({ workspaceId, claimIds: null });
  computer.file.close();
  writeFileSync(path, Buffer.alloc(8192, 7), { flag: 'r+' });
  expect(repairUserData({ filePath: path, key, mayLose: false })).toMatchObject({
    outcome: 'repaired',
    lost: [],
  });
  const again = openComputer(join(path, '..'), 'a', { now: () => 0 });
  computer.file = again.file;
  expect(again.operations.foldReviews({ workspaceId, claimIds: null })).toEqual(before);
  expect(before).toHaveLength(claimCount);
  expect(before.every(({ state, isFlagged }) => state === 'done' && !isFlagged)).toBe(true);
});

test('a file of reviews is written while events are read, and can be read on another computer', async () => {
  const [from, to] = [openFilled(), openFilled()];
  const { selectionId } = await from.reviews.freezeList(workspaceId, 'all', null);
  await from.reviews.act(workspaceId, { selectionId }, done);
  await from.reviews.act(workspaceId, { claimIds: [3] }, { kind: 'note', text: 'a\u2028b\nc' });
  const { call } = from.userData;
  const order: string[] = [];
  from.userData.call = async (name, input) => {
    if (name === 'readReviewEntries') order.push('read');
    return call(name, input);
  };
  const parts: Buffer[] = [];
  const passphrase = 'a long passphrase';
  const written = await from.reviews.writeFile(workspaceId, passphrase, async (part) => {
    parts.push(part);
    order.push('written');
  });
  expect(written).toEqual({ events: 2, claims: claimCount });
  expect(order.filter((one) => one === 'read').length).toBeGreaterThan(2);
  expect(order.indexOf('written', 2)).toBeLessThan(order.lastIndexOf('read'));
  const file = Buffer.concat(parts);
  const report = { events: 2, known: 0, claims: claimCount, unknownClaims: 0, removedClaims: 0 };
  expect(await to.reviews.readFile(workspaceId, file, passphrase)).toMatchObject(report);
  expect(await to.reviews.readFile(workspaceId, file, passphrase)).toMatchObject({ events: 0, known: 2 });
  expect(countDone(to)).toBe(claimCount);
  expect((await to.reviews.get(workspaceId, 3)).notes[0]?.text).toBe('a\u2028b\nc');
});

test('a file that was written in one piece, each event one line, can still be read', async () => {
  const computer = openFilled();
  const lines = ['one', 'two'].map((id, at) => ({
    id,
    at: `2026-03-01T10:00:0${at}.000Z`,
    author: 'colleague@example.com',
    kind: 'tag',
    fact: JSON.stringify({ kind: 'tag', add: [id], remove: [] }),
    filter: null,
    undoes: null,
    receipt: null,
    claims: Array.from({ length: claimCount }, (_none, index) => [index + 1, null, null, null]),
  }));
  const file = await sealLines(lines);
  expect(await computer.reviews.readFile(workspaceId, file, filePassphrase)).toMatchObject({
    events: 2,
    claims: claimCount,
  });
  expect((await computer.reviews.get(workspaceId, claimCount)).tags).toEqual(['one', 'two']);
});
