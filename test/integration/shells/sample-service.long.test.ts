import { generateKeyPairSync } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { SampleProcess } from '../../../src/main/lib/sample-process.ts';
import { startSampleService } from '../../../src/main/lib/sample-service.ts';

function makePublicKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const field = (bytes: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(bytes.length);
    return Buffer.concat([size, bytes]);
  };
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
}

const readPage = async (baseUrl: string): Promise<string> => (await fetch(`${baseUrl}/settings/ssh`)).text();

test('starts on loopback, registers a key, stops, and comes back with it at the same address', async () => {
  const service = await startSampleService({ members: 20, claims: 100 });
  onTestFinished(() => service.close());
  expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(service.email).toContain('@');
  await service.register('Laptop', makePublicKey());
  expect(await readPage(service.baseUrl)).toContain('Laptop');

  await service.stop();
  await expect(readPage(service.baseUrl)).rejects.toThrow();

  await service.start();
  await service.start();
  expect(await readPage(service.baseUrl)).toContain('Laptop');
});

test('a key that the service refuses is a failure', async () => {
  const service = await startSampleService({ members: 5, claims: 5 });
  onTestFinished(() => service.close());
  await expect(service.register('x', 'no key')).rejects.toMatchObject({ code: 'sandbox.failed' });
});

/** A process that a test plays. */
function playProcess(line: string | null, options: { endsWhenAsked: boolean }) {
  const emitter = new EventEmitter();
  const stdout = new PassThrough();
  const done: string[] = [];
  const play: SampleProcess = {
    stdout,
    onEnded: (listener) => void emitter.once('end', listener),
    send: () => undefined,
    end: () => {
      done.push('end');
      if (options.endsWhenAsked) emitter.emit('end');
    },
    kill: () => {
      done.push('kill');
      emitter.emit('end');
    },
  };
  if (line === null) setImmediate(() => emitter.emit('end'));
  else stdout.write(line);
  return { play, done };
}

test.each([
  ['ends before it says anything', null],
  ['says something else', '{"event":"listening"}\n'],
  ['says no JSON', 'hello\n'],
])('a process that %s is a failure', async (_name, line) => {
  const { play, done } = playProcess(line, { endsWhenAsked: true });
  await expect(startSampleService({ members: 1, claims: 1, launch: () => play })).rejects.toMatchObject({
    code: 'sandbox.failed',
  });
  expect(done).toContain('kill');
});

test('a process that does not end on request is killed', async () => {
  const greeting = { baseUrl: 'http://127.0.0.1:1', account: { email: 'a@b.example' } };
  const { play, done } = playProcess(`${JSON.stringify(greeting)}\n`, { endsWhenAsked: false });
  const service = await startSampleService({ members: 1, claims: 1, launch: () => play });
  await service.close();
  expect(done).toEqual(['end', 'kill']);
});

test('a day at the service: some claims changed, some are new, one no longer exists', async () => {
  const service = await startSampleService({
    members: 20,
    claims: 200,
    corpus: 'ordinary',
    today: '2026-11-20',
  });
  try {
    await service.nextDay([]);
    await service.stop();
    await expect(service.nextDay([])).rejects.toMatchObject({ code: 'sandbox.failed' });
    await service.start();
  } finally {
    await service.close();
  }
});
