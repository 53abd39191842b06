import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ReviewedValues,
  readReviewedValues,
} from '../../../../../../src/rules/review/reviewed-values.ts';
import { anyClaim, readJson } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

test('values read from the columns equal those of the whole record, whatever a service sends', () => {
  const store = openTestStore();
  fc.assert(
    fc.property(fc.array(anyClaim, { minLength: 1, maxLength: 3 }), (records) => {
      const claims = records.map((record, index) => ({ ...record, id: index + 1 }));
      store.ingest('claims', JSON.stringify({ data: claims }));
      const claimIds = claims.map(({ id }) => id);
      const whole = store.texts('claims', claimIds).map((text) => readJson(text as string) as object);
      const read = store.read.readReviewedClaims({ claimIds });
      expect(read.map(({ reviewed }) => JSON.parse(reviewed) as unknown)).toEqual(
        whole.map((record) => {
          const sent = record as { modifieddate?: unknown; uuid?: unknown };
          // A text with half a surrogate pair is no date and no ID.
          const keep = (value: unknown) => (typeof value === 'string' && value.isWellFormed() ? value : null);
          const kept = { modified: keep(sent.modifieddate), readAt: null, uuid: keep(sent.uuid) };
          return JSON.parse(
            JSON.stringify({ ...readReviewedValues(record, false), record: kept }),
          ) as unknown;
        }),
      );
    }),
    { numRuns: fuzzRuns(20), examples: [[[{ id: 1, modifieddate: 'x\udfff' }]]] },
  );
});

test.each([
  [{ date_of_service: null }, null],
  [{}, null],
  [{ date_of_service: { start: null, end: null, bounds: null } }, '{"start":null,"end":null,"bounds":null}'],
  [{ date_of_service: 'in May' }, 'in May'],
  [{ date_of_service: { start: '2026-05-01', end: '2026-05-03', bounds: '[)' } }, '2026-05-01/2026-05-02'],
])('days of service %j are stored as they are shown', (sent, shown) => {
  const store = openTestStore();
  store.ingest('claims', [{ id: 1, status: 'Paid', ...sent }]);
  const [read] = store.read.readReviewedClaims({ claimIds: [1, 2] });
  const { fields } = JSON.parse(read?.reviewed ?? '') as { fields: Record<string, unknown> };
  expect(fields.date_of_service ?? null).toBe(shown);
});

test('they include which record they are from: its last change, and up to when it was read', () => {
  const store = openTestStore();
  const recordOf = (claimId: number) => {
    const [read] = store.read.readReviewedClaims({ claimIds: [claimId] });
    return (JSON.parse(read?.reviewed ?? '') as ReviewedValues).record;
  };
  const claims = [1, 2, 3].map((id) => ({
    id,
    uuid: `claim-${id}`,
    modifieddate: `2026-05-0${id}T10:00:00.123456Z`,
    amount_paid: 1,
  }));
  const inPass = { isPartOfPass: true, pass: 1, readAt: '2026-05-09T10:00:00.000Z' };
  store.ingest('claims', claims, inPass);
  expect(recordOf(1)).toEqual({
    modified: '2026-05-01T10:00:00.123456Z',
    readAt: null,
    uuid: 'claim-1',
  });
  store.write.markClaimsRead('2026-05-09T10:30:00.000Z');
  expect(recordOf(1)?.readAt).toBe('2026-05-09T10:30:00.000Z');

  // The next sync has read some of them; a claim that is as it was counts as read with its end.
  const changed = claims.map((claim) => (claim.id === 2 ? { ...claim, amount_paid: 2 } : claim));
  store.ingest('claims', changed, { ...inPass, pass: 2, readAt: '2026-05-10T10:00:00.000Z' });
  expect([1, 2].map((id) => recordOf(id)?.readAt)).toEqual([
    '2026-05-09T10:30:00.000Z',
    '2026-05-10T10:00:00.000Z',
  ]);
  // One claim that is read by itself counts as read, whether it changed or not.
  store.ingest('claims', claims.slice(2), { isPartOfPass: false, readAt: '2026-05-11T10:00:00.000Z' });
  expect(recordOf(3)?.readAt).toBe('2026-05-11T10:00:00.000Z');
  store.write.markClaimsRead('2026-05-12T10:30:00.000Z');
  expect([1, 2, 3].map((id) => recordOf(id)?.readAt)).toEqual(Array(3).fill('2026-05-12T10:30:00.000Z'));
});
