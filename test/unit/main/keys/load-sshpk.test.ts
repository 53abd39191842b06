import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const isLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((path) =>
    /[\\/]node_modules[\\/]sshpk[\\/]/.test(path),
  );

test('main loads sshpk with the first key that needs it', async () => {
  await import('../../../../src/main/desk.ts');
  const { readKeyFacts } = await import('../../../../src/main/keys/key-facts.ts');
  const { normalizeJwk } = await import('../../../../src/main/keys/private-jwk.ts');
  expect(isLoaded()).toBe(false);
  const jwk = normalizeJwk(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  expect(readKeyFacts(jwk, 'a').type).toBe('ed25519');
  expect(isLoaded()).toBe(true);
});
