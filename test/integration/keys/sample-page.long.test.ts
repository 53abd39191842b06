import { generateKeyPairSync } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { readKeyFacts } from '../../../src/main/keys/key-facts.ts';
import { normalizeJwk } from '../../../src/main/keys/private-jwk.ts';
import { startSampleService } from '../../../src/main/lib/sample-service.ts';
import { readKeyPage } from '../../support/key-page.ts';

const makePublicKey = (name: string): string =>
  readKeyFacts(normalizeJwk(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })), name)
    .publicKey;

test('a key that Claimdesk deletes on the sample’s page is deleted, the other one stays, even after a restart', async () => {
  const service = await startSampleService({ members: 5, claims: 5 });
  onTestFinished(() => service.close());
  const [old, next] = [makePublicKey('old'), makePublicKey('next')];
  await service.register('Old key', old);
  await service.register('New key', next);
  await service.deleteKey(old);
  // Deleting a missing key is no error: after a crash it is not known whether it was deleted.
  await service.deleteKey(old);
  await service.deleteKey(makePublicKey('never there'));
  const look = async () => (await readKeyPage(service.baseUrl)).match(/(Old|New) key(?=<\/th>)/g);
  expect(await look()).toEqual(['New key']);
  await service.stop();
  await expect(service.deleteKey(next)).rejects.toMatchObject({ code: 'sandbox.failed' });
  await service.start();
  expect(await look()).toEqual(['New key']);
});
