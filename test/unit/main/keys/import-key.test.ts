import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importKey } from '../../../../src/main/keys/import-key.ts';
import { normalizeJwk } from '../../../../src/main/keys/private-jwk.ts';
import { toSshString, toSshUint32 } from '../../../../src/team-protocol/ssh-wire.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = normalizeJwk(pair.privateKey.export({ format: 'jwk' }));
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const passphrase = 'correct horse';
const openSsh = encryptQuickly();
const encryptedPem = pair.privateKey
  .export({ type: 'sec1', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString();

/** The key in OpenSSH's form under the passphrase, with one round in place of 16: it is decrypted thirty times here. */
function encryptQuickly(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-import-key-'));
  const path = join(folder, 'key');
  writeFileSync(path, pem, { mode: 0o600 });
  execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', passphrase, '-a', '1', '-f', path]);
  const text = readFileSync(path, 'utf8');
  rmSync(folder, { recursive: true });
  return text;
}

const importText = (text: string, given: string | null = passphrase) => importKey(Buffer.from(text), given);
const body = (text: string) => text.replace(/-----[^-]+-----/g, '').replace(/\s/g, '');

/** Changes that editors, mail programs, terminals and clipboards make to a key's text, but not to the key. */
const disguises: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ['CR alone', (text) => text.replaceAll('\n', '\r')],
  ['no last newline', (text) => text.trimEnd()],
  ['many last newlines', (text) => `${text}\n\n\n`],
  ['indented', (text) => text.replace(/^/gm, '    ')],
  ['blanks at the ends of lines', (text) => text.replace(/$/gm, ' \t')],
  ['blank lines in between', (text) => text.replaceAll('\n', '\n\n')],
  ['a byte order mark', (text) => `\uFEFF${text}`],
  ['text around it', (text) => `Here is the key:\n\n${text}\nRegards, Ada\n`],
  ['no-break spaces', (text) => text.replaceAll('\n', '\u00a0\n')],
];

describe.each([
  ['PKCS#8', pem],
  ['OpenSSH, encrypted', openSsh],
  ['SEC1, encrypted', encryptedPem],
])('%s', (_, text) => {
  test.each(disguises)('%s', async (__, disguise) => {
    expect((await importText(disguise(text))).jwk).toEqual(jwk);
  });

  test('UTF-16, in both byte orders', async () => {
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    expect((await importKey(little, passphrase)).jwk).toEqual(jwk);
    expect((await importKey(Buffer.from(little).swap16(), passphrase)).jwk).toEqual(jwk);
  });
});

describe('odd widths', () => {
  test.each([1, 10, 70, 76, 5000])('%s columns', async (columns) => {
    for (const text of [pem, openSsh]) {
      const [begin = '', end = ''] = text.match(/-----[^-]+-----/g) ?? [];
      const lines = body(text).match(new RegExp(`.{1,${columns}}`, 'g')) ?? [];
      expect((await importText([begin, ...lines, end].join('\n'))).jwk).toEqual(jwk);
    }
  });

  test('everything on one line', async () => {
    expect((await importText(pem.replaceAll('\n', ' '))).jwk).toEqual(jwk);
    expect((await importText(encryptedPem.replaceAll('\n', ' '))).jwk).toEqual(jwk);
  });

  test('without its padding', async () => {
    expect((await importText(pem.replace(/=+/, ''))).jwk).toEqual(jwk);
  });
});

describe('what is no key', () => {
  test.each([
    ['nothing', ''],
    ['words', 'a letter to a friend'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    ['cut off', pem.slice(0, 150)],
    ['the end of another', pem.replace('END PRIVATE', 'END PUBLIC')],
    ['an empty body', '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n'],
    ['no base64', '-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n'],
    ['base64 of nothing', '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n'],
    ['an unknown kind', '-----BEGIN MAGIC PRIVATE KEY-----\nAAAA\n-----END MAGIC PRIVATE KEY-----\n'],
    [
      'an encrypted shell around nothing',
      '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n',
    ],
    ['a PuTTY file cut off', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n'],
    ['too large', `${pem}${' '.repeat(300_000)}`],
  ])('%s', async (_, text) => {
    await expect(importText(text)).rejects.toMatchObject({ code: 'key.notAKey' });
  });

  test('halves of two keys', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const { acceptPrivateJwk } = await import('../../../../src/main/keys/accept-key.ts');
    for (const mixed of [
      { ...jwk, d: other.d },
      { ...jwk, x: other.x, y: other.y },
    ]) {
      expect(() => acceptPrivateJwk(mixed)).toThrow(expect.objectContaining({ code: 'key.notAKey' }));
    }
    const [one, two] = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
    expect(() => acceptPrivateJwk({ ...one, x: two?.x })).toThrow(
      expect.objectContaining({ code: 'key.notAKey' }),
    );
  });
});

describe('what is refused by its name', () => {
  test.each([
    ['-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n', 'key.dsaRefused'],
    [
      '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nAAAA\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n',
      'key.cipherUnsupported',
    ],
    ['PuTTY-User-Key-File-1: ssh-rsa\nEncryption: none\n', 'key.cipherUnsupported'],
    [encryptedPem.replace('AES-256-CBC', 'IDEA-CBC'), 'key.cipherUnsupported'],
    [encryptedPem.replace(/DEK-Info.*/, ''), 'key.cipherUnsupported'],
    ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== me', 'key.publicGiven'],
    ['restrict ecdsa-sha2-nistp256 AAAAE2VjZHNh me', 'key.publicGiven'],
    ['sk-ssh-ed25519@openssh.com AAAAGnNr me', 'key.publicGiven'],
  ])('%j', async (text, code) => {
    await expect(importText(text)).rejects.toMatchObject({ code });
  });

  /** An OpenSSH file with this type of key and these ciphers, nothing real inside. */
  const envelope = (
    type: string,
    cipher = 'none',
    derivation = 'none',
    options: Buffer = Buffer.alloc(0),
  ) => {
    const bytes = Buffer.concat([
      Buffer.from('openssh-key-v1\0'),
      ...[cipher, derivation].map(toSshString),
      ...[
        toSshString(options),
        toSshUint32(1),
        toSshString(toSshString(type)),
        toSshString(Buffer.alloc(64)),
      ],
    ]);
    return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
  };
  const rounds = (count: number) => Buffer.concat([toSshString('salt'), toSshUint32(count)]);

  test.each([
    ['a security key', envelope('sk-ssh-ed25519@openssh.com'), 'key.typeUnsupported'],
    ['a certificate', envelope('ssh-ed25519-cert-v01@openssh.com'), 'key.typeUnsupported'],
    ['another curve', envelope('ecdsa-sha2-1.3.132.0.10'), 'key.curveUnsupported'],
    ['Ed448', envelope('ssh-ed448'), 'key.curveUnsupported'],
    ['DSA', envelope('ssh-dss'), 'key.dsaRefused'],
    ['nonsense', envelope('nonsense'), 'key.notAKey'],
    ['another cipher', envelope('ssh-ed25519', 'rot13', 'bcrypt'), 'key.cipherUnsupported'],
    [
      'a cipher by the name of a method',
      envelope('ssh-ed25519', 'toString', 'bcrypt'),
      'key.cipherUnsupported',
    ],
    ['another derivation', envelope('ssh-ed25519', 'aes256-ctr', 'md5'), 'key.cipherUnsupported'],
    ['a derivation without a cipher', envelope('ssh-ed25519', 'none', 'bcrypt'), 'key.cipherUnsupported'],
    [
      'a derivation that takes hours',
      envelope('ssh-ed25519', 'aes256-ctr', 'bcrypt', rounds(2 ** 31)),
      'key.cipherUnsupported',
    ],
    ['no rounds at all', envelope('ssh-ed25519', 'aes256-ctr', 'bcrypt', rounds(0)), 'key.notAKey'],
    ['a plain key that is none', envelope('ssh-ed25519'), 'key.notAKey'],
  ])('%s', async (_, text, code) => {
    await expect(importText(text)).rejects.toMatchObject({ code });
  });

  test('a PuTTY file that asks for all memory', async () => {
    const file = [
      'PuTTY-User-Key-File-3: ssh-ed25519',
      'Encryption: aes256-cbc',
      'Comment: x',
      'Public-Lines: 1',
      'AAAAC3NzaC1lZDI1NTE5AAAAIA==',
      'Key-Derivation: Argon2id',
      'Argon2-Memory: 2000000000',
      'Argon2-Passes: 1',
      'Argon2-Parallelism: 1',
      'Argon2-Salt: 00112233445566778899aabbccddeeff',
      'Private-Lines: 1',
      'AAAAAAAAAAAAAAAAAAAAAA==',
      'Private-MAC: 00',
      '',
    ].join('\n');
    await expect(importText(file)).rejects.toMatchObject({ code: 'key.cipherUnsupported' });
    const unbearable = file.replace('2000000000', '8192').replace('Passes: 1', 'Passes: 1000000');
    await expect(importText(unbearable)).rejects.toMatchObject({ code: 'key.cipherUnsupported' });
  });
});

test('no error contains anything of the key or the passphrase', async () => {
  const planted = 'planted-passphrase';
  for (const text of [openSsh, encryptedPem, pem.slice(0, 150), pem.replace('M', '!')]) {
    const error = await importText(text, planted).catch((thrown: unknown) => thrown);
    const told = JSON.stringify(error, Object.getOwnPropertyNames(error));
    expect(told).not.toContain(planted);
    expect(told).not.toContain(body(text).slice(10, 40));
  }
});
