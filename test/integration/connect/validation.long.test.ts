import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { openDeskOf, readLoggedCalls, seenRequests } from './connect-desk.ts';

const email = 'dana@newco.example';
const { sandbox, desk } = await openDeskOf(email);
beforeEach(async () => {
  await sandbox.control('PUT', '/connect/settings', { stepMs: 40 });
  await sandbox.control('DELETE', '/requests');
});
afterEach(async () => {
  await sandbox.control('DELETE', '/faults');
});

const fault = (wanted: object): Promise<unknown> => sandbox.control('POST', '/faults', wanted);
const answer = async (view: { policyHolderId: number }, code: string) =>
  desk.session.call('connect:sendCode', {
    workspaceId: desk.workspaceId,
    policyHolderId: view.policyHolderId,
    code,
  });
const submits = async (): Promise<number> =>
  (await seenRequests(sandbox)).filter(({ method, path }) => method !== 'GET' && /policy_holder/.test(path))
    .length;

test('two-factor: a method is chosen, a refused code shows the carrier’s message, the next is accepted; one submit', async () => {
  // The carrier takes its first step only after the submit was answered, however long that takes here.
  await sandbox.control('PUT', '/connect/settings', { stepMs: 2_000 });
  const begun = await desk.submit(email, 16, 'dana-two');
  await sandbox.control('PUT', '/connect/settings', { stepMs: 40 });
  expect(begun).toMatchObject({ phase: 'working', payerName: 'Test Two Factor Carrier' });
  const asked = await desk.until(begun.policyHolderId, ({ phase }) => phase === 'chooseMethod');
  expect(asked.methods).toContain('Text to (***) ***-1234');
  expect(asked.watchedBy).toBe('stream');
  const ref = { workspaceId: desk.workspaceId, policyHolderId: begun.policyHolderId };
  await expect(desk.session.call('connect:chooseMethod', { ...ref, method: 'Pigeon' })).rejects.toMatchObject(
    { code: 'connect.notAsked' },
  );
  await desk.session.call('connect:chooseMethod', { ...ref, method: 'Text to (***) ***-1234' });
  await desk.until(begun.policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer(begun, '000000');
  const refused = await desk.until(begun.policyHolderId, ({ isCodeRefused }) => isCodeRefused);
  expect(refused).toMatchObject({
    phase: 'enterCode',
    message: 'The code you entered is not correct. Please try again.',
  });
  await answer(begun, '123456');
  const ended = await desk.until(begun.policyHolderId, ({ phase }) => phase === 'ended');
  expect(ended).toMatchObject({ outcome: 'connected', state: 'SUCCESS' });
  expect(await submits()).toBe(1);
  await expect(answer(begun, '123456')).rejects.toMatchObject({ code: 'connect.notAsked' });
});

test.each([
  ['dana-fast', 15, 'connected', 'valid'],
  ['dana-invalid', 15, 'failed', 'invalid'],
  ['dana-break', 15, 'failed', 'broken'],
  ['dana-problem', 15, 'attention', 'sec_question'],
  ['dana-undecided', 15, 'provisional', null],
  ['dana-retry', 15, 'connected', 'valid'],
] as const)('%s ends %s', async (username, payerId, outcome, loginProblem) => {
  const { policyHolderId } = await desk.submit(email, payerId, username);
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(view).toMatchObject({ outcome, loginProblem });
  expect(view.sentence).not.toBe('');
});

test('if a carrier stalls after the code, the connection has the result, and no more questions are asked', async () => {
  const { policyHolderId } = await desk.submit(email, 18, 'dana-single-rests');
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer({ policyHolderId }, '123456');
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(view).toMatchObject({
    state: 'TWO_FACTOR_AUTH_COMPLETE',
    outcome: 'connected',
    loginProblem: 'valid',
  });
});

test('an unknown result is checked again, and reported once the connection has it', async () => {
  const { policyHolderId } = await desk.submit(email, 18, 'dana-single-undecided');
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer({ policyHolderId }, '123456');
  const unknown = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(unknown).toMatchObject({
    outcome: 'unknown',
    sentence: expect.any(String),
    nextStep: expect.any(String),
  });
  const ref = { workspaceId: desk.workspaceId, policyHolderId };
  await desk.session.call('connect:checkAgain', ref);
  expect((await desk.until(policyHolderId, ({ phase }) => phase === 'ended')).outcome).toBe('unknown');
  await sandbox.control('PUT', `/connect/policy-holders/${policyHolderId}`, { loginProblem: 'valid' });
  expect((await desk.session.call('connect:checkAgain', ref)).startedAt).toBe(unknown.startedAt);
  expect((await desk.until(policyHolderId, ({ phase }) => phase === 'ended')).outcome).toBe('connected');
  expect(await submits()).toBe(1);
});

test('while the connection has the task, the state after the code is watched and shown', async () => {
  const { policyHolderId } = await desk.submit(email, 18, 'dana-single-hanging');
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer({ policyHolderId }, '123456');
  const view = await desk.until(policyHolderId, ({ state }) => state === 'TWO_FACTOR_AUTH_COMPLETE');
  expect(view).toMatchObject({ phase: 'working', outcome: null });
});

test.each([
  [
    'ends after each event',
    { kind: 'drop-stream', route: 'connect-stream', afterEvents: 1, how: 'end', times: 3 },
  ],
  ['is reset', { kind: 'drop-stream', route: 'connect-stream', afterEvents: 1, how: 'reset', times: 1 }],
  ['times out', { kind: 'timeout-stream', route: 'connect-stream', afterEvents: 1, times: 2 }],
  ['has a fault', { kind: 'status', status: 500, route: 'connect-stream' }],
  ['spells its events oddly', { kind: 'odd-stream', route: 'connect-stream' }],
])('a stream that %s loses nothing', async (_name, wanted) => {
  await sandbox.control('PUT', '/connect/settings', { stepMs: 250 });
  await fault(wanted);
  const { policyHolderId } = await desk.submit(email, 16, `dana-single-${wanted.kind}`);
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer({ policyHolderId }, '123456');
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(view.outcome).toBe('connected');
  expect(await submits()).toBe(1);
});

/** How often the service was asked for this; a stream that stays open is asked for once. */
const requestsFor = async (part: string): Promise<number> =>
  (await seenRequests(sandbox)).filter(({ path }) => path.includes(part)).length;

test('a question missing from the stream is found by polling, while the stream stays open', async () => {
  // Long enough that the first event is not the question already.
  await sandbox.control('PUT', '/connect/settings', { stepMs: 400 });
  await fault({ kind: 'lost-events', route: 'connect-stream', afterEvents: 1, count: 3 });
  const { policyHolderId } = await desk.submit(email, 16, 'dana-single-lost');
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  expect(view.watchedBy).toBe('stream');
  expect(await requestsFor('/progress/')).toBe(1);
  expect(await requestsFor('/validate-credentials/')).toBeGreaterThan(0);
  await answer({ policyHolderId }, '123456');
  const ended = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(ended.outcome).toBe('connected');
});

test('an end missing from the stream is found by polling', async () => {
  await sandbox.control('PUT', '/connect/settings', { stepMs: 400 });
  await fault({ kind: 'lost-events', route: 'connect-stream', afterEvents: 1 });
  const { policyHolderId } = await desk.submit(email, 15, 'dana-lost');
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(view.outcome).toBe('connected');
  expect(await requestsFor('/progress/')).toBe(1);
});

test('the carrier’s message is shown if a failure contains nothing else', async () => {
  await sandbox.control('PUT', '/connect/settings', { failureResult: 'text' });
  const { policyHolderId } = await desk.submit(email, 15, 'dana-invalid-text');
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(view).toMatchObject({
    outcome: 'failed',
    message: 'The carrier did not accept this username and password.',
  });
  await sandbox.control('PUT', '/connect/settings', { failureResult: 'object' });
});

test('a closed stream is reopened through the policy holder, with a fresh token', async () => {
  const { policyHolderId } = await desk.submit(email, 16, 'dana-single-reattach');
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await sandbox.control('POST', '/connect/drop-streams', { how: 'end' });
  const streams = async (): Promise<number> =>
    (await seenRequests(sandbox)).filter(({ path }) => path.includes('/progress/')).length;
  await expect.poll(streams).toBe(2);
  await answer({ policyHolderId }, '123456');
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(view.outcome).toBe('connected');
});

test('while the network is down it says so, and it continues by itself afterwards', async () => {
  await sandbox.control('PUT', '/connect/settings', { stepMs: 400 });
  for (const route of ['connect-stream', 'connect-validation', 'connect-policy-holder'])
    await fault({ kind: 'reset', route });
  const { policyHolderId } = await desk.submit(email, 15, 'dana-away');
  const away = await desk.until(policyHolderId, ({ interruption }) => interruption !== null);
  expect(away).toMatchObject({ interruption: 'service.connectionLost', outcome: null, phase: 'working' });
  await sandbox.control('DELETE', '/faults');
  const view = await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  expect(view).toMatchObject({ outcome: 'connected', interruption: null });
  expect(await submits()).toBe(1);
});

test('pressing a button twice sends nothing more', async () => {
  const both = await Promise.allSettled([
    desk.submit(email, 15, 'dana-twice-fast'),
    desk.submit(email, 15, 'dana-twice-fast'),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'connect.submitRunning' },
  });
  expect(await submits()).toBe(1);
});

