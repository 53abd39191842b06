import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMac } from '../../../src/team-protocol/claim-tags.ts';

it('makes the tags of claims by HMAC-SHA-256, as Node computes it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ unit: 'binary' }), (key, text) => {
      expect(createMac(key)(text).equals(createHmac('sha256', key).update(text).digest())).toBe(true);
    }),
  );
});
