import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../../src/main/engine/store/record/json.ts';
import { maskRecord, maskSsn } from '../../../../../../src/main/engine/store/record/mask.ts';
import { anyJson, anyMember, readJson } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

test.each([
  ['123-45-6789', '***-**-6789'],
  ['123456789', '***-**-6789'],
  ['123 45 6789', '***-**-6789'],
  ['6789', '***'],
  ['123-45-67890', '***'],
  ['', '***'],
  ['unknown', '***'],
])('%j is shown as %s', (value, expected) => {
  expect(maskSsn(value)).toBe(expected);
});

test('no SSN can be read at whatever depth, and null stays null', () => {
  const record = readJson(
    '{"ssn":"123-45-6789","SSN":123456789,"dependents":[{"ssn":"987-65-4321"},{"ssn":null}],' +
      '"x":{"social_security_number":["111-22-3333"],"Ssn":{"full":"111-22-3333"},"ssn":98765432109876543210}}',
  ) as JsonObject;
  expect(maskRecord(record)).toEqual({
    ssn: '***-**-6789',
    SSN: '***',
    dependents: [{ ssn: '***-**-4321' }, { ssn: null }],
    x: { social_security_number: '***', Ssn: '***', ssn: '***' },
  });
});

test('nothing but SSNs is touched, and the record that was given stays as it is', () => {
  fc.assert(
    fc.property(anyMember, (record) => {
      const before = JSON.stringify(record);
      const masked = maskRecord(record);
      expect(JSON.stringify(record)).toBe(before);
      const without = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value), (key, inner) => (key.toLowerCase() === 'ssn' ? undefined : inner));
      expect(without(masked)).toEqual(without(record));
    }),
    { numRuns: fuzzRuns(200) },
  );
});

test('a field named __proto__ is kept', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const record = JSON.parse(
        `{"id":1,"__proto__":${JSON.stringify(value)},"x":{"__proto__":1}}`,
      ) as JsonObject;
      expect(JSON.stringify(maskRecord(record))).toBe(JSON.stringify(record));
    }),
    { numRuns: fuzzRuns(50) },
  );
});