test('two concurrent validations do not disturb each other', async () => {
  const first = await desk.submit(email, 16, 'dana-single-one');
  const second = await desk.submit(email, 16, 'dana-single-other');
  expect(first.policyHolderId).not.toBe(second.policyHolderId);
  for (const { policyHolderId } of [first, second])
    await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer(second, '123456');
  expect((await desk.until(second.policyHolderId, ({ phase }) => phase === 'ended')).outcome).toBe(
    'connected',
  );
  expect((await desk.until(first.policyHolderId, () => true)).phase).toBe('enterCode');
  await answer(first, '123456');
  expect((await desk.until(first.policyHolderId, ({ phase }) => phase === 'ended')).outcome).toBe(
    'connected',
  );
});

test('a validation continues where it was after the engine ended, without the login', async () => {
  const { policyHolderId } = await desk.submit(email, 16, 'dana-single-restart');
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await desk.restart();
  const { validations } = await desk.session.call('connect:listValidations', {
    workspaceId: desk.workspaceId,
  });
  expect(validations.map((one) => one.policyHolderId)).toContain(policyHolderId);
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer({ policyHolderId }, '123456');
  expect((await desk.until(policyHolderId, ({ phase }) => phase === 'ended')).outcome).toBe('connected');
  expect(await submits()).toBe(1);
});

