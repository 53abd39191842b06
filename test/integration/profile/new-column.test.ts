import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { loadLaterVersion } from '../../support/later-version.ts';
import { copyOldRecords } from '../../support/old-records.ts';
import { parseExactly } from '../../support/profile-fixture/parse-exactly.ts';

/** Fields that version 0.2 did not know: sent with every record, with some, as null, and never. */
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

/** The records that version 0.2 wrote, in the store of a version that has columns for these fields. */
async function openUpdated() {
  const { filePath, key, sent, remove } = copyOldRecords();
  const connection = openRecords(filePath, key);
  onTestFinished(() => {
    connection.close();
    remove();
  });
  const later = await loadLaterVersion(fields);
  later.migrate(connection);
  const write = later.createWriteOperations(connection);
  while (write.writeAgain(null));
  const read = later.createReadOperations(connection);
  return {
    later,
    connection,
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

test('with columns for unknown fields nothing is lost, and a sync of the same records finds no change', async () => {
  const { later, connection, store, sent, findDifferences } = await openUpdated();
  const count = (sql: string): unknown => connection.prepare(sql).pluck().get();
  expect(count('SELECT count(*) FROM members WHERE gender IS NOT NULL')).toBe(
    sent.members.filter(({ gender }) => typeof gender === 'string').length,
  );
  expect(count('SELECT count(*) FROM members WHERE extra LIKE \'%"phone_mobile":"%\'')).toBe(0);
  expect(connection.prepare('SELECT DISTINCT x_number FROM claims').pluck().all()).toEqual([125_000]);
  expect(findDifferences()).toEqual([]);
  const missing = count(
    'SELECT (SELECT count(*) FROM members WHERE gone_since IS NOT NULL) + (SELECT count(*) FROM claims WHERE gone_since IS NOT NULL)',
  );
  expect(missing).toBeGreaterThan(0);

  // The recorded data of this service holds the records that it no longer sent: they return. The paused sync
  // continues with what it had counted as new.
  const counted = count('SELECT new FROM sync_change_counts ORDER BY seq DESC LIMIT 1');
  const { receipt } = await later.syncOnce(store, later.createListService(sent), { syncId: 'later' });
  expect(receipt).toMatchObject({ proof: 'complete', members: 31, claims: 143 });
  expect(receipt.changes).toEqual({ new: counted, changed: 0, missing: 0, confirmed: 0, returned: missing });
  expect(findDifferences()).toEqual([]);
  expect(later.checkRecords(connection, true)).toMatchObject({ isSound: true });
  const again = await later.syncOnce(store, later.createListService(sent), { syncId: 'again' });
  expect(again.receipt.changes).toEqual({ new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 });
});
