import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyTypes } from '../../../src/contract/ssh-keys.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { createKeyRing } from '../../../src/main/keys/key-ring.ts';
import { backUpKey } from '../../../src/main/keys/key-transfer-handlers.ts';
import { createKeyWorker } from '../../../src/main/keys/key-worker.ts';
import { systemClock } from '../../../src/main/lib/clock.ts';
import { readPublicLine } from '../../support/key-fixtures.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const getProfileDir = givenTempProfile();

test.each(keyTypes)('%s: ssh-keygen reads our backup', async (type) => {
  const keyRing = createKeyRing({
    profileDir: getProfileDir(),
    secrets: createEphemeralStore(),
    clock: systemClock,
  });
  const key = await keyRing.generate({ type, name: 'Front desk' });
  const passphrase = 'correct horse "battery" ü';
  const text = await backUpKey({ keyRing, keyWorker: createKeyWorker() }, { keyId: key.id, passphrase });
  const path = join(getProfileDir(), 'backup');
  writeFileSync(path, text, { mode: 0o600 });

  expect(readPublicLine(path, passphrase)).toBe(key.publicKey);
  // Each try costs a derivation, and the envelope is the same for every type.
  if (type === 'ed25519') {
    expect(() => readPublicLine(path, 'wrong passphrase')).toThrow(/incorrect passphrase/);
    expect(() => readPublicLine(path, '')).toThrow(/passphrase/);
  }
});
