import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import { testBytes } from '../../../../../support/seeds.ts';
import { makeTempFolder } from '../../../../../support/temp-folder.ts';

test('earlier pairs are found again, reviews computed again, and every claim updated again', () => {
  const connection = openRecords(join(makeTempFolder(), 'records.db'), testBytes(32));
  onTestFinished(() => void connection.close());
  migrate(connection, 'records', { target: 15 });
  connection.exec(`
    INSERT INTO claims (id, digest, shape_id) VALUES (1, x'01', 1), (2, x'02', 1);
    DELETE FROM changed_claims;
    DELETE FROM outdated_claims;
    INSERT INTO duplicate_pairs (left_id, right_id, kind, payable, is_left_replaced, is_right_replaced, is_of_feed,
      fingerprint) VALUES (1, 2, 'exact', 200000, 0, 0, 0, 'f');
    INSERT INTO judged_pairs (left_id, right_id, fingerprint, is_duplicate) VALUES (1, 2, 'f', 1);
    INSERT INTO sync_state (name, value) VALUES ('reviews', '{"seq":1,"id":"e","today":"2026-11-20"}');
  `);
  migrate(connection);
  const all = (sql: string): unknown => connection.prepare(sql).raw().all();
  expect(all('SELECT * FROM duplicate_pairs')).toEqual([]);
  expect(all('SELECT DISTINCT id FROM changed_claims')).toEqual([[1], [2]]);
  expect(all('SELECT id FROM outdated_claims')).toEqual([[1], [2]]);
  expect(all("SELECT * FROM sync_state WHERE name='reviews'")).toEqual([]);
  expect(all('SELECT is_duplicate, marked_id, event_id FROM judged_pairs')).toEqual([[1, null, null]]);
});
