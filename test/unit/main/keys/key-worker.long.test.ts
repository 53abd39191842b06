import { generateKeyPairSync } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { createEphemeralStore } from '../../../../src/main/keychain/secret-store.ts';
import { createKeyRing } from '../../../../src/main/keys/key-ring.ts';
import { backUpKey, importKeyFile } from '../../../../src/main/keys/key-transfer-handlers.ts';
import { createKeyWorker, type KeyWorker } from '../../../../src/main/keys/key-worker.ts';
import { normalizeJwk } from '../../../../src/main/keys/private-jwk.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const getProfileDir = givenTempProfile();
const entry = new URL('crashing-worker.ts', import.meta.url);
const opened: KeyWorker[] = [];

function openWorker(options: Parameters<typeof createKeyWorker>[0] = {}): KeyWorker {
  const worker = createKeyWorker(options);
  opened.push(worker);
  return worker;
}
afterEach(async () => {
  for (const worker of opened.splice(0)) await worker.close();
});

const send = (worker: KeyWorker, request: string) =>
  worker.importKey(Buffer.from(request), null).then(
    ({ comment }) => comment,
    (error: { code?: string }) => error.code,
  );

describe('a thread that', () => {
  test('crashes does no other harm: its job has a code, the next one a new thread', async () => {
    const worker = openWorker({ entry });
    const outcomes = await Promise.all(
      ['one', 'crash', 'two', 'exit', 'three'].map((request) => send(worker, request)),
    );
    expect(outcomes).toEqual(['one', 'key.notAKey', 'two', 'key.notAKey', 'three']);
  });

  test('hangs is ended', async () => {
    const worker = openWorker({ entry, timeoutMs: 300 });
    expect(await send(worker, 'hang')).toBe('key.cipherUnsupported');
    expect(
      await createKeyWorker({ entry, timeoutMs: 10_000 }).importKey(Buffer.from('on'), null),
    ).toMatchObject({
      comment: 'on',
    });
  });

  test('crashes between two jobs is replaced', async () => {
    const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
    const worker = openWorker({ entry });
    expect(await send(worker, 'one')).toBe('one');
    const thread = await started;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage({ kind: 'call', id: null, name: '', input: { bytes: Buffer.from('crash') } });
    await ended;
    expect(await send(worker, 'next')).toBe('next');
  });
});

test('the real thread answers with keys and codes, and can be closed and used again', async () => {
  const worker = openWorker();
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const jwk = normalizeJwk(privateKey.export({ format: 'jwk' }));
  expect(await worker.importKey(pem, null)).toEqual({ jwk, comment: '' });
  expect(await send(worker, 'words')).toBe('key.notAKey');
  await worker.close();
  const text = await worker.writeBackup(jwk, 'mine', 'correct horse');
  expect(await worker.importKey(Buffer.from(text), 'correct horse')).toEqual({ jwk, comment: 'mine' });
  await expect(worker.writeBackup(jwk, 'mine', 'eleven char')).rejects.toMatchObject({
    code: 'key.weakPassphrase',
  });
});

describe('between a file and the ring', () => {
  const makePorts = () => {
    const clock = { now: () => Date.UTC(2026, 2, 3) };
    const keyRing = createKeyRing({ profileDir: getProfileDir(), secrets: createEphemeralStore(), clock });
    return { keyRing, keyWorker: openWorker() };
  };

  test('a key is exported under a passphrase and imported as the same', async () => {
    const ports = makePorts();
    const key = await ports.keyRing.generate({ type: 'ecdsa-521', name: 'Front desk' });
    const text = await backUpKey(ports, { keyId: key.id, passphrase: 'correct horse' });
    expect(text).toMatch(
      /^-----BEGIN OPENSSH PRIVATE KEY-----\n[\s\S]*\n-----END OPENSSH PRIVATE KEY-----\n$/,
    );

    const again = { bytes: Buffer.from(text), passphrase: 'correct horse' };
    await expect(importKeyFile(ports, again)).rejects.toMatchObject({
      code: 'key.duplicate',
      details: { keyId: key.id, name: 'Front desk' },
    });
    await expect(importKeyFile(ports, { bytes: again.bytes })).rejects.toMatchObject({
      code: 'key.passphraseNeeded',
    });
    await ports.keyRing.remove(key.id);
    const imported = await importKeyFile(ports, again);
    expect(imported).toMatchObject({
      fingerprint: key.fingerprint,
      type: 'ecdsa-521',
      bits: 521,
      name: 'Front-desk',
    });
    expect(imported.publicKey).toBe(key.publicKey);
  });

  test('a given name outweighs the comment', async () => {
    const ports = makePorts();
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs1',
      format: 'pem',
    });
    const key = await importKeyFile(ports, { bytes: Buffer.from(pem), name: 'Given' });
    expect(key).toMatchObject({ name: 'Given', type: 'rsa-2048', bits: 2048 });
    expect(key.id).toMatch(/^rsa-2048-/);
  });

  test('a backup requires a passphrase, and an existing key', async () => {
    const ports = makePorts();
    const { id } = await ports.keyRing.generate({ type: 'ed25519' });
    await expect(backUpKey(ports, { keyId: id, passphrase: 'short' })).rejects.toMatchObject({
      code: 'key.weakPassphrase',
    });
    const unknown = { keyId: 'ed25519-none', passphrase: 'correct horse' };
    await expect(backUpKey(ports, unknown)).rejects.toMatchObject({ code: 'key.unknown' });
  });
});
