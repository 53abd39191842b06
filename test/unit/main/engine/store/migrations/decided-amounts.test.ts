import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { readReviewPosition } from '../../../../../../src/main/engine/store/record/claim-reviews.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import { worklistIds } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { openStoreAt } from '../../../../../support/engine-store.ts';
import { testBytes } from '../../../../../support/seeds.ts';
import { makeTempFolder } from '../../../../../support/temp-folder.ts';
import { updateStore, usualRules } from '../../../../../support/update-store.ts';

test('reviews, facts and worklists of an older file are computed again, with current amounts', () => {
  const folder = makeTempFolder();
  const [path, key] = [join(folder, 'records.db'), testBytes(32)];
  const old = openRecords(path, key);
  migrate(old, 'records', { target: 15 });
  old.exec(`
    INSERT INTO sync_state (name, value) VALUES ('reviews', '{"seq":1,"id":"e","today":"2026-11-20"}'), ('reviewsFrom', '2025-01-01'),
      ('worklists.settled', '{"day":"2026-11-20","rules":"of then"}');
    INSERT INTO claim_reviews (claim_id, state, outcome, reimbursed) VALUES (1, 'done', 'partlyEligible', 50000);
    INSERT INTO claim_facts (id, plan_year, eligible, open) VALUES (1, '2026', 300000, 250000);
    INSERT INTO claim_worklists (worklist, rank, id, patient_responsibility) VALUES (2, 250000, 1, 300000);
    DELETE FROM outdated_claims;`);
  old.close();

  const store = openStoreAt(path, key);
  expect(readReviewPosition(store.database)).toEqual({ mark: null, from: '2025-01-01', on: null });
  const noCounts = worklistIds.map((id) => expect.objectContaining({ id, claims: 0, amount: 0 }));
  expect(store.read.readWorklistCounts({}).worklists).toEqual(noCounts);
  const wanted = { ...usualRules, today: '2026-11-20' };
  expect(store.read.areFactsCurrent(wanted)).toBe(false);

  store.ingest('claims', [
    {
      ...{ id: 1, status: 'Processed', is_incomplete: false, patient_name: 'Pat Edwards' },
      ...{ service_provider: 'Lakeside Clinic', patient_responsibility: 30, amount_not_covered: 4 },
      date_of_service: { bounds: '[]', start: '2026-03-02', end: '2026-03-02' },
      claim_medical_lines: [{ id: 10, procedure_code: 'G0439' }],
    },
  ]);
  updateStore(store, '2026-11-20');
  const fields = [
    'review.outcome',
    'review.cause',
    'facts.eligible_by_rules',
    'facts.eligible',
    'facts.declined',
    'facts.open',
  ];
  const [row] = store.read.readRows({ entity: 'claims', keys: [1], fields });
  // Version 0.2 kept no amount of partly eligible: what the rules give stays eligible.
  expect(fields.map((field) => row?.[field])).toEqual(['partlyEligible', null, 260_000, 260_000, 0, 210_000]);
  expect(store.read.readWorklistCounts({}).worklists).toContainEqual({
    ...{ id: 'toPay', claims: 1, amount: 210_000, amountLabel: 'Open', notKnown: 0 },
  });
  store.database.exec('DELETE FROM claim_worklists');
  expect(store.read.readWorklistCounts({}).worklists).toEqual(noCounts);
});
