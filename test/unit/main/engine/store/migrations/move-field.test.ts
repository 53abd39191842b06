import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveField } from '../../../../../../src/main/engine/store/migrations/move-field.ts';
import {
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../../../../src/main/engine/store/record/json.ts';
import type { ListKind } from '../../../../../../src/main/engine/store/record/list-kind.ts';
import { anyJson, isSameJson, readJson } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { loadLaterVersion } from '../../../../../support/later-version.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const kinds = ['text', 'integer', 'real', 'money', 'boolean'] as const;
const keyOf = (kind: (typeof kinds)[number]): string => `new_${kind}`;
/** The tables in which such a field comes, and where in a record a row of it lies. */
const tables = {
  claims: (row: object) => ({ kind: 'claims', record: row }),
  claim_lines: (row: object) => ({ kind: 'claims', record: { claim_medical_lines: [row, {}] } }),
  members: (row: object) => ({ kind: 'members', record: row }),
  employers: (row: object) => ({ kind: 'members', record: { employer: row } }),
} as const satisfies Record<string, (row: object) => { kind: ListKind; record: object }>;
type Table = keyof typeof tables;
const fields = (Object.keys(tables) as Table[]).flatMap((table) =>
  kinds.map((kind) => ({ table, key: keyOf(kind), column: keyOf(kind), kind })),
);
const later = await loadLaterVersion(fields);

/** Writes rows as today's version, opens the file as the later one, and tells what each column holds. */
function writeAndUpdate(table: Table, rows: readonly string[]) {
  const { database, ingest, texts } = openTestStore();
  const { kind } = tables[table]({});
  const sent = rows.map((row, index) => {
    const { record } = tables[table](parseJson(row) as JsonObject);
    return JSON.stringify({ id: index + 1, ...record });
  });
  const ids = rows.map((_row, index) => index + 1);
  ingest(kind, `{"data":[${sent.join(',')}]}`);
  const before = texts(kind, ids);
  later.migrate(database);
  const read = later.createReadOperations(database);
  const write = later.createWriteOperations(database);
  const send = (data: readonly string[]) =>
    write.ingestPage({
      ...{ kind, pass: 1, page: 1, seenAt: '2026-01-02T03:04:05.000Z', requestId: null, isPartOfPass: false },
      body: Buffer.from(`{"data":[${data.join(',')}]}`),
    });
  return {
    database,
    sent,
    before,
    send,
    readBack: () => read.readRecords({ entity: kind, keys: ids, isSsnShown: true }),
    cells: (column: string): unknown[] => database.prepare(`SELECT ${column} FROM ${table}`).pluck().all(),
    isSound: () => later.checkRecords(database, true).isSound,
  };
}

const anyNumber = fc.oneof(
  fc.integer().map(String),
  fc.integer({ min: -9_999_999, max: 9_999_999 }).map((value) => String(value / 10_000)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '12345678901234567890',
    '9007199254740993',
    '1e400',
    '0.1000000000000000055',
    '-0',
    '1e-7',
    '0.5',
  ),
);
const anyValue = fc.oneof(
  anyNumber,
  fc.constantFrom(
    'null',
    'true',
    'false',
    '"text"',
    '"Zoë \\"N\\" \\\\u"',
    '"a\\u0000b"',
    '"\\ud800"',
    '{}',
    '[]',
  ),
  anyJson.map((value: JsonValue) => JSON.stringify(value)),
);
const anyRow = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...kinds.map(keyOf), 'other', 'new_', 'status'), anyValue), {
    selector: ([key]) => key,
    maxLength: 6,
  })
  .map((entries) => `{${entries.map(([key, value]) => `"${key}":${value}`).join(',')}}`);

test.each(Object.keys(tables) as Table[])(
  'records whose %s get columns read as before, and the same records sent again change nothing',
  (table) => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 40 }), (rows) => {
        const { readBack, before, sent, send, isSound } = writeAndUpdate(table, rows);
        for (const text of [before, readBack()]) {
          for (const [index, one] of text.entries())
            expect(isSameJson(readJson(one ?? ''), readJson(sent[index] ?? '')), sent[index]).toBe(true);
        }
        expect(send(sent)).toMatchObject({ added: 0, changed: 0 });
        expect(isSound()).toBe(true);
      }),
      // Each run keeps two connections open until the test ends.
      { numRuns: Math.min(fuzzRuns(8), 200) },
    );
  },
);

