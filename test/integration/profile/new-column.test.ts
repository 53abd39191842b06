import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { loadLaterVersion } from '../../support/later-version.ts';
import { copyOldRecords } from '../../support/old-records.ts';
import { parseExactly } from '../../support/profile-fixture/parse-exactly.ts';

/** Fields that version 0.1 did not know: sent with every record, with some, as null, and never. */
const fields = [
  { table: 'members', key: 'gender', column: 'gender', kind: 'text' },
  { table: 'members', key: 'phone_mobile', column: 'mobile', kind: 'text' },
  { table: 'members', key: 'x_flag', column: 'x_flag', kind: 'boolean' },
  { table: 'dependents', key: 'relationship', column: 'relationship', kind: 'text' },
  { table: 'claims', key: 'x_number', column: 'x_number', kind: 'money' },
  { table: 'claims', key: 'x_nothing', column: 'x_nothing', kind: 'integer' },
  { table: 'claims', key: 'x_object', column: 'x_object', kind: 'text' },
  { table: 'claims', key: 'never_sent', column: 'never_sent', kind: 'text' },
  { table: 'claim_lines', key: 'x_line', column: 'x_line', kind: 'text' },
] as const;

const lists = ['members', 'claims'] as const;

/** The records of a workspace of version 0.1, in the store of a version that has columns for these fields. */
async function openUpdated(name: 'northwind' | 'lakeside') {
  const { filePath, key, sent, remove } = copyOldRecords(name);
  const connection = openRecords(filePath, key);
  onTestFinished(() => {
    connection.close();
    remove();
  });
  const later = await loadLaterVersion(fields);
  later.migrate(connection);
  const write = later.createWriteOperations(connection);
  const read = later.createReadOperations(connection);
  return {
    later,
    connection,
    write,
    store: later.givenStore({ write, read, lists: later.createListOperations(connection) }),
    sent: { members: [...sent.members], claims: [...sent.claims] },
    /** Ids of records that do not read as they were sent. */
    findDifferences: (): unknown[] =>
      lists.flatMap((entity) =>
        sent[entity].flatMap((record) => {
          const [text] = read.readRecords({ entity, keys: [record.id], isSsnShown: true });
          const isEqual = text != null && isDeepStrictEqual(parseExactly(text), record);
          return isEqual ? [] : [{ entity, id: record.id }];
        }),
      ),
  };
}

test('after a column more nothing is lost, and a sync of the same records says that nothing changed', async () => {
  const { later, connection, store, sent, findDifferences } = await openUpdated('northwind');
  const count = (sql: string): unknown => connection.prepare(sql).pluck().get();
  expect(count('SELECT count(*) FROM members WHERE gender IS NOT NULL')).toBe(
    sent.members.filter(({ gender }) => typeof gender === 'string').length,
  );
  expect(count('SELECT count(*) FROM members WHERE extra LIKE \'%"phone_mobile":"%\'')).toBe(0);

  const service = later.createListService(sent);
  const { receipt } = await later.syncOnce(store, service, { runId: 'later' });
  expect(receipt).toMatchObject({ proof: 'complete', members: 2000, claims: 5000 });
  expect(receipt.changes).toEqual({ new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 });
  expect(findDifferences()).toEqual([]);
  expect(later.checkRecords(connection, true)).toMatchObject({ isSound: true });
});

test('the same with unknown fields everywhere, missing records and a sync that was paused', async () => {
  const { later, connection, write, store, sent, findDifferences } = await openUpdated('lakeside');
  expect(findDifferences()).toEqual([]);
  const missing = connection
    .prepare(
      'SELECT (SELECT count(*) FROM members WHERE gone_since IS NOT NULL) + (SELECT count(*) FROM claims WHERE gone_since IS NOT NULL)',
    )
    .pluck()
    .get();
  expect(missing).toBeGreaterThan(0);
  expect(connection.prepare('SELECT DISTINCT x_number FROM claims').pluck().all()).toEqual([125_000]);

  // What is recorded of this service holds the records that it no longer sent: they come back.
  const { receipt } = await later.syncOnce(store, later.createListService(sent), { runId: 'later' });
  expect(receipt.changes).toEqual({ new: 0, changed: 0, missing: 0, confirmed: 0, returned: missing });
  expect(findDifferences()).toEqual([]);
  while (write.renewDigests(null));
  expect(later.checkRecords(connection, true)).toMatchObject({ isSound: true });
  const again = await later.syncOnce(store, later.createListService(sent), { runId: 'again' });
  expect(again.receipt.changes).toEqual({ new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 });
});
