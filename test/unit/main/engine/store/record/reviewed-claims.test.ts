import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReviewedValues } from '../../../../../../src/contract/reviewed-values.ts';
import { anyClaim, readJson } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

test('values read from the columns are those of the whole record, whatever a service sends', () => {
  const store = openTestStore();
  fc.assert(
    fc.property(fc.array(anyClaim, { minLength: 1, maxLength: 3 }), (records) => {
      const claims = records.map((record, index) => ({ ...record, id: index + 1 }));
      store.ingest('claims', JSON.stringify({ data: claims }));
      const claimIds = claims.map(({ id }) => id);
      const whole = store.texts('claims', claimIds).map((text) => readJson(text as string) as object);
      const read = store.read.readReviewedClaims({ claimIds });
      expect(read.map(({ reviewed }) => JSON.parse(reviewed) as unknown)).toEqual(
        whole.map((record) => JSON.parse(JSON.stringify(readReviewedValues(record, false))) as unknown),
      );
    }),
    { numRuns: fuzzRuns(20) },
  );
});

test.each([
  [{ date_of_service: null }, null],
  [{}, null],
  [{ date_of_service: { start: null, end: null, bounds: null } }, '{"start":null,"end":null,"bounds":null}'],
  [{ date_of_service: 'in May' }, 'in May'],
  [{ date_of_service: { start: '2026-05-01', end: '2026-05-03', bounds: '[)' } }, '2026-05-01/2026-05-02'],
])('days of service %j are kept as they are shown', (sent, shown) => {
  const store = openTestStore();
  store.ingest('claims', [{ id: 1, status: 'Paid', ...sent }]);
  const [read] = store.read.readReviewedClaims({ claimIds: [1, 2] });
  const { fields } = JSON.parse(read?.reviewed ?? '') as { fields: Record<string, unknown> };
  expect(fields.date_of_service ?? null).toBe(shown);
});
