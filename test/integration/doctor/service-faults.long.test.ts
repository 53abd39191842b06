import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FindingCode } from '../../../src/contract/doctor-steps.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';
import {
  accountEmail,
  type DoctorDesk,
  expectCause,
  expectCleanReport,
  openDoctorDesk,
  stepOf,
} from './doctor-desk.ts';

const getProfileDir = givenTempProfile();
let sandbox: Sandbox;
let desk: DoctorDesk | null = null;

beforeAll(async () => {
  sandbox = await startSandbox('--members', '5', '--claims', '5', '--email', accountEmail);
});
afterAll(() => sandbox?.stop());
afterEach(async () => {
  await desk?.close();
  desk = null;
  await sandbox.control('DELETE', '/faults');
  await sandbox.control('POST', '/clock', { skewSeconds: 0 });
  await sandbox.control('PUT', '/account', { cidrAllowlist: null });
  await sandbox.control('DELETE', '/keys');
});

async function openDesk(options: Partial<Parameters<typeof openDoctorDesk>[0]> = {}): Promise<DoctorDesk> {
  desk = await openDoctorDesk({
    profileDir: getProfileDir(),
    baseUrl: sandbox.baseUrl,
    register: (publicKey) => sandbox.control('POST', '/keys', { publicKey }),
    ...options,
  });
  return desk;
}

const requests = async () =>
  (await sandbox.control<{ data: { authorizationScheme: string | null }[] }>('GET', '/requests')).data;

test('a connection that works', async () => {
  const { diagnose } = await openDesk();
  const result = await diagnose();
  expect(result).toMatchObject({ outcome: 'works', cause: null });
  expect(result.steps.map(({ status }) => status)).toEqual(Array(13).fill('ok'));
  expectCleanReport(result, desk ?? undefined);
  expect(result.report).toContain('Connected.');
});

/** Where the first answer says enough, the token stays here. */
test.each<[string, object, FindingCode, string]>([
  ['asks for fewer requests', { kind: 'rate-limit', seconds: 90 }, 'rateLimit.limited', 'rateLimit'],
  ['has a fault', { kind: 'status', status: 500 }, 'http.fault', 'http'],
  ['is down behind its gateway', { kind: 'status', status: 503, body: 'html' }, 'http.gateway', 'http'],
  ['does not know the address', { kind: 'status', status: 404 }, 'http.noSuchPath', 'http'],
  ['answers too late', { kind: 'latency', ms: 15_000 }, 'http.noAnswer', 'http'],
  ['cuts the connection', { kind: 'reset' }, 'http.connectionLost', 'http'],
  [
    'sends elsewhere',
    { kind: 'redirect', location: 'https://other.doctor.test/in' },
    'reply.redirected',
    'reply',
  ],
])('a service that %s', async (_, fault, cause, stepId) => {
  const { diagnose } = await openDesk();
  await sandbox.control('DELETE', '/requests');
  await sandbox.control('PUT', '/faults', [fault]);
  const result = await diagnose();
  expectCause(result, cause, desk ?? undefined);
  expect(result.steps.find(({ code }) => code === cause)?.id).toBe(stepId);
  expect((await requests()).every(({ authorizationScheme }) => authorizationScheme === null)).toBe(true);
});

test('the wait that the service asks for, and the target of a redirect, are reported', async () => {
  const { diagnose } = await openDesk();
  await sandbox.control('PUT', '/faults', [{ kind: 'rate-limit', seconds: 90 }]);
  expect(stepOf(await diagnose(), 'rateLimit')).toMatchObject({
    facts: { status: 429, retryAfterSeconds: 90 },
    remedy: expect.stringContaining('Wait 90 seconds'),
  });
  await sandbox.control('PUT', '/faults', [{ kind: 'redirect', location: 'https://other.doctor.test/in' }]);
  const redirected = await diagnose();
  expect(stepOf(redirected, 'reply').shown).toEqual({ redirectHost: 'other.doctor.test' });
  expectCleanReport(redirected);
});

/** The replies that follow a token that was good. */
test.each<[string, object, FindingCode]>([
  ['a web page', { kind: 'replace-body', body: 'html' }, 'reply.html'],
  ['nothing', { kind: 'replace-body', body: 'empty' }, 'reply.empty'],
  ['a word', { kind: 'replace-body', body: 'text' }, 'reply.notJson'],
  ['half of it', { kind: 'truncated', keep: 0.5 }, 'reply.truncated'],
  ['a part, then a reset', { kind: 'reset', afterBytes: 100 }, 'reply.brokenOff'],
])('instead of the data, %s arrives', async (_, fault, cause) => {
  const { diagnose } = await openDesk();
  await sandbox.control('PUT', '/faults', [fault]);
  const result = await diagnose();
  expectCause(result, cause, desk ?? undefined);
  expect(stepOf(result, 'http').status).toBe('ok');
});

test('a page of errors only with a token', async () => {
  const { diagnose } = await openDesk();
  await sandbox.control('PUT', '/faults', [{ kind: 'status', status: 500, after: 1 }]);
  expectCause(await diagnose(), 'http.fault', desk ?? undefined);
  await sandbox.control('PUT', '/faults', [{ kind: 'rate-limit', after: 1 }]);
  expectCause(await diagnose(), 'rateLimit.limited', desk ?? undefined);
});

