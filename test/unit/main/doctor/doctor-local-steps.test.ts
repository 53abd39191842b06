import { expect, test } from 'vitest';
import type { DoctorFinding } from '../../../../src/contract/doctor.ts';
import type { ErrorCode } from '../../../../src/contract/error-codes.ts';
import { createTokenSigner } from '../../../../src/main/auth/token-signer.ts';
import { createTimeLimit, examineKey, examineToken } from '../../../../src/main/doctor/doctor-local-steps.ts';
import { createEphemeralStore, type SecretStore } from '../../../../src/main/keychain/secret-store.ts';
import { createKeyRing } from '../../../../src/main/keys/key-ring.ts';
import { systemClock } from '../../../../src/main/lib/clock.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const getProfileDir = givenTempProfile();
const within = () => createTimeLimit(5_000);
const codesOf = (findings: readonly DoctorFinding[]) => findings.map(({ code }) => code);

/** A key in a profile, and its ring over a store that does as told from then on. */
const baseUrl = 'https://claims.example.com';

async function givenKey(changes: Partial<SecretStore>) {
  const store = createEphemeralStore();
  const ports = { profileDir: getProfileDir(), clock: systemClock };
  const { id } = await createKeyRing({ ...ports, secrets: store }).generate({ type: 'ed25519', baseUrl });
  const secrets: SecretStore = { ...store, kind: 'keychain', ...changes };
  return { keyId: id, space: { secrets, keyRing: createKeyRing({ ...ports, secrets }) } };
}

test.each<[ErrorCode, string]>([
  ['keychain.missing', 'keychain.missing'],
  ['keychain.locked', 'keychain.locked'],
  ['keychain.dismissed', 'keychain.dismissed'],
  ['vault.passphraseNeeded', 'keychain.passphraseNeeded'],
  ['vault.wrongPassphrase', 'keychain.wrongPassphrase'],
  ['vault.damaged', 'keychain.vaultDamaged'],
  ['disk.full', 'keychain.unreadable'],
])('a keychain that answers %s', async (error, code) => {
  const { space, keyId } = await givenKey({ get: () => Promise.reject(new DeskError(error)) });
  const { findings, key } = await examineKey(space, { keyId }, within());
  expect(codesOf(findings)).toEqual([code, 'step.notTried']);
  expect(key).toBe(null);
  expect(findings[1]?.shown.fingerprint).toMatch(/^SHA256:/);
});

test('a keychain that is open but has lost the entry: its own step says so, not that of the key', async () => {
  const { space, keyId } = await givenKey({ get: async () => null });
  const { findings } = await examineKey(space, { keyId }, within());
  expect(codesOf(findings)).toEqual(['keychain.entryMissing', 'step.notTried']);
});

test('a keychain that waits for the user is not waited for', async () => {
  const { space, keyId } = await givenKey({ get: () => new Promise(() => undefined) });
  const began = performance.now();
  const { findings } = await examineKey(space, { keyId }, createTimeLimit(100));
  expect(codesOf(findings)).toEqual(['keychain.noAnswer', 'step.notTried']);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('a locked keychain hides neither that there is no key nor that its file is missing', async () => {
  const { space } = await givenKey({ get: () => Promise.reject(new DeskError('keychain.locked')) });
  expect(codesOf((await examineKey(space, { keyId: null }, within())).findings)[1]).toBe('key.none');
  expect(codesOf((await examineKey(space, { keyId: 'ed25519-gone' }, within())).findings)[1]).toBe(
    'key.gone',
  );
});

test('a token of a good key is correct, in the service’s time', async () => {
  const { space, keyId } = await givenKey({});
  const signer = createTokenSigner({
    keyRing: space.keyRing,
    originsOf: async () => [baseUrl],
    clock: systemClock,
  });
  const { findings, key } = await examineKey(space, { keyId }, within());
  expect(codesOf(findings)).toEqual(['keychain.ready', 'key.ready']);
  const wanted = { email: 'jane@planted.example', baseUrl, offsetSeconds: 500, nowMs: systemClock.now };
  const token = await examineToken({ signer }, key, wanted, within());
  expect(token).toMatchObject({ code: 'token.sound', facts: { algorithm: 'EdDSA', lifetimeSeconds: 900 } });
  expect(JSON.stringify(token)).not.toMatch(/planted|eyJ/);
  expect((await examineToken({ signer }, null, wanted, within())).code).toBe('step.notTried');
  // The clock's step explains it.
  const far = { ...wanted, offsetSeconds: 3_600 };
  expect((await examineToken({ signer }, key, far, within())).code).toBe('step.notTried');
});

test('a key that does not sign', async () => {
  const { space, keyId } = await givenKey({});
  const { key } = await examineKey(space, { keyId }, within());
  const signer = {
    getToken: () => Promise.reject(new Error('jane@planted.example')),
    forget: () => undefined,
  };
  const wanted = { email: 'jane@planted.example', baseUrl, offsetSeconds: 0, nowMs: systemClock.now };
  expect(await examineToken({ signer }, key, wanted, within())).toMatchObject({
    code: 'token.unsigned',
    facts: { errorCode: 'internal.fault' },
  });
});
