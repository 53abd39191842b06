import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectClient, Joined } from './connect-client.ts';
import { connectClient, join, pollUntil } from './connect-client.ts';
import { givenSandbox } from './given-sandbox.ts';
import { EventReader } from './progress-events.ts';

type Json = Record<string, unknown>;

const TEST = 15;
const TWO_FACTOR = 16;
const USUAL = { stepMs: 10, sessionMs: 600_000, pingMs: 15_000, streamMs: 600_000 };

const sandbox = givenSandbox('--members', '5', '--claims', '5');
let client: ConnectClient;
let dana: Joined;
let count = 0;

beforeAll(async () => {
  client = connectClient(sandbox);
  dana = await join(client, 'dana@x.example');
});
const set = (settings: Json) => sandbox.control('PUT', '/connect/settings', { ...USUAL, ...settings });
beforeEach(() => set({}));
afterEach(async () => {
  await sandbox.control('DELETE', '/faults');
  await sandbox.control('POST', '/clock', { skewSeconds: 0 });
});

async function submit(payer: number, word: string): Promise<Json> {
  count += 1;
  return client.post('/policy_holder', dana.submit(payer, `${word}${count}`));
}
const taskPath = (ids: Json): string => `/validate-credentials/${ids.policy_holder_id}/${ids.task_id}`;
const answer = (ids: Json, body: Json) =>
  client.call('PUT', taskPath(ids), { user_email: dana.email, ...body });
const poll = (ids: Json, ...states: string[]) => pollUntil(client, dana.email, ids, states);
const holder = (ids: Json): Promise<Json> =>
  client.get(`/policy_holder/${ids.policy_holder_id}?email=dana@x.example&employer_id=${dana.employerId}`);

function stream(ids: Json, changes: { task?: unknown; token?: string | null; base?: string } = {}) {
  const { task = ids.task_id, token = String(ids.task_token), base = '/v3/connect' } = changes;
  const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
  return fetch(`${sandbox.baseUrl}${base}/progress/${String(task)}/stream${query}`);
}
/** Opens the stream while the validation stands at its first state, then lets the sandbox's clock run through it. */
async function readFromFirstState(payer: number, word: string, base = '/v3/connect') {
  await set({ stepMs: 60_000 });
  const ids = await submit(payer, word);
  const reply = await stream(ids, { base });
  await sandbox.control('POST', '/clock', { skewSeconds: 600 });
  return { reply, events: await new EventReader(reply).rest() };
}
const statuses = (events: readonly { event: string; data: Json }[]): unknown[] =>
  events.map(({ event, data }) => (event === 'state' ? data.status : event));

