import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import {
  buildDeferredIndexes,
  deferClaimIndexes,
} from '../../../../../../src/main/engine/store/sync/deferred-indexes.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { testBytes } from '../../../../../support/seeds.ts';

test.each([false, true])(
  'no index of line IDs stays, also where it is still to be built (%s)',
  (isDeferred) => {
    const folder = mkdtempSync(join(tmpdir(), 'claimdesk-migration-'));
    const connection = openRecords(join(folder, 'records.db'), testBytes(32));
    onTestFinished(() => {
      connection.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const ofLines = () =>
      connection
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type='index' AND tbl_name='claim_lines' AND sql IS NOT NULL",
        )
        .pluck()
        .all();
    const ofClaims = (of: typeof connection) =>
      of.prepare("SELECT count(*) FROM sqlite_schema WHERE type='index' AND tbl_name='claims'").pluck().get();
    migrate(connection, 'records', { target: 12 });
    expect(ofLines()).toEqual(['claim_lines_by_id']);
    if (isDeferred) deferClaimIndexes(connection);
    migrate(connection);
    buildDeferredIndexes(connection);
    expect(ofLines()).toEqual([]);
    expect(ofClaims(connection)).toBe(ofClaims(openTestStore().connection));
  },
);
