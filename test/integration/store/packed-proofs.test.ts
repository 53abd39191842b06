import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { packProof, packSeen } from '../../../src/main/engine/store/file/packed-proofs.ts';
import { createUserDataOperations } from '../../../src/main/engine/store/threads/user-data-operations.ts';
import {
  createEventWriter,
  readStoredEvents,
} from '../../../src/main/engine/store/user-data/stored-events.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const key = testBytes(32);
const workspaceId = 'f3b0a1c4-6d2e-4b7a-9c58-1e2d3f4a5b6c';
const hashOf = (number: number): string => Buffer.alloc(32, number + 100).toString('base64url');
const proof = {
  certificate: 'cQKf4DZigFP3v5uF0drQx8',
  at: '2026-02-01T10:00:00.123Z',
  seen: { number: 2, hash: hashOf(2) },
  tags: '',
  salt: Buffer.alloc(16, 3).toString('base64url'),
  signature: Buffer.alloc(64, 4).toString('base64url'),
};

/** A file with the log of a team whose server lost a membership and an event. */
function openFilled() {
  const path = join(makeTempFolder(), 'ours.db');
  const filled = openDatabase(path, key);
  migrate(filled, 'userData');
  const writer = createEventWriter(filled);
  const event = {
    ...{ workspace_id: workspaceId, at: proof.at, author: 'dana@example.com', kind: 'flag' },
    ...{
      fact: '{"kind":"flag","isFlagged":true}',
      filter: null,
      undoes: null,
      receipt: null,
      folds_at: null,
    },
    ...{ more: null, is_imported: 0, proof: null, number: null },
  };
  const unseen = packProof({ ...proof, seen: null });
  writer.put({ ...event, seq: 1, id: 'imported', is_imported: 1, proof: packProof(proof), number: 3 });
  writer.put({ ...event, seq: 2, id: 'own', seen: packSeen(proof.seen), number: 4 });
  writer.put({ ...event, seq: 3, id: 'unsent' });
  writer.put({ ...event, seq: 4, id: 'lost', is_imported: 1, proof: unseen });
  for (const seq of [1, 2, 3, 4])
    filled.prepare('INSERT INTO stored_claims (claim_id, event_seq) VALUES (7, ?)').run(seq);
  filled
    .prepare("INSERT INTO team_position VALUES (1, ?, 'team', 4, ?, 0, 0, NULL, 1)")
    .run(workspaceId, hashOf(4));
  const entries = { member: 1, waiting: 2, imported: 3, own: 4, lostMember: -9, lost: -8 };
  for (const [id, number] of Object.entries(entries))
    filled
      .prepare('INSERT INTO team_entries VALUES (1, ?, ?, ?)')
      .run(number, Buffer.from(hashOf(number), 'base64url'), number === 3 || number === 4 ? null : id);
  filled.close();
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

test('an event keeps its number if it is removed here and arrives again, and loses it with the team', () => {
  const { userData, database, numbers, close } = openFilled();
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
  const { userData, numbers, close } = openFilled();
  const position = { team: 'team', hash: hashOf(2), parts: 0, root: null, isRead: 1 as const };
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

test.each([[-1], [2 ** 48], ['x']])('in a damaged file, only a row with the time %s is left out', (at) => {
  const { database, close } = openFilled();
  const rows = database.prepare('SELECT * FROM stored_events ORDER BY seq').all() as { at: unknown }[];
  const texts = new Map(
    database.prepare('SELECT n, text FROM review_texts').raw().all() as [number, string][],
  );
  close();
  const read = readStoredEvents(rows, texts);
  expect(read).toMatchObject({
    isComplete: true,
    rows: [{ id: 'imported', proof: packProof(proof) }, {}, {}, {}],
  });
  const damaged = readStoredEvents([{ ...rows[0], at }, ...rows.slice(1)], texts);
  expect(damaged).toEqual({ isComplete: false, rows: read.rows.slice(1) });
});