describe('docs/service.md, "Test carriers"', () => {
  it.each([
    ['dana', { state: 'SUCCESS', credentials_are_valid: true, pending: false, message: null }, 'valid'],
    [
      'invalid',
      { state: 'FAILURE', credentials_are_valid: false, pending: false, message: expect.any(String) },
      'invalid',
    ],
    [
      'break',
      { state: 'FAILURE', credentials_are_valid: null, pending: false, message: expect.any(String) },
      'broken',
    ],
    [
      'problem',
      { state: 'SUCCESS', credentials_are_valid: false, pending: false, message: expect.any(String) },
      'sec_question',
    ],
    [
      'undecided',
      { state: 'SUCCESS', credentials_are_valid: null, pending: true, message: expect.any(String) },
      null,
    ],
    ['retry', { state: 'SUCCESS', credentials_are_valid: true, pending: false, message: null }, 'valid'],
  ])('a username with %s', async (word, end, problem) => {
    const ids = await submit(TEST, word);
    expect(await poll(ids, 'SUCCESS', 'FAILURE')).toEqual({ id: ids.task_id, info: null, ...end });
    expect(await holder(ids)).toMatchObject({
      login_problem: problem,
      login_needs_correction: problem !== null && problem !== 'valid',
    });
  });

  it('fast is validated immediately; any other takes a few seconds', async () => {
    // Far longer than the requests take: only the sandbox's clock takes a step.
    await set({ stepMs: 60_000 });
    expect(await client.get(`${taskPath(await submit(TEST, 'fast'))}?email=dana@x.example`)).toMatchObject({
      state: 'SUCCESS',
    });
    const ids = await submit(TEST, 'usual');
    const path = `${taskPath(ids)}?email=dana@x.example`;
    expect(await client.get(path)).toMatchObject({ state: 'PENDING', credentials_are_valid: null });
    await sandbox.control('POST', '/clock', { skewSeconds: 60 });
    expect(await client.get(path)).toMatchObject({ state: 'PENDING' });
    await sandbox.control('POST', '/clock', { skewSeconds: 300 });
    expect(await client.get(path)).toMatchObject({ state: 'SUCCESS' });
  });

  it('asks for a method and a code, accepts another code after a refused one, and connects', async () => {
    const ids = await submit(TWO_FACTOR, 'dana');
    const asked = await poll(ids, 'WAITING_FOR_METHOD_CHOICE');
    const { method_list: methods } = asked.info as { method_list: string[] };
    expect(methods).toEqual(['Text to (***) ***-1234', 'Email to d***@example.com', 'Call (***) ***-1234']);
    const acknowledged = await answer(ids, { method: methods[1] });
    expect([acknowledged.status, acknowledged.data]).toEqual([200, { id: ids.task_id, acknowledged: true }]);
    expect(await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE')).toMatchObject({ message: null, info: null });
    await answer(ids, { code: '000000' });
    const again = await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE');
    expect(again.message).toMatch(/not correct/);
    await answer(ids, { code: ' 123456 ' });
    expect(await poll(ids, 'SUCCESS')).toMatchObject({ credentials_are_valid: true });
    expect(await holder(ids)).toMatchObject({ login_problem: 'valid', login_needs_correction: false });
  });

  it('with only one method, it does not ask for it; a refused login never gets that far', async () => {
    const ids = await submit(TWO_FACTOR, 'single');
    await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE');
    expect((await answer(ids, { code: '123456' })).status).toBe(200);
    expect(await poll(ids, 'SUCCESS', 'FAILURE')).toMatchObject({ state: 'SUCCESS' });
    const refused = await submit(TWO_FACTOR, 'single.invalid');
    expect(await poll(refused, 'WAITING_FOR_TWO_FACTOR_CODE', 'FAILURE')).toMatchObject({ state: 'FAILURE' });
  });

  it('five refused codes lock the account', async () => {
    const ids = await submit(TWO_FACTOR, 'single.locked');
    for (let n = 0; n < 5; n += 1) {
      await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE');
      await answer(ids, { code: String(n) });
    }
    await poll(ids, 'FAILURE');
    expect(await holder(ids)).toMatchObject({ login_problem: 'locked' });
  });

  it('who does not answer in time finds the carrier’s session closed', async () => {
    const ids = await submit(TWO_FACTOR, 'dana');
    await poll(ids, 'WAITING_FOR_METHOD_CHOICE');
    await sandbox.control('POST', '/clock', { skewSeconds: 601 });
    expect(await poll(ids, 'FAILURE')).toMatchObject({ message: expect.stringMatching(/session/) });
    expect(await holder(ids)).toMatchObject({ login_problem: 'needs_two_factor' });
  });

  it('a newer submit replaces one that still runs', async () => {
    const first = await submit(TWO_FACTOR, 'dana');
    await poll(first, 'WAITING_FOR_METHOD_CHOICE');
    const path = `/policy_holder/${first.policy_holder_id}`;
    const second = await client.put(path, dana.submit(TWO_FACTOR, `dana${count}`));
    expect(await poll(first, 'FAILURE')).toMatchObject({ message: expect.stringMatching(/newer/) });
    expect(await holder(first)).toMatchObject({ task_id: second.task_id });
  });
});

describe('docs/service.md, "Connect calls": PUT /validate-credentials takes exactly one of method and code', () => {
  it.each([
    [{}],
    [{ method: 'a', code: '1' }],
    [{ method: 7 }],
    [{ code: 123456 }],
    [{ method: 'Carrier pigeon' }],
  ])('%j: 422 with details', async (body) => {
    const ids = await submit(TWO_FACTOR, 'dana');
    await poll(ids, 'WAITING_FOR_METHOD_CHOICE');
    const reply = await answer(ids, body);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual(expect.any(Object));
    expect(await poll(ids, 'WAITING_FOR_METHOD_CHOICE')).toBeDefined();
  });

  it('an answer that nothing waits for: 422; nothing changes', async () => {
    const ids = await submit(TWO_FACTOR, 'dana');
    await poll(ids, 'WAITING_FOR_METHOD_CHOICE');
    expect((await answer(ids, { code: '123456' })).status).toBe(422);
    const ended = await submit(TEST, 'fast');
    expect((await answer(ended, { code: '123456' })).status).toBe(422);
  });

  it('a task of another connection, of another member, or none at all: 404', async () => {
    const [one, two] = [await submit(TEST, 'fast'), await submit(TEST, 'fast')];
    const crossed = `/validate-credentials/${one.policy_holder_id}/${two.task_id}?email=dana@x.example`;
    await join(client, 'erin@x.example');
    const foreign = `${taskPath(one)}?email=erin@x.example`;
    for (const path of [crossed, foreign, '/validate-credentials/x/y?email=dana@x.example'])
      expect((await client.call('GET', path)).status, path).toBe(404);
  });
});

describe('docs/service.md, "Connect calls": the event stream', () => {
  it.each(['/v3/connect', '/v3/sdk'])(
    '%s sends the raw states and ends after a terminal one',
    async (base) => {
      const { reply, events } = await readFromFirstState(TEST, 'retry', base);
      expect(reply.headers.get('content-type')).toContain('text/event-stream');
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(statuses(events)).toEqual(['PENDING', 'STARTED', 'RETRY', 'STARTED', 'SUCCESS']);
      expect(events.at(-1)?.data.result).toEqual({
        credentials_are_valid: true,
        pending: false,
        message: null,
      });
    },
  );

  it('contains the methods, and the message of a refused code', async () => {
    const ids = await submit(TWO_FACTOR, 'dana');
    await poll(ids, 'WAITING_FOR_METHOD_CHOICE');
    const reader = new EventReader(await stream(ids));
    expect((await reader.next())?.data).toEqual({
      status: 'WAITING_FOR_METHOD_CHOICE',
      result: { method_list: expect.arrayContaining(['Email to d***@example.com']) },
    });
    await answer(ids, { method: 'Email to d***@example.com' });
    expect(statuses([await reader.next(), await reader.next()] as never)).toEqual([
      'TRIGGERING_TWO_FACTOR_AUTH',
      'WAITING_FOR_TWO_FACTOR_CODE',
    ]);
    await answer(ids, { code: '1' });
    await reader.next();
    expect((await reader.next())?.data).toEqual({
      status: 'WAITING_FOR_TWO_FACTOR_CODE',
      result: { message: expect.stringMatching(/not correct/) },
    });
    await answer(ids, { code: '123456' });
    expect(statuses(await reader.rest())).toEqual(['ENTERING_CODE', 'TWO_FACTOR_AUTH_COMPLETE', 'SUCCESS']);
  });

  it('sends pings, and timeout before it ends; a fresh token from the policy holder continues it', async () => {
    await set({ pingMs: 20 });
    const ids = await submit(TWO_FACTOR, 'single');
    await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE');
    const pinged = new EventReader(await stream(ids));
    expect(statuses([await pinged.next(), await pinged.next(), await pinged.next()] as never)).toEqual([
      ...['WAITING_FOR_TWO_FACTOR_CODE', 'ping', 'ping'],
    ]);
    await pinged.close();
    await set({ streamMs: 50 });
    const events = statuses(await new EventReader(await stream(ids)).rest());
    expect(events).toEqual(['WAITING_FOR_TWO_FACTOR_CODE', 'timeout']);
    await set({});
    const { task_id: taskId, task_token: token } = await holder(ids);
    expect(taskId).toBe(ids.task_id);
    const reader = new EventReader(await stream(ids, { token: String(token) }));
    expect((await reader.next())?.data.status).toBe('WAITING_FOR_TWO_FACTOR_CODE');
    await answer(ids, { code: '123456' });
    expect(statuses(await reader.rest()).at(-1)).toBe('SUCCESS');
  });

  it('several clients can watch one task, and one that leaves does no harm', async () => {
    const ids = await submit(TWO_FACTOR, 'single');
    await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE');
    const readers = await Promise.all([0, 1].map(async () => new EventReader(await stream(ids))));
    for (const reader of readers) await reader.next();
    await readers[0]?.close();
    await answer(ids, { code: '123456' });
    expect(statuses((await readers[1]?.rest()) ?? []).at(-1)).toBe('SUCCESS');
  });

  it.each([
    ['no token', { token: null }, 401, 'Missing token'],
    ['an empty token', { token: '' }, 401, 'Missing token'],
    ['no token of this service', { token: 'x.y.z' }, 422, expect.any(String)],
    ['a task that is not the token’s', { task: 'another' }, 403, 'Not your task'],
  ])('%s: %s', async (_name, changes, status, message) => {
    const ids = await submit(TWO_FACTOR, 'dana');
    const reply = await stream(ids, changes);
    expect([reply.status, ((await reply.json()) as Json).message]).toEqual([status, message]);
  });

  it('an expired task token, by the clock or at once: 401', async () => {
    await set({ sessionMs: 86_400_000 });
    const ids = await submit(TWO_FACTOR, 'single');
    await sandbox.control('POST', '/clock', { skewSeconds: 601 });
    const late = await stream(ids);
    expect([late.status, await late.json()]).toEqual([401, { message: 'Task token has expired' }]);
    const { task_token: token } = await holder(ids);
    await sandbox.control('POST', '/connect/expire', { kind: 'task' });
    expect((await stream(ids, { token: String(token) })).status).toBe(401);
  });

  it('a task that has finished: 401 Task not available', async () => {
    const reply = await stream(await submit(TEST, 'fast'));
    expect([reply.status, await reply.json()]).toEqual([401, { message: 'Task not available' }]);
  });

  it('an access token is not a task token', async () => {
    const ids = await submit(TWO_FACTOR, 'dana');
    const reply = await client.call('GET', '/fix-credentials?email=dana@x.example', undefined, {
      'x-connect-access-token': String(ids.task_token),
    });
    expect(reply.status).toBe(422);
  });
});

describe('bad days of the stream', () => {
  const lay = (fault: Json) => sandbox.control('PUT', '/faults', [{ route: 'connect-stream', ...fault }]);

  it('drop-stream ends it without a message, or resets it; the validation continues', async () => {
    for (const how of ['end', 'reset']) {
      await lay({ kind: 'drop-stream', afterEvents: 1, how, times: 1 });
      const ids = await submit(TWO_FACTOR, 'single');
      const reader = new EventReader(await stream(ids));
      const read = reader.rest().then(
        (events) => statuses(events),
        () => 'reset',
      );
      const seen = await read;
      if (how === 'end') expect(seen).toHaveLength(1);
      else expect(seen).toBe('reset');
      await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE');
      expect((await stream(ids)).status).toBe(200);
    }
  });

  it('POST /connect/drop-streams drops open streams', async () => {
    const ids = await submit(TWO_FACTOR, 'single');
    await poll(ids, 'WAITING_FOR_TWO_FACTOR_CODE');
    const reader = new EventReader(await stream(ids));
    await reader.next();
    expect(await sandbox.control('POST', '/connect/drop-streams', { how: 'end' })).toEqual({
      dropped: expect.any(Number),
    });
    expect(await reader.next()).toBeNull();
  });

  it('timeout-stream sends timeout after a number of states', async () => {
    await lay({ kind: 'timeout-stream', afterEvents: 2, times: 1 });
    const { events } = await readFromFirstState(TWO_FACTOR, 'dana');
    expect(statuses(events)).toEqual(['PENDING', 'STARTED', 'timeout']);
  });

  it('mute-stream sends nothing until its time is over', async () => {
    await lay({ kind: 'mute-stream', times: 1 });
    await set({ streamMs: 200, pingMs: 20 });
    const events = await new EventReader(await stream(await submit(TWO_FACTOR, 'dana'))).rest();
    expect(statuses(events)).toEqual(['timeout']);
  });

  it('odd-stream spells the same states in every way that the standard allows', async () => {
    await lay({ kind: 'odd-stream', times: 1 });
    const { events } = await readFromFirstState(TEST, 'usual');
    expect(statuses(events)).toEqual(['hint', 'PENDING', 'hint', 'STARTED', 'hint', 'SUCCESS']);
  });

  it('status faults affect it like others', async () => {
    await lay({ kind: 'status', status: 500, times: 1 });
    const ids = await submit(TWO_FACTOR, 'single');
    expect([(await stream(ids)).status, (await stream(ids)).status]).toEqual([500, 200]);
  });
});