test.each([
  [540, /\b9 minutes behind/],
  // A Date header is good to a second.
  [-90, /\b(8[89]|9[0-2]) seconds ahead of/],
])('a clock that is %i s off is reported, and the connection still works', async (skewSeconds, words) => {
  const { diagnose } = await openDesk();
  await sandbox.control('POST', '/clock', { skewSeconds });
  const result = await diagnose();
  expectCause(result, 'clock.off', desk ?? undefined);
  expect(result.outcome).toBe('attention');
  expect(stepOf(result, 'clock').sentence).toMatch(words);
  expect(Math.abs((stepOf(result, 'clock').facts.offsetSeconds ?? 0) - skewSeconds)).toBeLessThan(3);
  expect(stepOf(result, 'acceptance').code).toBe('acceptance.accepted');
});

const listed = ['check.registered', 'check.otherAccount', 'check.emailTyped', 'check.otherKey'];

test('if a key is not registered, the service hides it, and the doctor says so and lists what to check', async () => {
  const { diagnose, key } = await openDesk({ register: async () => undefined });
  const result = await diagnose();
  expectCause(result, 'acceptance.refused', desk ?? undefined);
  const { checks, sentence } = stepOf(result, 'acceptance');
  expect(sentence).toContain('It doesn’t say whether the key or the email is the problem');
  expect(checks.map(({ code }) => code)).toEqual(listed);
  expect(checks[0]?.shown).toEqual({
    fingerprint: key?.fingerprint,
    registrationUrl: `${sandbox.baseUrl}/settings/ssh`,
  });
  expect(result.report).toContain('a) The public key is not registered');
});

test('an email unknown to the service gets the same answer and the same list', async () => {
  const { diagnose } = await openDesk({ email: 'jane.planetd@sandbox.example' });
  const result = await diagnose();
  expectCause(result, 'acceptance.refused', desk ?? undefined);
  expect(stepOf(result, 'acceptance').checks.map(({ code }) => code)).toEqual(listed);
});

test('for a key that was accepted before, the first thing to check is whether it was deleted', async () => {
  const { diagnose, session, workspaceId } = await openDesk();
  await session.call('keys:check', { workspaceId });
  await sandbox.control('DELETE', '/keys');
  const result = await diagnose();
  expectCause(result, 'acceptance.refused', desk ?? undefined);
  expect(stepOf(result, 'acceptance').checks[0]?.code).toBe('check.registeredStill');
  expect(stepOf(result, 'key').facts.acceptedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('a scheme that the service does not recognize gets the same answer as no token', async () => {
  const { diagnose } = await openDesk();
  const path = join(getProfileDir(), 'workspaces.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"SSH-JWT"', '"Bearer"'));
  const result = await diagnose();
  expectCause(result, 'acceptance.refused', desk ?? undefined);
  expect(stepOf(result, 'acceptance').checks.at(-1)?.code).toBe('check.scheme');
});

test('an address outside the allowlist', async () => {
  const { diagnose } = await openDesk();
  await sandbox.control('PUT', '/account', { cidrAllowlist: ['10.0.0.0/8'] });
  const result = await diagnose();
  expectCause(result, 'permission.refused', desk ?? undefined);
  expect(stepOf(result, 'acceptance').code).toBe('acceptance.accepted');
  expect(stepOf(result, 'permission').checks.map(({ code }) => code)).toEqual([
    'check.networkAddress',
    'check.accountRights',
  ]);
});

test('a 403 that does not depend on the token', async () => {
  const { diagnose } = await openDesk();
  await sandbox.control('PUT', '/faults', [{ kind: 'status', status: 403, body: 'empty' }]);
  expectCause(await diagnose(), 'permission.refusedEarly', desk ?? undefined);
});

test('a clock beyond ten minutes is explained, nothing is signed by it, and a user’s confirmation is valid for a day', async () => {
  const years = 5 * 365 * 86_400;
  let mayConfirm = false;
  const { diagnose, session, workspaceId } = await openDesk({
    confirm: async () => mayConfirm,
  });
  await sandbox.control('POST', '/clock', { skewSeconds: years });
  const result = await diagnose();
  expectCause(result, 'clock.skewed', desk ?? undefined);
  expect(stepOf(result, 'token').code).toBe('step.notTried');
  expect(stepOf(result, 'acceptance').code).toBe('acceptance.noToken');
  const check = () => session.call('keys:check', { workspaceId });
  await expect(check()).rejects.toMatchObject({ code: 'service.clockSkew' });
  const offsetSeconds = stepOf(result, 'clock').facts.offsetSeconds ?? 0;
  const accept = { workspaceId, offsetSeconds };
  await expect(session.call('workspaces:acceptClock', accept)).rejects.toMatchObject({
    code: 'app.notConfirmed',
  });
  await expect(check()).rejects.toMatchObject({ code: 'service.clockSkew' });
  mayConfirm = true;
  await session.call('workspaces:acceptClock', accept);
  expect(await check()).toMatchObject({ isAccepted: true });
  expectCause(await diagnose(), 'clock.off', desk ?? undefined);
});
