import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  convertBySshKeygen,
  copyOpenSshKey,
  fixturePassphrase,
  makeOpenSshKey,
  makePuttyKey,
  opensslPass,
  readFingerprintLine,
  readPublicLine,
  runOpenSsl,
} from '../../support/key-fixtures.ts';
import { readKeyCli, runKeyCli } from './run-key-cli.ts';

let folder = '';
const at = (name: string) => join(folder, name);
let sources: Record<'ed25519' | 'rsa' | 'ecdsa', string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-key-cli-'));
  sources = {
    ed25519: makeOpenSshKey(folder, 'ed25519', { type: 'ed25519' }),
    rsa: makeOpenSshKey(folder, 'rsa', { type: 'rsa', bits: 2048 }),
    ecdsa: makeOpenSshKey(folder, 'ecdsa', { type: 'ecdsa', bits: 384 }),
  };
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const locked = { passphrase: fixturePassphrase, rounds: 2 };
/** Each makes its file and says which key is in it. */
const kinds: [string, boolean, () => [path: string, type: keyof typeof sources]][] = [
  ['OpenSSH', false, () => [sources.ed25519, 'ed25519']],
  ['OpenSSH, AES-CTR', true, () => [copyOpenSshKey(sources.ed25519, at('ctr'), locked), 'ed25519']],
  [
    'OpenSSH, ChaCha20',
    true,
    () => [
      copyOpenSshKey(sources.ecdsa, at('chacha'), { ...locked, cipher: 'chacha20-poly1305@openssh.com' }),
      'ecdsa',
    ],
  ],
  [
    'PKCS#1, encrypted',
    true,
    () => {
      convertBySshKeygen(copyOpenSshKey(sources.rsa, at('pem')), 'PEM');
      runOpenSsl(
        'rsa',
        '-traditional',
        '-in',
        at('pem'),
        '-aes256',
        '-out',
        at('pkcs1'),
        '-passout',
        opensslPass,
      );
      return [at('pkcs1'), 'rsa'];
    },
  ],
  [
    'PKCS#8, encrypted',
    true,
    () => {
      convertBySshKeygen(copyOpenSshKey(sources.ecdsa, at('plain8')), 'PKCS8');
      runOpenSsl('pkcs8', '-topk8', '-in', at('plain8'), '-out', at('pkcs8'), '-passout', opensslPass);
      return [at('pkcs8'), 'ecdsa'];
    },
  ],
  [
    'SEC1',
    false,
    () => {
      convertBySshKeygen(copyOpenSshKey(sources.ecdsa, at('sec1')), 'PEM');
      return [at('sec1'), 'ecdsa'];
    },
  ],
  ['PuTTY 2', false, () => [makePuttyKey(folder, 'v2.ppk', sources.rsa, { version: 2 }), 'rsa']],
  [
    'PuTTY 3, encrypted',
    true,
    () => [
      makePuttyKey(folder, 'v3.ppk', sources.ed25519, {
        version: 3,
        passphrase: fixturePassphrase,
        extra: ['memory=256', 'passes=2'],
      }),
      'ed25519',
    ],
  ],
];

describe('key import', () => {
  test.each(kinds)('%s', async (name, isLocked, make) => {
    const [path, type] = make();
    const profile = at(`profile ${name}`);
    // After the first newline stands something else, as in a file of several lines.
    const given: [string[], string] = isLocked
      ? [['--passphrase-stdin'], `${fixturePassphrase}\nmore`]
      : [[], ''];
    const [key] = await readKeyCli(
      profile,
      ['key', 'import', path, '--name', 'Front desk', ...given[0]],
      given[1],
    );
    expect(readFingerprintLine(`${sources[type]}.pub`)).toContain(` ${key?.fingerprint} `);
    expect(key).toMatchObject({ id: expect.stringMatching(/^[a-z0-9]+-/), name: 'Front desk' });
    expect(Object.keys(key ?? {})).not.toContain('d');
  });

  test('each refusal has its own code and leaves no key', async () => {
    const profile = at('refusing');
    const encrypted = copyOpenSshKey(sources.ed25519, at('refused'), locked);
    const dsa = makeOpenSshKey(folder, 'dsa', { type: 'dsa' });
    const cases: [string[], string, string][] = [
      [[encrypted], '', 'key.passphraseNeeded'],
      [[encrypted, '--passphrase-stdin'], 'wrong\n', 'key.wrongPassphrase'],
      [[`${sources.rsa}.pub`], '', 'key.publicGiven'],
      [[process.execPath], '', 'key.notAKey'],
      [[at('not there')], '', 'key.fileUnreadable'],
      [[dsa], '', 'key.dsaRefused'],
    ];
    for (const [args, stdin, code] of cases) {
      const result = await runKeyCli(profile, ['key', 'import', ...args], stdin);
      expect(result, args.join(' ')).toMatchObject({ code: 1, stdout: '', errorCode: code });
    }
    expect(await readKeyCli(profile, ['key', 'list'])).toEqual([]);
  });

  test('wrong usage exits with 2', async () => {
    for (const args of [
      ['import'],
      ['import', sources.rsa, '--out', 'x'],
      ['backup', 'x', '--out', 'y'],
      ['rotate', '--answer', 'yes'],
    ]) {
      expect(await runKeyCli(at('usage'), ['key', ...args])).toMatchObject({
        code: 2,
        errorCode: 'usage.invalid',
      });
    }
  });
});

test('a key is imported, shown, renamed, backed up, and retired by its name', async () => {
  const profile = at('life');
  const run = (args: string[], stdin?: string) => readKeyCli(profile, ['key', ...args], stdin);
  const [key] = await run(['import', sources.ed25519]);
  const id = String(key?.id);
  expect(await runKeyCli(profile, ['key', 'import', sources.ed25519])).toMatchObject({
    code: 1,
    errorCode: 'key.duplicate',
    stderr: expect.stringContaining(id),
  });
  const [shown] = await run(['show', id]);
  expect(readFingerprintLine(`${sources.ed25519}.pub`)).toContain(` ${shown?.fingerprint} `);
  expect(shown).toMatchObject({ ageDays: 0, isReminderDue: false });
  const [renamed] = await run(['rename', id, '--name', 'Back office']);
  expect(renamed).toMatchObject({ id, name: 'Back office' });

  const weak = await runKeyCli(
    profile,
    ['key', 'backup', id, '--out', at('backup'), '--passphrase-stdin'],
    'short',
  );
  expect(weak).toMatchObject({ code: 1, errorCode: 'key.weakPassphrase' });
  const passphrase = 'correct horse "battery" ü';
  const backup = ['backup', id, '--out', at('backup'), '--passphrase-stdin'];
  // The command has no terminal at which it could ask.
  expect(await runKeyCli(profile, ['key', ...backup], `${passphrase}\n`)).toMatchObject({
    code: 1,
    errorCode: 'app.notConfirmed',
  });
  expect(existsSync(at('backup'))).toBe(false);
  const [saved] = await run([...backup, '--yes'], `${passphrase}\n`);
  expect(saved).toEqual({ event: 'backedUp', keyId: id, fingerprint: key?.fingerprint, path: at('backup') });
  expect(readPublicLine(at('backup'), passphrase)).toBe(renamed?.publicKey);
  const audit = await readKeyCli(profile, ['audit', 'list']);
  expect(audit.map(({ action }) => action)).toEqual(['key.backedUp', 'key.renamed', 'key.imported']);

  expect(await run(['retire', id])).toEqual([{ event: 'retired', id }]);
  expect(await runKeyCli(profile, ['key', 'show', id])).toMatchObject({ code: 1, errorCode: 'key.unknown' });
});
