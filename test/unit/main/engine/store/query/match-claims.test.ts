import { expect, test } from 'vitest';
import { candidateSql } from '../../../../../../src/main/engine/store/query/match-claims.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

test.each(Object.entries(candidateSql))(
  'claims are found by their %s from an index alone',
  (kind, { sql }) => {
    const { readerConnection } = openTestStore();
    const plan = readerConnection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('[]') as { detail: string }[];
    const [values, claims, ...others] = plan.map(({ detail }) => detail);
    expect(others).toEqual([]);
    expect(values).toMatch(/^SCAN v VIRTUAL TABLE/);
    expect(claims).toMatch(
      kind === 'ids' ? /^SEARCH c USING INTEGER PRIMARY KEY/ : /^SEARCH c USING COVERING INDEX claims_by_/,
    );
  },
);

test('a receipt finds its claim by patient, day and amount; a number alone finds it, with or without a suffix', () => {
  const store = openTestStore();
  const of = (id: number, patient: string, day: string, billed: number, number: string | null) => ({
    id,
    patient_name: patient,
    vendor_system_id: number,
    service_provider: 'Corner Pharmacy',
    amount_billed: billed,
    patient_responsibility: 12.5,
    date_of_service: { start: day, end: day, bounds: '[]' },
  });
  store.ingest('claims', [
    of(400_001, 'POWELL, ERIC', '2025-10-28', 48.2, 'C000097632-01'),
    of(400_002, 'Powell, Eric', '2025-10-28', 99, null),
    of(400_003, 'Ann Lee', '2025-10-28', 48.2, 'C000000002'),
    of(400_004, 'Ann Lee', '2025-11-01', 7, ''),
  ]);
  const match = (text: string) => store.read.matchDocument({ text });
  expect(match('Corner Pharmacy\nEric Powell\n10/28/2025\nTotal $48.20')).toEqual([
    { claimId: 400_001, isByNumber: false, says: 'Patient, day, $48.20, provider agree' },
    { claimId: 400_002, isByNumber: false, says: 'Patient, day, provider agree; amount differs' },
    { claimId: 400_003, isByNumber: false, says: 'Day, $48.20, provider agree; patient differs' },
  ]);
  expect(match('Paid by Lee Ann on 10/28/2025: 12.50')[0]).toMatchObject({ claimId: 400_003 });
  for (const text of ['your claim C000097632', 'c000097632-01', 'claim ID 400001'])
    expect(match(text)).toEqual([{ claimId: 400_001, isByNumber: true, says: 'Claim number agrees' }]);
  expect(match('Nothing of ours')).toEqual([]);
});
