import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { unpackProof, unpackSeen } from '../../../src/main/engine/store/file/packed-proofs.ts';
import { createUserDataOperations } from '../../../src/main/engine/store/threads/user-data-operations.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const key = testBytes(32);
const workspaceId = 'f3b0a1c4-6d2e-4b7a-9c58-1e2d3f4a5b6c';
const hashOf = (number: number): string => Buffer.alloc(32, number + 100).toString('base64url');
const proof = {
  certificate: 'cQKf4DZigFP3v5uF0drQx8',
  at: '2026-02-01T10:00:00.123Z',
  seen: { number: 2, hash: hashOf(2) },
  salt: Buffer.alloc(16, 3).toString('base64url'),
  signature: Buffer.alloc(64, 4).toString('base64url'),
};

/** A file as version 13 had it: of a team whose server lost a membership and an event. */
function writeOld(path: string) {
  const database = openDatabase(path, key);
  migrate(database, 'userData', { target: 13 });
  const putEvent = database.prepare(`INSERT INTO review_events
    (seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported, proof, seen)
    VALUES (?, ?, ?, '2026-02-01T10:00:00.123Z', 'dana@example.com', 'flag', '{"kind":"flag","isFlagged":true}',
      NULL, NULL, NULL, ?, ?, ?)`);
  putEvent.run(1, 'imported', workspaceId, 1, JSON.stringify(proof), null);
  putEvent.run(2, 'own', workspaceId, 0, null, JSON.stringify(proof.seen));
  putEvent.run(3, 'unsent', workspaceId, 0, null, null);
  putEvent.run(4, 'lost', workspaceId, 1, JSON.stringify({ ...proof, seen: null }), null);
  for (const seq of [1, 2, 3, 4])
    database.prepare('INSERT INTO review_event_claims VALUES (7, ?, NULL, NULL, NULL)').run(seq);
  database
    .prepare("INSERT INTO team_position VALUES (?, 'team', 4, ?, 0, 0, NULL)")
    .run(workspaceId, hashOf(4));
  const entries = { member: 1, waiting: 2, imported: 3, own: 4, lostMember: -9, lost: -8 };
  for (const [id, number] of Object.entries(entries))
    database
      .prepare('INSERT INTO team_entries VALUES (?, ?, ?, ?)')
      .run(workspaceId, number, id, hashOf(number));
  migrate(database, 'userData', { target: 15 });
  return database;
}

function openNew() {
  const path = join(makeTempFolder(), 'ours.db');
  const old = writeOld(path);
  // Version 19 forgets what was read of logs, which is what these tests are about.
  old.pragma('user_version = 19');
  old.close();
  const { database, close } = openFile(path, key, 'userData');
  const userData = createUserDataOperations(database, path, key, (thrown) => {
    throw thrown;
  });
  const numbers = (): unknown =>
    Object.fromEntries(
      database.prepare('SELECT id, number FROM review_events').raw().all() as [string, number][],
    );
  return { database, close, userData, numbers };
}

test('the proofs of a file of version 13, and what it had read of the log of its team, are there after the migration', () => {
  const { userData, numbers, close } = openNew();
  const { entries } = userData.readReviewEntries({ workspaceId, after: null, limit: 10 });
  expect(entries.map((one) => one.proof && unpackProof(one.proof))).toEqual([
    { ...proof, tags: '' },
    null,
    null,
    { ...proof, tags: '', seen: null },
  ]);
  expect(entries.map((one) => one.seen && unpackSeen(one.seen))).toEqual([null, proof.seen, null, null]);
  expect(numbers()).toEqual({ imported: 3, own: 4, unsent: null, lost: null });
  expect(userData.countUnsent({ workspaceId })).toBe(1);
  expect(userData.readTeamLog({ workspaceId }).position).toMatchObject({ number: 4, hash: hashOf(4) });
  expect(userData.readTeamHashes({ workspaceId, number: 4, limit: 2 })).toEqual([
    { number: 4, hash: hashOf(4) },
    { number: 3, hash: hashOf(3) },
  ]);
  expect(userData.readLost({ workspaceId, limit: 9 }).map(({ id }) => id)).toEqual(['lostMember', 'lost']);
  close();
});

test('an event keeps its number where it is removed from here and comes again, and loses it with the team', () => {
  const { userData, database, numbers, close } = openNew();
  const [imported] = userData.readReviewEntries({
    workspaceId,
    after: null,
    limit: 10,
    id: 'imported',
  }).entries;
  if (imported === undefined) throw new Error('It is not there.');
  userData.forgetWritten({ workspaceId, claimIds: [7] });
  expect(numbers()).toEqual({});
  userData.importReviews({ workspaceId, entries: [imported], nowMs: Date.parse(proof.at) });
  expect(numbers()).toEqual({ imported: 3 });
  userData.forgetTeam({ workspaceId });
  expect(numbers()).toEqual({ imported: null });
  expect(database.prepare('SELECT count(*) FROM team_entries').pluck().get()).toBe(0);
  close();
});

test('what the server lost has no number until it is in the log again', () => {
  const { userData, numbers, close } = openNew();
  const position = { team: 'team', hash: hashOf(2), parts: 0, root: null };
  userData.rewindTeam({
    workspaceId,
    position: { ...position, number: 2 },
    kept: [],
    readUpTo: null,
    isForgotten: false,
  });
  expect(numbers()).toEqual({ imported: null, own: null, unsent: null, lost: null });
  expect(userData.countUnsent({ workspaceId })).toBe(2);
  const lost = (): string[] => userData.readLost({ workspaceId, limit: 9 }).map(({ id }) => id);
  expect(lost()).toEqual(['lostMember', 'lost', 'imported', 'own']);
  userData.addTeamPage({
    ...{ workspaceId, entries: [], nowMs: 0, memberships: [], waiting: [], facts: [], applied: [] },
    position: { ...position, number: 4 },
    numbers: ['own', 'lost'].map((id, index) => ({ id, number: 3 + index, hash: hashOf(20 + index) })),
    removals: { removals: [], removedIds: [], isDue: false },
  });
  expect(numbers()).toEqual({ imported: null, own: 3, unsent: null, lost: 4 });
  expect(lost()).toEqual(['lostMember', 'imported']);
  userData.forgetLost({ workspaceId, upTo: -1 });
  expect(lost()).toEqual([]);
  close();
});

test('version 19 forgets what was read of logs of teams, and keeps the events', () => {
  const path = join(makeTempFolder(), 'ours.db');
  writeOld(path).close();
  const { database, close } = openFile(path, key, 'userData');
  const count = (table: string): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect(['team_position', 'team_entries', 'review_events'].map(count)).toEqual([0, 0, 4]);
  const numbers = database.prepare('SELECT number, seen FROM review_events').raw().all();
  expect(numbers).toEqual([1, 2, 3, 4].map(() => [null, null]));
  close();
});
