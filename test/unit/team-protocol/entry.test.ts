import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCertificateBody, writeCertificateBody } from '../../../src/team-protocol/certificate.ts';
import { firstChainHash, nextChainHash } from '../../../src/team-protocol/chain.ts';
import { createClaimTags, splitTags, writeTags } from '../../../src/team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../../src/team-protocol/commitment.ts';
import {
  computerIdOf,
  type EntryHeader,
  maxOpenedBytes,
  maxSealedBytes,
  readHeader,
  writeHeader,
} from '../../../src/team-protocol/entry.ts';
import { generationOf, makeSalt, open, seal } from '../../../src/team-protocol/seal.ts';
import { isSignedBy, readSigningKey, toSignedBytes } from '../../../src/team-protocol/sign-entry.ts';
import vectors from '../../fixtures/team-protocol-2.json' with { type: 'json' };
import { seedFrom, testBytes } from '../../support/seeds.ts';

// `vectors`: version 2 of the protocol. These texts and bytes are read as long as that version is.
const salt = Buffer.from(vectors.salt, 'hex');
const key = {
  generation: vectors.teamKey.generation as number,
  key: Buffer.from(vectors.teamKey.key, 'hex'),
};
const place = { team: vectors.team as string, entryId: vectors.id as string, part: headPart };
const header = readHeader(vectors.header) as EntryHeader;

describe('the texts and bytes of version 2', () => {
  test('a header is written to the byte, signed by Ed25519, and identified by its computer', async () => {
    const publicKey = Buffer.from(vectors.signingKey.publicKey, 'hex');
    const pkcs8 = `302e020100300506032b657004220420${vectors.signingKey.seed}`;
    const own = createPrivateKey({ key: Buffer.from(pkcs8, 'hex'), format: 'der', type: 'pkcs8' });
    const signature = Buffer.from(vectors.signature, 'hex');
    expect(writeHeader(header)).toBe(vectors.header);
    expect(computerIdOf(publicKey)).toBe(header.computer);
    expect(createPublicKey(own).export({ format: 'jwk' }).x).toBe(publicKey.toString('base64url'));
    expect(sign(null, Buffer.from(`claimdesk entry\n${vectors.header}`), own)).toEqual(signature);
    expect(await isSignedBy(vectors.header, signature, readSigningKey(publicKey))).toBe(true);
    expect(await isSignedBy(`${vectors.header} `, signature, readSigningKey(publicKey))).toBe(false);
    expect(toSignedBytes('x').toString()).toBe('claimdesk entry\nx');
  });

  test('a commitment is a tree of SHA-256 over lines, with a salt for each', () => {
    const digest = (...bytes: (Buffer | string)[]): Buffer => {
      const made = createHash('sha256');
      for (const one of bytes) made.update(one);
      return made.digest();
    };
    const hex = (text: string): Buffer => Buffer.from(text, 'hex');
    const below = (from: Buffer, side: string): Buffer => digest(hex(`02${side}`), from).subarray(0, 16);
    const pair = (one: Buffer, other: Buffer): Buffer => digest(hex('01'), one, other);
    const line = (of: Buffer, text = ''): Buffer => digest(hex('00'), of, text);
    const root = (number: string): Buffer => digest(hex(`03${number}`), salt).subarray(0, 16);
    const [fields, filter] = vectors.head.split('\n');
    const head = root('ffffffff');
    expect(header.head).toBe(
      pair(line(below(head, '00'), fields), line(below(head, '01'), filter)).toString('base64url'),
    );
    const [first, second, third] = vectors.part.split('\n');
    const part = root('00000000');
    const left = below(part, '00');
    const two = pair(line(below(left, '00'), first), line(below(left, '01'), second));
    const all = pair(two, line(below(part, '01'), third));
    expect(header.parts).toEqual([[3, all.toString('base64url')]]);
  });

  test('a tag is an HMAC of a claim with a key derived from the first team key', () => {
    const tagOf = createClaimTags(Buffer.from(vectors.firstKey, 'hex'), vectors.team);
    const key = Buffer.from(
      hkdfSync(
        'sha256',
        Buffer.from(vectors.firstKey, 'hex'),
        Buffer.from(vectors.team, 'base64url'),
        'claimdesk claim tags',
        32,
      ),
    );
    const tag = createHmac('sha256', key).update('claim 1000001').digest('base64url').slice(0, 16);
    expect(tagOf(1_000_001)).toBe(tag);
    expect(splitTags(header.tags ?? '')).toEqual([1_000_001, 1_000_002, 1_000_003].map(tagOf).sort());
    expect(writeTags([5, 5], tagOf)).toBe(tagOf(5));
    expect(
      writeTags(
        Array.from({ length: 100 }, (_none, id) => id),
        tagOf,
      ),
    ).toHaveLength(1_600);
    expect(
      writeTags(
        Array.from({ length: 101 }, (_none, id) => id),
        tagOf,
      ),
    ).toBeNull();
  });

  test('head and part can be opened, and so can what is sealed now', () => {
    for (const [sealed, text, part, commitment] of [
      [vectors.sealedHead, vectors.head, headPart, header.head],
      [vectors.sealedPart, vectors.part, 0, header.parts[0]?.[1] ?? ''],
    ] as const) {
      const bytes = Buffer.from(sealed, 'base64');
      expect(open(bytes, { ...place, part }, key, commitment)).toEqual({ text, salt });
      const again = seal({ text, salt }, { ...place, part }, key);
      expect(again).not.toEqual(bytes);
      expect(open(again, { ...place, part }, key, commitment)).toEqual({ text, salt });
      expect(generationOf(again)).toBe(3);
    }
  });

  test('the chain continues over number, header and signature', () => {
    const { first, number, after } = vectors.chain;
    const entry = { header: vectors.header as string, signature: Buffer.from(vectors.signature, 'hex') };
    expect(firstChainHash).toBe(first);
    expect(nextChainHash(first, number, entry)).toBe(after);
    expect(nextChainHash(first, number + 1, entry)).not.toBe(after);
    expect(nextChainHash(after, number, entry)).not.toBe(after);
  });

  test('the body of a certificate is written to the byte', () => {
    const body = readCertificateBody(vectors.certificateBody);
    expect(body).toMatchObject({ email: 'ana@example.com', team: vectors.team });
    expect(body === null ? null : writeCertificateBody(body)).toBe(vectors.certificateBody);
  });
});

