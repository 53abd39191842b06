import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import { testBytes } from '../../../../../support/seeds.ts';
import { makeTempFolder } from '../../../../../support/temp-folder.ts';

test('records of an older file with names in Chinese, Japanese or Korean are written again, and no others', () => {
  const database = openRecords(join(makeTempFolder(), 'records.db'), testBytes(32));
  migrate(database, 'records', { target: 15 });
  // The index as it was: a name is one word. Korean syllables are in their parts.
  database.exec(`
    INSERT INTO claims_text (rowid, body) VALUES (1, '王小明'), (2, 'zoë smith'), (3, '${'김'.normalize('NFD')} x'), (4, 'иван');
    INSERT INTO members_text (rowid, body) VALUES (7, '山田'), (8, 'ann');`);
  migrate(database, 'records');
  const marked = database.prepare('SELECT kind, id FROM records_to_write ORDER BY kind, id').raw().all();
  expect(marked).toEqual([
    ['claims', 1],
    ['claims', 3],
    ['members', 7],
  ]);
  database.close();
});
