import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** Offline is what the last request met: whatever the service answers ends it. */
let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '5', '--claims', '20', '--seed', '3');
});
afterAll(() => bench.close());

test('any request reveals that a service can’t be reached, and any reply that it is back', async () => {
  const session = await bench.open(await bench.newProfile());
  onTestFinished(() => session.close());
  const engine = await session.getEngine();
  const { id: workspaceId } = await session.findWorkspace();
  const { publicToken, secretKey } = bench.sandbox.connect;
  await session.call('connect:saveSettings', { workspaceId, publicToken, secretKey });
  const told: boolean[] = [];
  engine.subscribe((event) => {
    if (event.name === 'service:changed') told.push(event.payload.isReachable);
  });
  const lay = (...faults: object[]) => bench.sandbox.control('PUT', '/faults', faults);
  const diagnose = () => engine.diagnose({ workspaceId });
  const probe = () => engine.probe({ workspaceId });
  const isReachable = async () => (await session.call('sync:getStatus', { workspaceId })).isServiceReachable;
  expect(await isReachable()).toBeNull();

  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the check of the key', probe],
    ['the doctor', diagnose],
    ['a call of Connect', () => session.call('connect:mint', { workspaceId })],
    [
      'the claims of a connection that is not known there',
      () =>
        expect(
          session.call('sync:refreshRecord', {
            workspaceId,
            what: { kind: 'connection', policyHolderId: 1 },
          }),
        ).rejects.toMatchObject({ code: 'service.notFound' }),
    ],
    [
      'a refusal',
      async () => {
        await lay({ kind: 'status', status: 403 });
        await expect(probe()).rejects.toMatchObject({ code: 'service.forbidden' });
      },
    ],
  ];
  for (const [name, ask] of calls) {
    await lay({ kind: 'reset' }, { kind: 'reset', route: 'connect' });
    // Asks once, while other calls would try again.
    await diagnose();
    expect(await isReachable(), `before ${name}`).toBe(false);
    await lay();
    await ask();
    expect(await isReachable(), `after ${name}`).toBe(true);
  }
  expect(told).toEqual(calls.flatMap(() => [false, true]));
});

test('a team server that does not answer says nothing about the claims service', async () => {
  const session = await bench.open(await bench.newProfile());
  onTestFinished(() => session.close());
  const { id: workspaceId } = await session.findWorkspace();
  await bench.sandbox.control('PUT', '/faults', []);
  await (await session.getEngine()).probe({ workspaceId });
  const wanted = { workspaceId, server: 'https://127.0.0.1:1', setupCode: 'none' };
  await expect(session.call('team:create', wanted)).rejects.toMatchObject({ code: 'team.unreachable' });
  expect((await session.call('sync:getStatus', { workspaceId })).isServiceReachable).toBe(true);
});
