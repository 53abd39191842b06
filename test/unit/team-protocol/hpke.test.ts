import { createDecipheriv, createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { describe, expect, test } from 'vitest';
import { deriveKeys, publicBytesOf } from '../../../src/team-protocol/derive-keys.ts';
import { openGrant, openSealed, scheduleKey, sealGrant, sealTo } from '../../../src/team-protocol/grant.ts';
import { testBytes } from '../../support/seeds.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const keyOf = (secret: Buffer) =>
  createPrivateKey({
    key: Buffer.concat([hex('302e020100300506032b656e04220420'), secret]),
    format: 'der',
    type: 'pkcs8',
  });
const publicKeyOf = (key: ReturnType<typeof keyOf>) => Buffer.from(publicBytesOf(key), 'base64url');

/** The CFRG's vector of RFC 9180 for mode 0, KEM 32, KDF 1 and AEAD 2, with its first message. */
const vector = {
  info: hex('4f6465206f6e2061204772656369616e2055726e'),
  receiver: keyOf(hex('497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d')),
  sender: keyOf(hex('179d4b53b6365c45b600c4163b61d95cbc2f4d9e36f1695558dce265ab8bab11')),
  receiverPublic: hex('430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c'),
  enc: hex('6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256'),
  aad: hex('436f756e742d30'),
  ciphertext: hex(
    'e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a',
  ),
  text: hex('4265617574792069732074727574682c20747275746820626561757479'),
};

const own = deriveKeys(testBytes(32, 1)).sealing;
const other = deriveKeys(testBytes(32, 2)).sealing;
const info = Buffer.from('context');
const text = testBytes(32, 3);

describe('sealing for a key', () => {
  test('the published vector has the key and nonce that both sides derive', () => {
    const { receiver, sender, enc, ciphertext } = vector;
    expect(publicKeyOf(receiver)).toEqual(vector.receiverPublic);
    for (const [privateKey, publicKey] of [
      [receiver, createPublicKey(sender)],
      [sender, createPublicKey(receiver)],
    ] as const) {
      const shared = diffieHellman({ privateKey, publicKey });
      const { key, nonce } = scheduleKey(shared, enc, vector.receiverPublic, vector.info);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce);
      decipher.setAAD(vector.aad);
      decipher.setAuthTag(ciphertext.subarray(-16));
      expect(decipher.update(ciphertext.subarray(0, -16))).toEqual(vector.text);
      decipher.final();
    }
  });

  test('another implementation opens what is sealed here, and the reverse', async () => {
    const kem = new DhkemX25519HkdfSha256();
    const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
    const toBuffer = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
    const recipientKey = await kem.deserializePrivateKey(
      toBuffer(Buffer.from(own.export({ format: 'jwk' }).d ?? '', 'base64url')),
    );
    const recipientPublicKey = await kem.deserializePublicKey(toBuffer(publicKeyOf(own)));
    for (const one of [text, Buffer.alloc(0)]) {
      const sealed = sealTo(publicKeyOf(own), info, one);
      const [enc, rest] = [toBuffer(sealed.subarray(0, 32)), toBuffer(sealed.subarray(32))];
      const opened = await suite.open({ recipientKey, enc, info: toBuffer(info) }, rest);
      expect(Buffer.from(opened)).toEqual(one);

      const received = await suite.seal({ recipientPublicKey, info: toBuffer(info) }, toBuffer(one));
      const bytes = Buffer.concat([Buffer.from(received.enc), Buffer.from(received.ct)]);
      expect(openSealed(own, bytes, info)).toEqual(one);
    }
  });

  test('each time it is sealed differently, and opened only with that key, context and bytes', () => {
    const sealed = sealTo(publicKeyOf(own), info, text);
    expect(sealed).toHaveLength(32 + 32 + 16);
    expect(sealTo(publicKeyOf(own), info, text)).not.toEqual(sealed);
    expect(openSealed(own, sealed, info)).toEqual(text);
    expect(openSealed(other, sealed, info)).toBeNull();
    expect(openSealed(own, sealed, Buffer.from('contexT'))).toBeNull();
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(openSealed(own, changed, info)).toBeNull();
      expect(openSealed(own, sealed.subarray(0, at), info)).toBeNull();
    }
  });

  // Points of small order (RFC 7748, section 6.1): with them any private key gives a shared secret of zeros.
  test.each([
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ])('a public key of small order is refused: %s', (point) => {
    expect(() => sealTo(hex(point), info, text)).toThrow();
    expect(openSealed(own, Buffer.concat([hex(point), testBytes(48)]), info)).toBeNull();
  });

  test('a key of another length is refused', () => {
    for (const length of [0, 31, 33]) expect(() => sealTo(testBytes(length), info, text)).toThrow();
  });
});

describe('a grant', () => {
  const position = { team: 'ZGVmZ2hpamtsbW5vcHFycw', generation: 2, computer: 'a' };

  test('gives the team key to one computer, for one team and generation', () => {
    const grant = sealGrant({ ...position, key: text, sealingKey: publicBytesOf(own) });
    expect(grant).toMatch(/^[\w-]{107}$/);
    expect(openGrant(own, position, grant)).toEqual(text);
    expect(openGrant(other, position, grant)).toBeNull();
    for (const changed of [{ team: 'b' }, { generation: 3 }, { computer: 'b' }])
      expect(openGrant(own, { ...position, ...changed }, grant)).toBeNull();
    for (const broken of ['', 'x', grant.slice(0, -4), `${grant}AAAA`])
      expect(openGrant(own, position, broken)).toBeNull();
  });

  test('with a key of another length is not opened', () => {
    const grant = sealGrant({ ...position, key: testBytes(31), sealingKey: publicBytesOf(own) });
    expect(openGrant(own, position, grant)).toBeNull();
  });
});