test('a carrier password sent through the whole flow is in no profile, log or temporary file', async () => {
  const canary = 'Zx9!canary-Password-4711';
  const before = new Set(await readdir(tmpdir()));
  const { policyHolderId } = await desk.submit(email, 16, 'dana-single-canary', canary);
  await desk.until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await answer({ policyHolderId }, '123456');
  await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  await fault({ kind: 'status', status: 500, route: 'connect-submit', times: 1 });
  await expect(desk.submit(email, 15, 'dana-single-canary', canary)).rejects.toMatchObject({
    code: 'connect.submitUncertain',
  });
  const calls = await readLoggedCalls(desk);
  expect(calls.length).toBeGreaterThan(5);
  const told = JSON.stringify(calls);
  for (const word of [canary, 'dana', sandbox.connect.secretKey, sandbox.connect.publicToken])
    expect(told).not.toContain(word);
  const secrets = [canary, 'dana-single-canary', sandbox.connect.secretKey, email];
  const files = listFiles(desk.profileDir);
  expect(files.some((path) => path.endsWith('connect.sealed'))).toBe(true);
  for (const path of files) expect(findPlain(await readFile(path), secrets), path).toEqual([]);
  for (const name of (await readdir(tmpdir())).filter((one) => !before.has(one) && /claimdesk/.test(one))) {
    const path = join(tmpdir(), name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    expect(findPlain(bytes, [canary]), path).toEqual([]);
  }
});

test('no cookie and no Origin is ever sent, though each reply set one', async () => {
  await desk.bootstrap('alex@newco.example');
  await desk.session.call('connect:getTerms', { workspaceId: desk.workspaceId, email });
  await desk.session.call('connect:fix', { workspaceId: desk.workspaceId, email: 'alex@newco.example' });
  const requests = await seenRequests(sandbox);
  expect(requests.length).toBeGreaterThanOrEqual(3);
  for (const { cookie, origin, headerNames } of requests) {
    expect({ cookie, origin }).toEqual({ cookie: null, origin: null });
    for (const name of ['cookie', 'origin', 'referer']) expect(headerNames).not.toContain(name);
  }
  expect(await sandbox.control('GET', '/complaints')).toEqual({ data: [] });
});
