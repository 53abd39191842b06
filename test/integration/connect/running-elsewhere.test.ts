import { beforeEach, expect, test } from 'vitest';
import { openConnectDesk, openDeskOf, seenRequests } from './connect-desk.ts';

const email = 'dana@newco.example';
const { sandbox, desk } = await openDeskOf(email);
await sandbox.control('PUT', '/connect/settings', { stepMs: 40 });
const ids: number[] = [];
for (let n = 0; n < 6; n += 1) {
  const { policyHolderId } = await desk.submit(email, 16, `dana-fast-${n}`);
  await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  ids.push(policyHolderId);
}
beforeEach(async () => {
  await sandbox.control('DELETE', '/requests');
  await sandbox.control('POST', '/clock', { skewSeconds: 0 });
});

/** Starts a validation as the portal or another computer would. */
const beginElsewhere = (id: number, username = 'single'): Promise<unknown> =>
  sandbox.control('POST', `/connect/policy-holders/${id}/validations`, { username });
const look = async (onScreenId: number | null): Promise<number[]> =>
  (await desk.session.call('connect:watchRunning', { workspaceId: desk.workspaceId, onScreenId })).watched;
const ref = (policyHolderId: number) => ({ workspaceId: desk.workspaceId, policyHolderId });
const connection = async (id: number) => {
  const { connections } = await desk.session.call('connect:listConnections', {
    workspaceId: desk.workspaceId,
  });
  return connections.find(({ policyHolderId }) => policyHolderId === id);
};
const at = (n: number): number => ids[n] as number;

test('if nothing runs, nothing is watched, and nothing new is reported about the connection', async () => {
  const before = await desk.session.call('connect:getValidation', ref(at(0)));
  expect(await look(at(0))).toEqual([]);
  expect(await desk.session.call('connect:getValidation', ref(at(0)))).toEqual(before);
  expect(await look(999_999)).toEqual([]);
});

test('a validation begun elsewhere is found through the connection on the screen, and its question answered', async () => {
  await beginElsewhere(at(0), 'dana');
  expect(await look(at(0))).toEqual([at(0)]);
  const asked = await desk.until(at(0), ({ phase }) => phase === 'chooseMethod');
  expect(asked).toMatchObject({ isStartedHere: false, payerName: 'Test Two Factor Carrier', email });
  expect((await connection(at(0)))?.severity).toBe('running');
  await desk.session.call('connect:chooseMethod', { ...ref(at(0)), method: asked.methods[0] ?? '' });
  await desk.until(at(0), ({ phase }) => phase === 'enterCode');
  await desk.session.call('connect:sendCode', { ...ref(at(0)), code: '123456' });
  expect((await desk.until(at(0), ({ phase }) => phase === 'ended')).outcome).toBe('connected');
  await expect.poll(async () => (await connection(at(0)))?.isRunning).toBe(false);
  const requests = await seenRequests(sandbox);
  expect(requests.filter(({ method, path }) => method !== 'GET' && /policy_holder/.test(path))).toEqual([]);
});

test('a few are watched at once: the one on the screen always, the others as they fit', async () => {
  for (const id of ids) await beginElsewhere(id);
  await desk.session.call('connect:fix', { workspaceId: desk.workspaceId, email });
  const first = await look(null);
  expect(first).toHaveLength(4);
  const [left = 0] = ids.filter((id) => !first.includes(id));
  const second = await look(left);
  expect(second).toHaveLength(4);
  expect(second).toContain(left);
  await desk.until(left, ({ phase }) => phase === 'enterCode');
  await desk.session.call('connect:sendCode', { ...ref(left), code: '123456' });
  await desk.until(left, ({ phase }) => phase === 'ended');
  expect(await look(null)).toHaveLength(4);
});

test('a newer validation of a connection is watched after its own has ended, but not once it has ended itself', async () => {
  const { policyHolderId } = await desk.submit(email, 15, 'dana-quick');
  await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  // It takes no step by itself before it is watched, however long that takes here.
  await sandbox.control('PUT', '/connect/settings', { stepMs: 60_000 });
  await beginElsewhere(policyHolderId, 'dana-elsewhere-invalid');
  await look(policyHolderId);
  await sandbox.control('POST', '/clock', { skewSeconds: 180 });
  const ended = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(ended).toMatchObject({ isStartedHere: false, outcome: 'failed', loginProblem: 'invalid' });
  expect(await look(policyHolderId)).not.toContain(policyHolderId);
});

test('without the secret key it is found as well', async () => {
  const other = await openConnectDesk(sandbox, { secretKey: null });
  try {
    await other.bootstrap(email);
    const { policyHolderId } = await other.submit(email, 15, 'dana-nosecret-fast');
    await other.until(policyHolderId, ({ phase }) => phase === 'ended');
    await sandbox.control('PUT', '/connect/settings', { stepMs: 60_000 });
    await beginElsewhere(policyHolderId, 'dana-undecided');
    await other.session.call('connect:watchRunning', {
      workspaceId: other.workspaceId,
      onScreenId: policyHolderId,
    });
    await sandbox.control('POST', '/clock', { skewSeconds: 180 });
    const view = await other.until(policyHolderId, ({ phase }) => phase === 'ended');
    expect(view).toMatchObject({ isStartedHere: false, outcome: 'provisional' });
  } finally {
    await other.close();
  }
});
