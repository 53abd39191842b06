import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readKeyFacts } from '../../../src/main/keys/key-facts.ts';
import { createKeyWorker } from '../../../src/main/keys/key-worker.ts';
import {
  convertBySshKeygen,
  copyOpenSshKey,
  fixturePassphrase,
  makeOpenSshKey,
  makePuttyKey,
  opensslPass,
  readFingerprintLine,
  runOpenSsl,
} from '../../support/key-fixtures.ts';

const worker = createKeyWorker();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-import-'));
});
afterAll(async () => {
  await worker.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const importFile = (path: string, passphrase: string | null = null) =>
  worker.importKey(readFileSync(path), passphrase);
const codeOf = (path: string, passphrase: string | null = null) =>
  importFile(path, passphrase).then(
    () => 'imported',
    (error: { code?: string }) => error.code,
  );

const sshKeys = [
  { name: 'ed25519', type: 'ed25519' },
  { name: 'rsa-2048', type: 'rsa', bits: 2048 },
  { name: 'rsa-4096', type: 'rsa', bits: 4096 },
  { name: 'ecdsa-256', type: 'ecdsa', bits: 256 },
  { name: 'ecdsa-384', type: 'ecdsa', bits: 384 },
  { name: 'ecdsa-521', type: 'ecdsa', bits: 521 },
] as const;

/** One key of each type, made once: RSA takes its seconds. What a test needs is written anew from it. */
const sources = new Map<string, string>();
function sourceOf(name: (typeof sshKeys)[number]['name']): string {
  const { name: _name, ...input } = sshKeys.find((key) => key.name === name) ?? sshKeys[0];
  const path = sources.get(name) ?? makeOpenSshKey(folder, `${name}-source`, input);
  sources.set(name, path);
  return path;
}
const fingerprintLines = new Map<string, string>();
function fingerprintLineOf(publicPath: string): string {
  const publicText = readFileSync(publicPath, 'utf8');
  const line = fingerprintLines.get(publicText) ?? readFingerprintLine(publicPath);
  fingerprintLines.set(publicText, line);
  return line;
}

/** The key that was imported is the one that ssh-keygen made: fingerprint and public line agree. */
async function expectSameKey(path: string, publicPath: string, passphrase: string | null): Promise<string> {
  const { jwk, comment } = await importFile(path, passphrase);
  const facts = readKeyFacts(jwk, 'x');
  expect(fingerprintLineOf(publicPath)).toContain(` ${facts.fingerprint} `);
  const [type, blob] = readFileSync(publicPath, 'utf8').split(' ');
  expect(facts.publicKey).toBe(`${type} ${blob} x`);
  return comment;
}

describe.each(sshKeys)('$name', ({ name, ...input }) => {
  test('OpenSSH, plain and encrypted', async () => {
    const plain = sourceOf(name);
    expect(await expectSameKey(plain, `${plain}.pub`, null)).toBe('made by ssh-keygen');
    expect(await expectSameKey(plain, `${plain}.pub`, 'not needed')).toBe('made by ssh-keygen');
    const locked = copyOpenSshKey(plain, at(`${name}-locked`), {
      passphrase: fixturePassphrase,
      // Ed25519 with ssh-keygen's own number of rounds; the others with few, because that is the slow part.
      ...(input.type === 'ed25519' ? {} : { rounds: 2 }),
    });
    expect(await expectSameKey(locked, `${locked}.pub`, fixturePassphrase)).toBe('made by ssh-keygen');
    expect(await codeOf(locked)).toBe('key.passphraseNeeded');
    expect(await codeOf(locked, '')).toBe('key.passphraseNeeded');
    expect(await codeOf(locked, 'wrong')).toBe('key.wrongPassphrase');
    expect(await codeOf(`${locked}.pub`)).toBe('key.publicGiven');
  });

  test('PKCS#8, plain and encrypted', async () => {
    const path = copyOpenSshKey(sourceOf(name), at(`${name}-pkcs8`));
    if (input.type === 'ed25519') {
      runOpenSsl('genpkey', '-algorithm', 'ed25519', '-out', path);
      const { jwk } = await importFile(path);
      writeFileSync(`${path}.pub`, `${readKeyFacts(jwk, 'x').publicKey}\n`);
    } else {
      convertBySshKeygen(path, 'PKCS8');
    }
    await expectSameKey(path, `${path}.pub`, null);
    for (const flags of [[], ['-scrypt'], ['-v2', 'des3'], ['-v1', 'PBE-SHA1-3DES']]) {
      runOpenSsl('pkcs8', '-topk8', '-in', path, '-out', at('p8'), '-passout', opensslPass, ...flags);
      await expectSameKey(at('p8'), `${path}.pub`, fixturePassphrase);
      expect(await codeOf(at('p8'))).toBe('key.passphraseNeeded');
      expect(await codeOf(at('p8'), 'wrong')).toBe('key.wrongPassphrase');
    }
  });

  test('PuTTY 2 and 3, plain and encrypted', async () => {
    const source = copyOpenSshKey(sourceOf(name), at(`${name}-putty`), { comment: 'Zoë at work ' });
    for (const version of [2, 3] as const) {
      const plain = makePuttyKey(folder, `${name}-${version}.ppk`, source, { version });
      expect((await importFile(plain)).comment).toMatch(/^Zoë at work/);
      await expectSameKey(plain, `${source}.pub`, null);
      const locked = makePuttyKey(folder, `${name}-${version}-locked.ppk`, source, {
        version,
        passphrase: fixturePassphrase,
        // Ed25519 with the derivation that puttygen chooses by itself; the others with a light one.
        extra: version === 2 || input.type === 'ed25519' ? [] : ['memory=256', 'passes=2'],
      });
      await expectSameKey(locked, `${source}.pub`, fixturePassphrase);
      expect(await codeOf(locked)).toBe('key.passphraseNeeded');
      expect(await codeOf(locked, 'wrong')).toBe('key.wrongPassphrase');
    }
  });
});

describe.each(sshKeys.filter(({ type }) => type !== 'ed25519'))(
  '$name, the older form',
  ({ name, ...input }) => {
    test('PKCS#1 or SEC1, plain and encrypted', async () => {
      const path = copyOpenSshKey(sourceOf(name), at(`${name}-older`));
      convertBySshKeygen(path, 'PEM');
      await expectSameKey(path, `${path}.pub`, null);
      for (const cipher of ['-aes128', '-aes256', '-des3']) {
        const command = input.type === 'rsa' ? ['rsa', '-traditional'] : ['ec'];
        runOpenSsl(...command, '-in', path, cipher, '-out', at('older'), '-passout', opensslPass);
        expect(readFileSync(at('older'), 'utf8')).toContain('DEK-Info');
        await expectSameKey(at('older'), `${path}.pub`, fixturePassphrase);
        expect(await codeOf(at('older'))).toBe('key.passphraseNeeded');
        expect(await codeOf(at('older'), 'wrong')).toBe('key.wrongPassphrase');
      }
    });
  },
);

test.each([
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
  'aes128-cbc',
  'aes256-cbc',
  '3des-cbc',
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
])('OpenSSH under %s', async (cipher) => {
  for (const name of ['ed25519', 'rsa-2048'] as const) {
    const locked = { cipher, rounds: 2, passphrase: fixturePassphrase };
    const path = copyOpenSshKey(sourceOf(name), at(`${cipher}-${name}`), locked);
    await expectSameKey(path, `${path}.pub`, fixturePassphrase);
    expect(await codeOf(path, 'wrong')).toBe('key.wrongPassphrase');
  }
});

test.each(['argon2i', 'argon2d', 'argon2id'])('PuTTY 3 under %s', async (flavor) => {
  const source = sourceOf('ed25519');
  const path = makePuttyKey(folder, `${flavor}.ppk`, source, {
    ...{ version: 3, passphrase: fixturePassphrase },
    extra: [`kdf=${flavor}`, 'memory=256', 'passes=2', 'parallelism=2'],
  });
  await expectSameKey(path, `${source}.pub`, fixturePassphrase);
});

test('SEC1 after a block of parameters, as openssl writes it', async () => {
  runOpenSsl('ecparam', '-name', 'prime256v1', '-genkey', '-out', at('with-parameters'));
  expect(readFileSync(at('with-parameters'), 'utf8')).toContain('BEGIN EC PARAMETERS');
  expect((await importFile(at('with-parameters'))).jwk).toMatchObject({ kty: 'EC', crv: 'P-256' });
});

describe('what is refused is told apart', () => {
  test('DSA in every form', async () => {
    const path = makeOpenSshKey(folder, 'dsa', { type: 'dsa' });
    expect(await codeOf(path)).toBe('key.dsaRefused');
    expect(await codeOf(makePuttyKey(folder, 'dsa.ppk', path, { version: 3 }))).toBe('key.dsaRefused');
    convertBySshKeygen(path, 'PEM');
    expect(await codeOf(path)).toBe('key.dsaRefused');
    convertBySshKeygen(path, 'PKCS8');
    expect(await codeOf(path)).toBe('key.dsaRefused');
    runOpenSsl('pkcs8', '-topk8', '-in', path, '-out', at('dsa-locked'), '-passout', opensslPass);
    expect(await codeOf(at('dsa-locked'), fixturePassphrase)).toBe('key.dsaRefused');
  });

  test.each(['secp256k1', 'secp224r1', 'brainpoolP256r1'])('the curve %s', async (curve) => {
    runOpenSsl('ecparam', '-name', curve, '-genkey', '-noout', '-out', at(curve));
    expect(await codeOf(at(curve))).toBe('key.curveUnsupported');
    runOpenSsl('pkcs8', '-topk8', '-nocrypt', '-in', at(curve), '-out', at(`${curve}-8`));
    expect(await codeOf(at(`${curve}-8`))).toBe('key.curveUnsupported');
  });

  test.each(['ed448', 'x25519'])('the curve %s', async (algorithm) => {
    runOpenSsl('genpkey', '-algorithm', algorithm, '-out', at(algorithm));
    expect(await codeOf(at(algorithm))).toBe('key.curveUnsupported');
  });

  test('PuTTY on Ed448', async () => {
    const path = at('ed448.ppk');
    const header = 'PuTTY-User-Key-File-3: ssh-ed448\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAA\n';
    writeFileSync(path, `${header}Private-Lines: 1\nAAAA\nPrivate-MAC: 00\n`);
    expect(await codeOf(path)).toBe('key.curveUnsupported');
  });

  test.each([1024, 2047])('RSA of %s bits', async (bits) => {
    const path = at(`rsa-${bits}`);
    runOpenSsl('genpkey', '-algorithm', 'RSA', '-pkeyopt', `rsa_keygen_bits:${bits}`, '-out', path);
    await expect(importFile(path)).rejects.toMatchObject({ code: 'key.tooShort', details: { bits } });
  });

  test('RSA for PSS alone', async () => {
    runOpenSsl('genpkey', '-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', at('pss'));
    expect(await codeOf(at('pss'))).toBe('key.typeUnsupported');
  });

  test('ciphers that only OpenSSL’s legacy provider has', async () => {
    const path = copyOpenSshKey(sourceOf('rsa-2048'), at('attic'));
    convertBySshKeygen(path, 'PEM');
    const attic = ['-provider', 'legacy', '-provider', 'default', '-passout', opensslPass];
    for (const cipher of ['PBE-MD5-DES', 'PBE-SHA1-RC2-40']) {
      runOpenSsl('pkcs8', '-topk8', '-in', path, '-v1', cipher, '-out', at('attic-8'), ...attic);
      expect(await codeOf(at('attic-8'), fixturePassphrase)).toBe('key.cipherUnsupported');
    }
    runOpenSsl('rsa', '-in', path, '-des', '-traditional', '-out', at('attic-1'), ...attic);
    expect(await codeOf(at('attic-1'), fixturePassphrase)).toBe('key.cipherUnsupported');
  });

  test('public keys in every form', async () => {
    const path = copyOpenSshKey(sourceOf('rsa-2048'), at('public'));
    convertBySshKeygen(path, 'PEM');
    runOpenSsl('rsa', '-in', path, '-pubout', '-out', at('public-spki'));
    runOpenSsl('rsa', '-in', path, '-RSAPublicKey_out', '-out', at('public-pkcs1'));
    for (const name of ['public.pub', 'public-spki', 'public-pkcs1']) {
      expect(await codeOf(at(name))).toBe('key.publicGiven');
    }
    writeFileSync(
      at('ssh2.pub'),
      '---- BEGIN SSH2 PUBLIC KEY ----\nComment: "x"\nAAAA\n---- END SSH2 PUBLIC KEY ----\n',
    );
    expect(await codeOf(at('ssh2.pub'))).toBe('key.publicGiven');
  });
});
