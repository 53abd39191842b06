import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyTypes } from '../../../../src/contract/ssh-keys.ts';
import {
  type FileDigests,
  readFileSignature,
  signFileDigest,
} from '../../../../src/main/keys/file-signature.ts';
import { generatePrivateJwk } from '../../../../src/main/keys/generate-key.ts';
import { readKeyFacts } from '../../../../src/main/keys/key-facts.ts';
import type { PrivateJwk } from '../../../../src/main/keys/private-jwk.ts';
import { seedFrom } from '../../../support/seeds.ts';

const { message, signatures } = JSON.parse(
  readFileSync(new URL('../../../fixtures/ssh-signatures.json', import.meta.url), 'utf8'),
) as {
  message: string;
  signatures: {
    type: string;
    hash: string;
    namespace: string;
    fingerprint: string;
    privateJwk?: PrivateJwk;
    text: string;
  }[];
};

const digestsOf = (text: string): FileDigests => ({
  sha256: createHash('sha256').update(text).digest(),
  sha512: createHash('sha512').update(text).digest(),
});

describe('signatures that ssh-keygen made', () => {
  test.each(signatures.filter(({ privateJwk }) => privateJwk !== undefined))(
    'by $type are made the same to the byte',
    ({ privateJwk, text }) => {
      expect(signFileDigest(privateJwk as PrivateJwk, digestsOf(message).sha512)).toBe(text);
    },
  );

  test.each(signatures.filter(({ namespace }) => namespace === 'file'))(
    'by $type with $hash hold of their file alone',
    ({ fingerprint, text }) => {
      const read = readFileSignature(text);
      expect(read?.fingerprint).toBe(fingerprint);
      expect(read?.isOf(digestsOf(message))).toBe(true);
      expect(read?.isOf(digestsOf(`${message} `))).toBe(false);
    },
  );

  test('are not valid for anything but files', () => {
    const other = signatures.find(({ namespace }) => namespace === 'git');
    expect(readFileSignature(other?.text ?? '')).toBeNull();
  });

  test('no changed character leaves a valid signature', () => {
    const { text } = signatures.find(({ type }) => type === 'ecdsa-256') as { text: string };
    const lines = text.trim().split('\n');
    const body = lines.slice(1, -1).join('');
    const bits = Buffer.from(body, 'base64');
    fc.assert(
      fc.property(fc.nat(bits.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = Buffer.from(bits);
        changed[at] = (changed[at] ?? 0) ^ mask;
        const read = readFileSignature([lines[0], changed.toString('base64'), lines.at(-1), ''].join('\n'));
        expect(read?.isOf(digestsOf(message)) ?? false).toBe(false);
      }),
      { numRuns: 300, seed: seedFrom(3) },
    );
  });
});

test.each(keyTypes)('a signature by a key of type %s is read back', async (type) => {
  const jwk = await generatePrivateJwk(type);
  const text = signFileDigest(jwk, digestsOf(message).sha512);
  const read = readFileSignature(text);
  expect(read?.fingerprint).toBe(readKeyFacts(jwk, '').fingerprint);
  expect(read?.isOf(digestsOf(message))).toBe(true);
  expect(read?.isOf(digestsOf('another file'))).toBe(false);
});

test.each(['', 'nothing', '{}', '-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n'])(
  '%j is not a signature',
  (text) => {
    expect(readFileSignature(text)).toBeNull();
  },
);
