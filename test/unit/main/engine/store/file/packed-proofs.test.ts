import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  certificateOf,
  type EventProof,
  packProof,
  toStored,
  unpackProof,
} from '../../../../../../src/main/engine/store/file/packed-proofs.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const bytesOf = (length: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => Buffer.from(bytes).toString('base64url'));
const anyProof: fc.Arbitrary<EventProof> = fc.record({
  certificate: bytesOf(32).map((text) => text.slice(0, 22)),
  at: fc
    .date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  seen: fc.option(
    fc.record({ number: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), hash: bytesOf(32) }),
  ),
  tags: fc.oneof(
    fc.constant(null),
    fc.array(bytesOf(12), { maxLength: 100 }).map((tags) => tags.join('')),
  ),
  // None where content was removed for the team.
  salt: fc.oneof(bytesOf(16), fc.constant('')),
  signature: bytesOf(64),
});

test('a proof is unpacked unchanged, from bytes and from a journal', () => {
  fc.assert(
    fc.property(anyProof, (proof) => {
      const packed = packProof(proof);
      expect(unpackProof(structuredClone(packed))).toEqual(proof);
      expect(certificateOf(packed)).toBe(proof.certificate);
      for (const kept of [packed, packed.toString('base64')]) expect(toStored(kept)).toEqual(packed);
    }),
    { numRuns: fuzzRuns(200) },
  );
});

test('a proof of version 2 can always be read', () => {
  const packed = Buffer.concat([
    Buffer.from('02', 'hex'),
    Buffer.from('01953b1d2345', 'hex'),
    Buffer.alloc(64, 1),
    Buffer.from('cQKf4DZigFP3v5uF0drQx8'),
    Buffer.from('0000000000000007', 'hex'),
    Buffer.alloc(32, 2),
    Buffer.from('00', 'hex'),
    Buffer.alloc(16, 3),
  ]);
  expect(unpackProof(packed)).toEqual({
    certificate: 'cQKf4DZigFP3v5uF0drQx8',
    at: '2025-02-25T03:18:40.197Z',
    seen: { number: 7, hash: Buffer.alloc(32, 2).toString('base64url') },
    tags: '',
    salt: Buffer.alloc(16, 3).toString('base64url'),
    signature: Buffer.alloc(64, 1).toString('base64url'),
  });
});
