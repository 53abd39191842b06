import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSsnHash } from '../../../../../../src/main/engine/store/record/ssn-hash.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

test('the hash of an SSN is the HMAC of Node, by which existing files find it', () => {
  const digits = fc.integer({ min: 0, max: 999_999_999 }).map((number) => String(number).padStart(9, '0'));
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(key, fc.array(digits), (databaseKey, all) => {
      const derived = createHmac('sha256', databaseKey).update('claimdesk/ssn-search/1').digest();
      const hash = createSsnHash(databaseKey);
      const found = all.map((one) => hash(`${one.slice(0, 3)}-${one.slice(3, 5)}-${one.slice(5)}`));
      const expected = all.map((one) => createHmac('sha256', derived).update(one).digest().subarray(0, 16));
      expect(found).toEqual(expected);
    }),
    { numRuns: fuzzRuns(100) },
  );
});