test('a header in any other form is invalid', () => {
  const of = (change: Record<string, unknown>): string => JSON.stringify({ ...header, ...change });
  for (const text of [
    `${vectors.header} `,
    of({ protocol: 1 }),
    of({ more: 1 }),
    of({ id: 'a b' }),
    of({ id: '' }),
    of({ computer: `${header.computer.slice(0, -1)}=` }),
    // Base64url of 32 bytes ends in bits that are not used and have to be zero.
    of({ head: `${header.head.slice(0, -1)}_` }),
    of({ at: '2026-11-24T09:30:00Z' }),
    of({ at: '2026-13-24T09:30:00.123Z' }),
    of({ at: '+010000-01-01T00:00:00.000Z' }),
    of({ tags: 'short' }),
    of({ tags: 'a'.repeat(1_616) }),
    of({ seen: { number: 0, hash: header.head } }),
    of({ seen: { number: 2 ** 60, hash: header.head } }),
    of({ parts: [[2_501, header.head]] }),
    of({ parts: [[0, header.head]] }),
    of({ parts: Array.from({ length: 4_001 }, () => [1, header.head]) }),
    `{"id":"${header.id}",${vectors.header.slice(1)}`,
    'null',
    '',
    '{'.repeat(100_000),
  ])
    expect(readHeader(text)).toBeNull();
  expect(readHeader(of({}))).toEqual(header);
  // The largest: as many parts as an entry can have.
  const parts = Array.from({ length: 4_000 }, () => [2_500, header.head]);
  expect(readHeader(of({ parts }))).not.toBeNull();
});

test('sealed content opens only in its place, with its key, and for its commitment', () => {
  const sealed = Buffer.from(vectors.sealedPart, 'base64');
  const [, commitment = ''] = header.parts[0] ?? [];
  const at = { ...place, part: 0 };
  expect(open(sealed, at, key, commitment)).not.toBeNull();
  expect(open(sealed, { ...at, part: 1 }, key, commitment)).toBeNull();
  expect(open(sealed, { ...at, entryId: 'another' }, key, commitment)).toBeNull();
  expect(open(sealed, { ...at, team: null }, key, commitment)).toBeNull();
  expect(open(sealed, at, { ...key, generation: 4 }, commitment)).toBeNull();
  expect(open(sealed, at, { ...key, key: testBytes(32) }, commitment)).toBeNull();
  expect(open(sealed, at, key, header.head)).toBeNull();
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (byte, mask) => {
      const changed = Buffer.from(sealed);
      changed[byte] = (changed[byte] ?? 0) ^ mask;
      return open(changed, at, key, commitment) === null;
    }),
    { numRuns: 300, seed: seedFrom(3) },
  );
  for (let length = 0; length < sealed.length; length += 1)
    expect(open(sealed.subarray(0, length), at, key, commitment)).toBeNull();
});

test('the bytes of a key are read once, not for each event that is sealed or opened', () => {
  const bytes = Uint8Array.from(testBytes(32, 7));
  const kept = { generation: 1, key: bytes };
  const copy = { generation: 1, key: Uint8Array.from(bytes) };
  const content = { text: 'one', salt: makeSalt() };
  const commitment = commitTo(content, headPart);
  const sealed = seal(content, place, kept);
  // A second read of the key's bytes would find others.
  bytes.fill(0);
  expect(open(sealed, place, kept, commitment)?.text).toBe('one');
  expect(open(seal(content, place, kept), place, copy, commitment)?.text).toBe('one');
});

test('what would inflate beyond the limit, or is longer than allowed, is not opened', () => {
  const text = ' '.repeat(maxOpenedBytes + 1);
  const small = makeSalt();
  const sealed = seal({ text, salt: small }, place, key);
  expect(sealed.length).toBeLessThan(100_000);
  expect(open(sealed, place, key, commitTo({ text, salt: small }, headPart))).toBeNull();
  expect(generationOf(Buffer.alloc(maxSealedBytes + 1))).toBeNull();
});

test('any text is opened as it was sealed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(3_999), (text, part) => {
      const content = { text, salt: makeSalt() };
      const at = { ...place, part };
      expect(open(seal(content, at, key), at, key, commitTo(content, part))).toEqual(content);
    }),
    { numRuns: 200, seed: seedFrom(4) },
  );
});
