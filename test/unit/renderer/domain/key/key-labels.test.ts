import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { procedures } from '../../../../../src/contract/procedures.ts';
import { keyTypes, type SshKey } from '../../../../../src/contract/ssh-keys.ts';
import { agreedPassphrase } from '../../../../../src/renderer/components/passphrase-fields.tsx';
import {
  describeKeyAge,
  describeOffset,
  keyTypeChoices,
  nameKeyType,
  suggestKeyFileName,
  wantsTypedName,
} from '../../../../../src/renderer/domain/key/key-labels.ts';

const key = (id: string, more: Partial<SshKey> = {}): SshKey => ({
  id,
  name: id,
  type: 'ed25519',
  bits: 256,
  fingerprint: 'SHA256:x',
  publicKey: 'ssh-ed25519 x',
  createdAt: '2026-01-01T12:00:00Z',
  lastSignedAt: null,
  provenAt: null,
  workspaceIds: [],
  isSample: false,
  ...more,
});

describe('types of keys', () => {
  it('offers every type that can be made, once', () => {
    expect(keyTypeChoices.map(({ value }) => value).sort()).toEqual([...keyTypes].sort());
  });

  it.each([
    ['ed25519', 256, 'Ed25519, 256 bits'],
    ['rsa-2048', 2048, 'RSA, 2048 bits'],
    ['ecdsa-521', 521, 'ECDSA P-521'],
  ])('%s of %d bits is %s', (type, bits, words) => {
    expect(nameKeyType({ type, bits })).toBe(words);
  });
});

describe('the age of a key', () => {
  const now = new Date('2027-01-01T11:00:00Z');

  it('is due from the day in the settings on, and never with 0', () => {
    expect(describeKeyAge('2026-01-01T12:00:00Z', 365, now)).toMatchObject({ days: 364, isDue: false });
    expect(describeKeyAge('2026-01-01T10:00:00Z', 365, now)).toMatchObject({ days: 365, isDue: true });
    expect(describeKeyAge('2000-01-01T10:00:00Z', 0, now).isDue).toBe(false);
  });

  it('is not below zero if a clock was wrong', () => {
    const future = describeKeyAge('2028-01-01T10:00:00Z', 365, now);
    expect(future).toEqual({ days: 0, label: 'made today', isDue: false });
    expect(describeKeyAge('2026-12-31T10:00:00Z', 365, now).label).toBe('1 day old');
  });
});

describe('a file name', () => {
  it.each([
    ['Front desk', 'Front-desk.pub'],
    ['  ../../Büro 7 ', 'Buro-7.pub'],
    ['鍵', 'claimdesk-key.pub'],
  ])('of %j is %s', (name, file) => {
    expect(suggestKeyFileName(name, '.pub')).toBe(file);
  });

  it('is always one that main accepts', () => {
    const { input } = procedures['files:chooseSaveTarget'];
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: 'grapheme' }), (name) => {
        const suggestedName = suggestKeyFileName(name, '-backup.key');
        expect(input.safeParse({ purpose: 'keyBackup', suggestedName }).success).toBe(true);
      }),
    );
  });
});

describe('whether a name is to be typed', () => {
  const proven = key('proven', { provenAt: '2026-01-01T12:00:00Z' });

  it('is required for a key that signs, and for the last that works', () => {
    const used = key('used', { workspaceIds: ['w'] });
    const idle = key('idle');
    expect(wantsTypedName(used, [used, proven])).toBe(true);
    expect(wantsTypedName(proven, [proven, idle])).toBe(true);
    expect(wantsTypedName(proven, [proven, used])).toBe(false);
    expect(wantsTypedName(idle, [idle])).toBe(false);
  });

  it('does not count a key of the sample as one that works', () => {
    const sample = key('sample', { workspaceIds: ['s'], isSample: true });
    expect(wantsTypedName(proven, [proven, sample])).toBe(true);
  });
});

describe('words', () => {
  it('says which clock is behind, without the time that replies take', () => {
    expect(describeOffset(0.9)).toBe('The clocks match.');
    expect(describeOffset(90)).toContain('90 seconds behind');
    expect(describeOffset(-90)).toContain('90 seconds ahead of');
  });

  it('accepts a passphrase of twelve characters that is typed twice', () => {
    expect(agreedPassphrase('123456789012', '123456789012')).toBe('123456789012');
    expect(agreedPassphrase('12345678901', '12345678901')).toBeNull();
    expect(agreedPassphrase('123456789012', '123456789012 ')).toBeNull();
  });
});
