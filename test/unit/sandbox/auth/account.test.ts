import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Account } from '../../../../src/sandbox/auth/account.ts';
import { KeyRefused } from '../../../../src/sandbox/auth/public-keys.ts';

/** An ed25519 line: two framed parts. */
function ed25519Line(): string {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const frame = (part: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, part.length]), part]);
  const blob = Buffer.concat([frame(Buffer.from('ssh-ed25519')), frame(Buffer.from(String(x), 'base64url'))]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
}

describe('Account', () => {
  it('compares emails case-insensitively and exactly otherwise', () => {
    const account = new Account('Me@Example.com');
    expect(
      ['me@example.com', 'ME@EXAMPLE.COM', 'me@example.com ', 'you@example.com'].map((email) =>
        account.isEmail(email),
      ),
    ).toEqual([true, true, false, false]);
  });

  it('keeps several keys, each with its own ID, and deletes by ID', async () => {
    const account = new Account('a@b');
    const keys = [
      await account.addKey('', ed25519Line(), 1),
      await account.addKey(' two ', ed25519Line(), 2),
    ];
    expect(keys.map((key) => key.name)).toEqual(['Key 1', 'two']);
    expect(account.deleteKey(keys[0]?.id ?? '')).toBe(true);
    expect(account.deleteKey(keys[0]?.id ?? '')).toBe(false);
    expect(account.keys).toEqual([keys[1]]);
  });

  it('recognizes a key, whatever its comment', async () => {
    const account = new Account('a@b');
    const line = ed25519Line();
    const first = await account.addKey('one', line, 1);
    expect(await account.addKey('two', `${line} somebody@somewhere`, 2)).toBe(first);
  });

  it('refuses with a sentence', async () => {
    const account = new Account('a@b');
    await expect(account.addKey('x', 'ssh-ed25519 AAAA', 1)).rejects.toBeInstanceOf(KeyRefused);
    await expect(account.addKey('x', '', 1)).rejects.toThrow('Paste a public key.');
    expect(account.keys).toEqual([]);
  });
});
