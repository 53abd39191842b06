import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RotationState } from '../../../src/contract/rotation.ts';
import { startSampleService } from '../../../src/main/lib/sample-service.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { readKeyCli, runKeyCli } from './run-key-cli.ts';

type Told = RotationState & { event: string; next: { text: string; answers: string[]; page: string | null } };

const profileDir = givenTempProfile();
const run = (...args: string[]) => readKeyCli(profileDir(), args);
const rotate = async (...args: string[]) => (await run('key', 'rotate', ...args))[0] as unknown as Told;
let service: Awaited<ReturnType<typeof startSampleService>>;
beforeAll(async () => {
  service = await startSampleService({ members: 5, claims: 5 });
});
afterAll(() => service.close());

test('a script can rotate from the old key to the new one', async () => {
  const { baseUrl, email } = service;
  await run('workspace', 'add', `--base-url=${baseUrl}`, `--email=${email}`);
  expect(await runKeyCli(profileDir(), ['key', 'rotate'])).toMatchObject({
    code: 1,
    errorCode: 'key.missing',
  });
  const [old] = await run('key', 'generate', '--name', 'Nightly');
  await service.register('Nightly', String(old?.publicKey));

  const begun = await rotate('--type', 'ecdsa-256');
  expect(begun).toMatchObject({ event: 'waiting', step: 'made', nextTask: 'register', needsPerson: true });
  expect(begun.next).toMatchObject({ answers: ['registered', 'cancel'], page: `${baseUrl}/settings/ssh` });
  // Asked again, it says where it stands and begins nothing.
  expect(await rotate()).toMatchObject({ id: begun.id, step: 'made' });
  const early = await runKeyCli(profileDir(), ['key', 'rotate', '--answer', 'old-deleted']);
  expect(early).toMatchObject({ code: 1, errorCode: 'key.rotationOutOfStep' });
  expect(await rotate('--answer', 'registered')).toMatchObject({ step: 'made', setback: 'newKeyRefused' });

  // A step that fails now is reported, and the next call takes it up.
  await service.register('Successor', begun.newKey?.publicKey ?? '');
  await service.stop();
  const stopped = await runKeyCli(profileDir(), ['key', 'rotate', '--answer', 'registered']);
  expect(stopped).toMatchObject({ code: 1, errorCode: 'service.unreachable' });
  expect(JSON.parse(stopped.stdout)).toMatchObject({
    event: 'stopped',
    step: 'registered',
    needsPerson: false,
  });
  await service.start();
  expect(await rotate()).toMatchObject({ event: 'waiting', step: 'switched', nextTask: 'askOthers' });

  expect(await rotate('--answer', 'others-switched')).toMatchObject({ nextTask: 'deleteOld' });
  await service.deleteKey(String(old?.publicKey));
  const over = await rotate('--answer', 'old-deleted');
  expect(over).toMatchObject({
    event: 'over',
    step: 'retired',
    isOver: true,
    next: { answers: [], page: null },
  });
  expect((await run('key', 'list')).map(({ id }) => id)).toEqual([begun.newKeyId]);
  expect(await run('key', 'check', begun.newKeyId)).toMatchObject([{ isAccepted: true }]);

  const refused = await runKeyCli(profileDir(), ['key', 'retire', begun.newKeyId]);
  expect(refused).toMatchObject({ code: 1, errorCode: 'key.nameNeeded' });
  const name = String(over.newKey?.name);
  expect(await run('key', 'retire', begun.newKeyId, '--confirm-name', name)).toMatchObject([
    { event: 'retired' },
  ]);
});