test.each([
  [
    'text',
    ['"x"', '""', '"Zoë \\"N\\" \\\\ \\n"', 'null', '1', '"\\ud800"', '[]'],
    ['x', '', 'Zoë "N" \\ \n', null, null, null, null],
  ],
  [
    'integer',
    ['5', '-5', '9007199254740991', '9007199254740993', '5.5', '"5"', 'true'],
    [5, -5, 9007199254740991, null, null, null, null],
  ],
  ['real', ['1.5', '2', '-0.001', '"1.5"', 'null'], [1.5, 2, -0.001, null, null]],
  ['money', ['12.34', '-0.01', '0', '12.34567', '1e300', '"1"'], [123400, -100, 0, 123457, null, null]],
  ['boolean', ['true', 'false', 'null', '1', '"true"'], [1, 0, null, null, null]],
] as const)('a %s that its column can hold is moved into it', (kind, values, expected) => {
  const key = keyOf(kind);
  const { cells, sent, readBack, database } = writeAndUpdate(
    'claims',
    values.map((value) => `{"${key}":${value}}`),
  );
  expect(cells(key)).toEqual(expected);
  // Nothing is left beside the columns but what the column does not hold exactly.
  const left = database.prepare('SELECT extra FROM claims').pluck().all() as (string | null)[];
  for (const [index, extra] of left.entries()) {
    const isMoved = expected[index] !== null && values[index] !== '12.34567';
    expect(extra === null, values[index]).toBe(isMoved);
  }
  expect(readBack().map((text) => readJson(text ?? ''))).toEqual(sent.map(readJson));
});

test('absent, null and a value stay apart, in one shape of rows as in another', () => {
  const rows = [
    '{}',
    '{"new_text":null}',
    '{"new_text":"x"}',
    '{"status":null}',
    '{"status":null,"new_text":"y"}',
  ];
  const { readBack, sent, send } = writeAndUpdate('claims', rows);
  expect(readBack()).toEqual(sent.map((text) => JSON.stringify(JSON.parse(text))));
  const changed = [
    '{"id":1,"new_text":null}',
    '{"id":2}',
    '{"id":3,"new_text":null}',
    '{"id":4,"new_text":"z"}',
    '{"id":5}',
  ];
  expect(send(changed)).toMatchObject({ added: 0, changed: 5 });
  expect(readBack().map((text) => JSON.parse(text ?? ''))).toEqual(changed.map((text) => JSON.parse(text)));
});

test('a row with something too deep for the database beside its columns is left as it is', () => {
  // A new read sets such a record aside; a file from before that rule has it beside its columns.
  const { database, ingest, texts } = openTestStore();
  ingest('claims', '{"data":[{"id":1}]}');
  const deep = `{"new_text":"x","other":${'['.repeat(1_500)}${']'.repeat(1_500)}}`;
  database.prepare('UPDATE claims SET extra = ?').run(deep);
  const before = texts('claims', [1]);
  later.migrate(database);
  expect(database.prepare('SELECT new_text, extra FROM claims').all()).toEqual([
    { new_text: null, extra: deep },
  ]);
  const read = later.createReadOperations(database);
  expect(read.readRecords({ entity: 'claims', keys: [1], isSsnShown: true })).toEqual(before);
});

test('rows without the field are not written', () => {
  const { database, ingest } = openTestStore();
  ingest(
    'claims',
    Array.from({ length: 50 }, (_none, index) => ({ id: index + 1, other: index })),
  );
  const before = database.prepare('SELECT total_changes()').pluck().get() as number;
  database.exec(moveField({ table: 'claims', key: 'new_text', column: 'new_text', kind: 'text' }));
  const shapes = database.prepare('SELECT count(*) FROM record_shapes').pluck().get() as number;
  expect(database.prepare('SELECT total_changes()').pluck().get()).toBe(before + shapes);
});
