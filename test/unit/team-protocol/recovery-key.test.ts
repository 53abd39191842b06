import { createPublicKey, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseRecoveryCode } from '../../../src/main/keychain/recovery-code.ts';
import { deriveKeys, publicBytesOf } from '../../../src/team-protocol/derive-keys.ts';
import { readPrinted, writePrinted } from '../../../src/team-protocol/printed-secret.ts';
import { makeRecoveryKey, readRecoveryKey } from '../../../src/team-protocol/recovery-key.ts';
import { testBytes } from '../../support/seeds.ts';

test('a secret always has the same keys', () => {
  const { signing, sealing } = deriveKeys(Buffer.alloc(32, 7));
  expect([publicBytesOf(signing), publicBytesOf(sealing)]).toEqual([
    'yHGyBgwwIQ2n7UR7MLJgk1-jZA_p5XsgfvPIkm0Llw4',
    'ip_qDX9GcAThpNWd_BT3zXKO063LSFJOPzh_FIZF20w',
  ]);
});

test('what is printed has the keys whose public halves were published', () => {
  const { text, signingKey, sealingKey } = makeRecoveryKey();
  expect(text).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){13}[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(makeRecoveryKey().text).not.toBe(text);
  const keys = readRecoveryKey(text);
  if (keys === null) throw new Error('It was not read.');
  expect([publicBytesOf(keys.signing), publicBytesOf(keys.sealing)]).toEqual([signingKey, sealingKey]);
  const signature = sign(null, Buffer.from('x'), keys.signing);
  expect(verify(null, Buffer.from('x'), createPublicKey(keys.signing), signature)).toBe(true);
});

test('it is read as people type it', () => {
  const kind = { name: 'test', secretBytes: 32 };
  const secret = testBytes(32);
  const text = writePrinted(kind, secret);
  for (const typed of [
    text.toLowerCase().replaceAll('-', ' '),
    text.replaceAll('-', '–'),
    ` ${text.replaceAll('-', '')}\n`,
    text.replaceAll('0', 'o').replaceAll('1', 'l'),
  ])
    expect(readPrinted(kind, typed)).toEqual(secret);
  expect(readPrinted({ ...kind, name: 'other' }, text)).toBeNull();
});

test('a mistyped one is detected', () => {
  const { text } = makeRecoveryKey();
  for (const [at, letter] of [...text].entries()) {
    if (letter === '-') continue;
    const wrong = letter === '7' ? '8' : '7';
    expect(readRecoveryKey(`${text.slice(0, at)}${wrong}${text.slice(at + 1)}`)).toBeNull();
    expect(readRecoveryKey(`${text.slice(0, at)}${text.slice(at + 1)}`)).toBeNull();
  }
  for (const typed of ['', 'U', `${text}0`, text.slice(5)]) expect(readRecoveryKey(typed)).toBeNull();
  // The recovery code of a profile is no recovery key of a team, nor the reverse.
  expect(() => parseRecoveryCode(text)).toThrow(expect.objectContaining({ code: 'unlock.badCode' }));
});
