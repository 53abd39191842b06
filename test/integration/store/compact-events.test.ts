import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { packProof, type SeenEntry } from '../../../src/main/engine/store/file/packed-proofs.ts';
import { packValues, unpackValues } from '../../../src/main/engine/store/file/packed-values.ts';
import { forgetReviews } from '../../../src/main/engine/store/user-data/forget-reviews.ts';
import { repairUserData } from '../../../src/main/engine/store/user-data/repair-user-data.ts';
import { createEventWriter, type PutEvent } from '../../../src/main/engine/store/user-data/stored-events.ts';
import { reviewFactSchema } from '../../../src/rules/review/event-kinds.ts';
import { copyOldUserData } from '../../support/old-records.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const key = testBytes(32);
const columns =
  'seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at, more, proof, seen, number';
const readAll = (database: Database): unknown[] =>
  database.prepare(`SELECT ${columns} FROM review_events ORDER BY seq`).all();

const uuidOf = (seed: number): string => {
  const hex = testBytes(16, seed).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
const at = (ms: number): string => new Date(Date.UTC(2026, 1, 1) + ms).toISOString();
const packAt = (ms: number, seen: SeenEntry | null): Buffer =>
  packProof({
    ...{ certificate: 'cQKf4DZigFP3v5uF0drQx8', at: at(ms), seen, tags: null },
    ...{ salt: testBytes(16).toString('base64url'), signature: testBytes(64).toString('base64url') },
  });
const proof = packAt(0, null);
/** A proof with the time of most events here. */
const proofOf = (seen: SeenEntry | null): Buffer => packAt(1, seen);
const seen = { number: 9, hash: testBytes(32).toString('base64url') };
const receipt = JSON.stringify({ runId: uuidOf(900), finishedAt: at(0) });

/** Events of every kind, twice; then events in forms that only damage or other programs make. */
function makeEvents(): PutEvent[] {
  const kinds = reviewFactSchema.options.map(({ shape }) => shape.kind.value);
  const usual = [...kinds, ...kinds, 'ofNewerVersion'].map((kind, index) => ({
    ...{ id: uuidOf(index), kind, fact: JSON.stringify({ kind }), at: at(index * 86_399_999) },
    ...(index % 2 === 0
      ? { receipt, proof, is_imported: 1, number: index + 1 }
      : { seen: testBytes(40, index) }),
  }));
  const fact = '{"kind":"note","text":"Ein Scheck über 5 € – “später”."}';
  const odd: Partial<PutEvent>[] = [
    ...[{ id: 'd290f1ee' }, { id: uuidOf(700).toUpperCase() }, { id: `${uuidOf(701)}0` }, { id: '' }],
    ...[
      { at: '2026-02-01T10:00:00Z' },
      { at: '2026-02-30T10:00:00.000Z' },
      { at: '' },
      { at: '1795855978123' },
    ],
    ...[
      { at: '0000-02-01T10:00:00.000Z' },
      { at: '2026-02-01T10:00:00.0001' },
      { at: '2026-02-01 10:00:00.0000' },
    ],
    { at: '2027-01-01T00:00:00.000Z', folds_at: '2026-02-01T10:00:00.000Z 2027-01-01T00:00:00.000Z' },
    ...[
      { folds_at: 'tomorrow' },
      { folds_at: '' },
      { more: '{"newField":[1,2]}' },
      { filter: '{"search":"Ann\\nLee"}' },
    ],
    ...[
      { fact },
      { fact },
      { fact: '{odd' },
      { fact: '{odd' },
      { fact: '' },
      { fact: '12' },
      { fact: `"${'x'.repeat(900)}"` },
    ],
    ...[
      { receipt: '{odd' },
      { receipt: '' },
      { author: '' },
      { author: '7' },
      { undoes: uuidOf(3) },
      { undoes: 'd290f1ee' },
    ],
    ...[0, 1, 22, 71, 92, 93, 94, 150].map((length) => ({ proof: testBytes(length, length) })),
    ...[
      { proof: proof.subarray(0, 93) },
      { proof: proof.subarray(0, 92) },
      { seen: testBytes(0) },
      { workspace_id: '' },
    ],
    ...[null, seen].flatMap((one) => [{ proof: proofOf(one) }, { proof: proofOf(one), at: at(2) }]),
    ...[3, 4].map((version) => ({ proof: Buffer.concat([Buffer.of(version), proofOf(seen).subarray(1)]) })),
    {
      proof: Buffer.concat([
        proof.subarray(0, 71),
        Buffer.from('Zürich\0abcdefghijklmnop'),
        proof.subarray(93),
      ]),
    },
  ];
  const base = {
    ...{
      workspace_id: 'f3b0a1c4-6d2e-4b7a-9c58-1e2d3f4a5b6c',
      at: at(1),
      author: 'dana@example.com',
      kind: 'note',
    },
    ...{ fact, filter: null, undoes: null, receipt: null, is_imported: 0, folds_at: null, more: null },
    ...{ proof: null, seen: null, number: null },
  };
  return [...usual, ...odd].map((one, index) => ({
    ...base,
    ...{ seq: index + 1, id: uuidOf(10_000 + index) },
    ...one,
  }));
}

const toBuffers = (row: PutEvent) => ({
  ...row,
  proof: row.proof && Buffer.from(row.proof),
  seen: row.seen == null ? null : Buffer.from(row.seen),
});

/** The columns of an event in version 0.2. */
const oldColumns = columns.slice(0, columns.indexOf(', folds_at'));
const readOld = (database: Database): unknown[] =>
  database.prepare(`SELECT ${oldColumns} FROM review_events ORDER BY seq`).all();

test('every event of version 0.2, even a damaged one, is read the same after the migration', () => {
  const database = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(database, 'userData', { target: 5 });
  const put = database.prepare(
    `INSERT INTO review_events (${oldColumns}) VALUES (${oldColumns.replaceAll(/\w+/g, (name) => `:${name}`)})`,
  );
  for (const event of makeEvents()) put.run(event);
  const before = readOld(database);
  expect(before).toHaveLength(makeEvents().length);
  migrate(database, 'userData');
  expect(readOld(database)).toEqual(before);
  const times = database.prepare(
    'SELECT DISTINCT at, folds_at FROM review_events WHERE folds_at IS NOT NULL',
  );
  expect(times.raw().all()).toEqual([
    ['2026-02-01T10:00:00Z', '2026-02-01T10:00:00.000Z'],
    ['', '2999-12-31T23:59:59.999Z'],
    ['1795855978123', '2000-01-01T00:00:00.000Z'],
    ['0000-02-01T10:00:00.000Z', '2000-01-01T00:00:00.000Z'],
    ['2026-02-01T10:00:00.0001', '2026-02-01T10:00:00.000Z'],
    ['2026-02-01 10:00:00.0000', '2026-02-01T10:00:00.000Z'],
  ]);
  database.close();
});

test('every event is read as it was written', () => {
  const database = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(database, 'userData');
  const writer = createEventWriter(database);
  const events = makeEvents().map(toBuffers);
  for (const event of events) writer.put(event);
  expect(readAll(database)).toEqual(events);
  database.close();
});

test('an event that is moved to another time keeps its proof, which is stored without its time', () => {
  const database = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(database, 'userData');
  const writer = createEventWriter(database);
  const events = [proofOf(null), proofOf(seen), proof, null].map((one, index) => {
    const [note] = makeEvents() as [PutEvent];
    return toBuffers({
      ...note,
      seq: index + 1,
      id: uuidOf(50_000 + index),
      at: at(1),
      seen: null,
      proof: one,
    });
  });
  for (const event of events) writer.put(event);
  const lengths = database.prepare('SELECT length(proof) FROM stored_events ORDER BY seq').pluck().all();
  expect(lengths).toEqual([82, 122, 96, null]);
  for (const time of [at(5), '2026-02-01T10:00:00Z', at(1)]) {
    for (const { id } of events) writer.move({ id, at: time, folds_at: null });
    expect(readAll(database)).toEqual(events.map((event) => ({ ...event, at: time })));
  }
  database.close();
});

test('an event whose ID begins like another’s is a different one, and one with the same ID is not written', () => {
  const database = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(database, 'userData');
  const writer = createEventWriter(database);
  const [note] = makeEvents() as [PutEvent];
  const ids = [uuidOf(60_000), `${uuidOf(60_000).slice(0, 24)}ffffffffffff`];
  for (const [index, id] of [...ids, ...ids].entries())
    writer.put({ ...note, id, seq: index + 1, author: `${index}@example.com` });
  writer.move({ id: ids[1] as string, at: at(7), folds_at: null });
  expect(readAll(database)).toMatchObject([
    { id: ids[0], author: '0@example.com', at: note.at },
    { id: ids[1], author: '1@example.com', at: at(7) },
  ]);
  database.close();
});

test('the events of a file of version 0.2 are read as they were', () => {
  const old = copyOldUserData();
  const database = openDatabase(old.filePath, old.key);
  const before = readOld(database);
  expect(before.length).toBeGreaterThan(10);
  migrate(database, 'userData');
  expect(readOld(database)).toEqual(before);
  database.close();
  old.remove();
});

/** Closes a file and overwrites the pages of one of its tables or indexes. */
function damagePages(database: Database, path: string, name: string, close: () => void): void {
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pages = database.prepare('SELECT pageno FROM dbstat WHERE name=?').pluck().all(name) as number[];
  const bytes = database.pragma('page_size', { simple: true }) as number;
  close();
  const file = openSync(path, 'r+');
  for (const page of pages) writeSync(file, testBytes(bytes, page), 0, bytes, (page - 1) * bytes);
  closeSync(file);
}

test.each(['review_texts', 'sqlite_autoindex_review_texts_1'])(
  'if a page of %s is damaged, and there is neither journal nor backup, no event is lost',
  (name) => {
    const path = join(makeTempFolder(), 'ours.db');
    const { database, close } = openFile(path, key, 'userData');
    const writer = createEventWriter(database);
    for (const event of makeEvents().map(toBuffers)) writer.put(event);
    const before = readAll(database).map((one) => ({ ...(one as object), number: null }));
    damagePages(database, path, name, close);
    repairUserData({ filePath: path, key, mayLose: true });
    const repaired = openFile(path, key, 'userData');
    expect(readAll(repaired.database)).toEqual(before);
    repaired.close();
  },
);

test('a text shared by several events is removed with the last of them', () => {
  const database = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(database, 'userData');
  const writer = createEventWriter(database);
  const putClaim = database.prepare(
    'INSERT INTO review_event_claims (claim_id, event_seq) SELECT :claimId, max(seq) FROM stored_events',
  );
  const [note] = makeEvents().filter(({ fact }) => fact.includes('Scheck')) as [PutEvent];
  for (const [index, claimId] of [1, 1, 1, 2, 2].entries()) {
    writer.put({ ...note, seq: null, id: uuidOf(20_000 + index) });
    putClaim.run({ claimId });
  }
  const texts = database.prepare('SELECT text FROM review_texts').pluck();
  const { workspace_id: workspaceId } = note;
  forgetReviews(database, { workspaceId, claimIds: [1] });
  expect(texts.all()).toContain(note.fact);
  forgetReviews(database, { workspaceId, claimIds: [2] });
  expect(texts.all()).toEqual([]);
  database.close();
});

type ClaimRow = readonly [number, number, Buffer | null, string | null, string | null];
const readClaimRows = (database: Database): unknown[] =>
  database.prepare('SELECT * FROM review_event_claims ORDER BY event_seq, claim_id').raw().all();
const countValues = (database: Database): unknown =>
  database.prepare('SELECT count(*) FROM claim_values').pluck().get();
const values = (index: number): Buffer => packValues(`{"fields":{"amount":${index}}}`);
/** Claims of events with the values of the event before, with others, and with only a part or none of them. */
const claimRows: readonly ClaimRow[] = [
  [7, 1, values(1), 'one', null],
  [8, 1, values(1), 'one', '{"open":1}'],
  [7, 2, values(1), 'one', '{"open":2}'],
  [7, 3, values(2), 'two', null],
  [7, 4, values(1), 'one', null],
  [7, 5, null, 'one', null],
  [7, 6, values(1), null, null],
  [7, 7, null, null, null],
  [-7, 7, null, null, '{odd'],
  [9, 7, values(3), '0123456789abcdef'.repeat(2), null],
  [9, 6, values(3), '0123456789ABCDEF'.repeat(2), null],
  [9, 5, values(3), '0123456789abcdef'.repeat(2), null],
];
const putClaimRow =
  'INSERT INTO review_event_claims (claim_id, event_seq, reviewed, digest, detail) VALUES (?, ?, ?, ?, ?)';

test('the claims of events are read the same after the migration, and equal values of a claim are stored once', () => {
  const database = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(database, 'userData', { target: 5 });
  const put = database.prepare(putClaimRow);
  for (const [claimId, seq, reviewed, ...more] of claimRows)
    put.run(claimId, seq, reviewed === null ? null : unpackValues(reviewed), ...more);
  migrate(database, 'userData');
  const before = [...claimRows].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  expect(readClaimRows(database)).toEqual(before);
  expect(countValues(database)).toBe(7);
  // As written later, also where a claim of an event comes twice.
  const again = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(again, 'userData');
  for (const row of [...claimRows, [7, 4, values(9), 'nine', null]] as const)
    again.prepare(putClaimRow).run(...row);
  expect(readClaimRows(again)).toEqual(before);
  expect(countValues(again)).toBe(7);
  again.close();
  database.close();
});

test('the values of a claim are removed with its last event that has them', () => {
  const database = openDatabase(join(makeTempFolder(), 'ours.db'), key);
  migrate(database, 'userData');
  const [note] = makeEvents() as [PutEvent];
  const writer = createEventWriter(database);
  for (let seq = 1; seq <= 7; seq += 1) writer.put({ ...note, seq, id: uuidOf(30_000 + seq) });
  for (const row of claimRows) database.prepare(putClaimRow).run(...row);
  const remove = database.prepare('DELETE FROM stored_claims WHERE event_seq>=?');
  const counts = [7, 6, 5, 4, 3].map((seq) => {
    remove.run(seq);
    return countValues(database);
  });
  expect(counts).toEqual([7, 5, 3, 3, 2]);
  forgetReviews(database, { workspaceId: note.workspace_id, claimIds: [7] });
  expect(readClaimRows(database)).toEqual([claimRows[1]]);
  expect(countValues(database)).toBe(1);
  database.close();
});

test.each(['claim_values', 'stored_claims_by_event'])(
  'if a page of %s is damaged, and there is neither journal nor backup, each event keeps its claims',
  (name) => {
    const path = join(makeTempFolder(), 'ours.db');
    const { database, close } = openFile(path, key, 'userData');
    const [note] = makeEvents() as [PutEvent];
    const writer = createEventWriter(database);
    for (let seq = 1; seq <= 7; seq += 1) writer.put({ ...note, seq, id: uuidOf(40_000 + seq) });
    for (const row of claimRows) database.prepare(putClaimRow).run(...row);
    const before = readClaimRows(database) as ClaimRow[];
    damagePages(database, path, name, close);
    const { lost } = repairUserData({ filePath: path, key, mayLose: true });
    const repaired = openFile(path, key, 'userData');
    const isLost = name === 'claim_values';
    expect(lost.length > 0).toBe(isLost);
    expect(readClaimRows(repaired.database)).toEqual(
      before.map(([claimId, seq, reviewed, digest, detail]) =>
        isLost ? [claimId, seq, null, null, detail] : [claimId, seq, reviewed, digest, detail],
      ),
    );
    repaired.close();
  },
);
