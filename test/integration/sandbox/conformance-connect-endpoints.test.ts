import { beforeAll, describe, expect, it } from 'vitest';
import type { ConnectClient, Joined } from './connect-client.ts';
import { connectClient, join, mint, naming, pollUntil } from './connect-client.ts';
import { givenSandbox } from './given-sandbox.ts';

type Json = Record<string, unknown>;

const sandbox = givenSandbox('--members', '20', '--claims', '100');
let client: ConnectClient;
let dana: Joined;

beforeAll(async () => {
  await sandbox.control('PUT', '/connect/settings', { stepMs: 10 });
  client = connectClient(sandbox);
  dana = await join(client, 'dana@x.example');
});

describe('docs/service.md, "Connect calls": POST /bootstrap', () => {
  it('answers user, employer, tenant and payers', async () => {
    const data = await client.post('/bootstrap', naming('new@x.example'));
    expect(data).toEqual({
      user: {
        id: expect.any(Number),
        email: 'new@x.example',
        first_name: 'Dana',
        last_name: 'Reyes',
        policy_holders: [],
      },
      employer: { id: dana.employerId, name: 'Newly Founded, Inc.', support_email_derived: null },
      tenant: { id: 30, name: 'Northwind Benefits' },
      payers: expect.any(Array),
    });
    expect((data.payers as Json[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Test Carrier', 'Test Two Factor Carrier', 'Test Patient Access Carrier']),
    );
  });

  it('repeating it returns the same member, and creates no new one', async () => {
    const before = (await sandbox.truth('members')).length;
    const again = await client.post('/bootstrap', naming('DANA@x.example', { user_first_name: 'Danielle' }));
    expect(again.user).toMatchObject({ id: dana.userId, email: 'dana@x.example', first_name: 'Dana' });
    expect(await sandbox.truth('members')).toHaveLength(before);
  });

  it('optional fields may be null or left out', async () => {
    const body = naming('opt@x.example', {
      date_of_birth: null,
      phone_number: '+1 216 555 0100',
      member_system_key: '007',
    });
    expect((await client.call('POST', '/bootstrap', body)).status).toBe(200);
  });

  it.each(['system_key', 'vendor', 'employer_name', 'user_email', 'user_first_name', 'user_last_name'])(
    '%s missing, empty or of another type: 422 with a detail for it',
    async (field) => {
      for (const value of [undefined, '', '  ', 7]) {
        const reply = await client.call('POST', '/bootstrap', naming('x@x.example', { [field]: value }));
        expect(reply.status, String(value)).toBe(422);
        expect(Object.keys(reply.body.errors as Json)).toEqual([field]);
      }
    },
  );

  it.each([
    ['user_email', 'nobody'],
    ['date_of_birth', '12/04/1985'],
    ['date_of_birth', '1985-02-30'],
  ])('%s = %j: 422', async (field, value) => {
    const reply = await client.call('POST', '/bootstrap', naming('x@x.example', { [field]: value }));
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toHaveProperty(field);
  });
});

describe('docs/service.md, "Connect calls": GET /payer/{employer_id}/{payer_id}', () => {
  const path = (payer: number | string, employer: number | string = dana.employerId) =>
    `/payer/${employer}/${payer}?email=dana@x.example`;

  it('answers the carrier with its form as JSON Schema and hints for react-jsonschema-form', async () => {
    const payer = await client.get(`${path(13)}&referer=call-center`);
    expect(payer).toMatchObject({
      id: 13,
      name: 'Bluestem Dental & Vision',
      has_security_questions: false,
      supports_interoperability_apis: false,
      register_url: 'https://bluestem.example/register',
      website_home_url_netloc: 'bluestem.example',
      redirect_vendor_name: null,
      blogs: [],
    });
    expect(payer.onboard_form).toMatchObject({
      type: 'object',
      required: ['username', 'password', 'subscriber_number'],
    });
    expect((payer.onboard_ui_schema as Json)['ui:order']).toEqual(['subscriber_number', '*', 'password']);
  });

  it('carriers differ: security questions, a date of birth, a vendor in between, articles', async () => {
    expect((await client.get(path(12))).has_security_questions).toBe(true);
    expect((await client.get(path(14))).redirect_vendor_name).toBe('Script Gateway');
    const mutual = await client.get(path(11));
    const { schema } = mutual.onboard_form as { schema: { properties: Json } };
    expect(schema.properties.date_of_birth).toMatchObject({ format: 'date', required: true });
    expect(mutual.blogs).toHaveLength(1);
  });

  it('the Patient Access carrier has no form', async () => {
    expect(await client.get(path(17))).toMatchObject({
      onboard_form: null,
      supports_interoperability_apis: true,
    });
  });

  it.each([['99'], ['0'], ['x'], ['-1'], ['1.5'], ['%00']])('the payer %s: 404', async (payer) => {
    expect((await client.call('GET', path(payer))).status).toBe(404);
  });

  it('an employer that the member was not bootstrapped for, or a malformed one: 404', async () => {
    for (const employer of [200, 999_999, 'x'])
      expect((await client.call('GET', path(15, employer))).status).toBe(404);
  });
});

describe('docs/service.md, "Connect calls": GET /terms_of_service', () => {
  it('answers HTML that names the tenant and that no one may trust', async () => {
    const { html_string: html } = await client.get('/terms_of_service?email=dana@x.example');
    expect(html).toContain('Northwind Benefits');
    expect(html).toContain('<script>');
    expect(html).toContain('onerror=');
  });
});

describe('docs/service.md, "Connect calls": POST /policy_holder', () => {
  it('answers policy_holder_id, task_id and task_token; the same login again is the same connection', async () => {
    const first = await client.post('/policy_holder', dana.submit(15, 'dana.fast'));
    expect(first).toEqual({
      policy_holder_id: expect.any(Number),
      task_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      task_token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    const again = await client.post('/policy_holder', dana.submit(15, 'Dana.Fast'));
    expect(again.policy_holder_id).toBe(first.policy_holder_id);
    expect(again.task_id).not.toBe(first.task_id);
  });

  it('tenants_accept of [true], which the published client sends, accepts', async () => {
    const ticked = dana.submit(15, 'ticked.fast', { tenants_accept: [true] });
    expect((await client.call('POST', '/policy_holder', ticked)).status).toBe(200);
  });

  it('payer.id works like payer_id', async () => {
    const { payer_id: id, ...body } = dana.submit(15, 'nested.payer.fast');
    expect((await client.call('POST', '/policy_holder', { ...body, payer: { id } })).status).toBe(200);
  });

  it.each([
    ['accept', undefined],
    ['accept', false],
    ['accept', null],
    ['tenants_accept', undefined],
    ['tenants_accept', []],
    ['tenants_accept', null],
    ['tenants_accept', [31]],
    ['tenants_accept', [false]],
  ])('%s = %j: 403, terms not accepted', async (field, value) => {
    const reply = await client.call('POST', '/policy_holder', dana.submit(15, 'fast', { [field]: value }));
    expect(reply.status).toBe(403);
    expect(reply.body.errors).toBeUndefined();
  });

  it.each([
    ['tenants_accept', '30'],
    ['tenants_accept', ['30']],
    ['accept', 'yes'],
    ['employer_id', undefined],
    ['employer_id', '200'],
    ['payer_id', undefined],
    ['payer_id', 1.5],
    ['payer_id', 17],
    ['username', ''],
    ['username', undefined],
    ['password', undefined],
    ['date_of_birth', 'yesterday'],
    ['member_id', 5],
  ])('%s = %j: 422 with a detail for it', async (field, value) => {
    const reply = await client.call('POST', '/policy_holder', dana.submit(15, 'fast', { [field]: value }));
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors as Json).map((name) => name.split('.')[0])).toEqual([field]);
  });

  it('what the carrier’s form declares is checked at the top level', async () => {
    const reply = await client.call(
      'POST',
      '/policy_holder',
      dana.submit(13, 'fast', { subscriber_number: 'x' }),
    );
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({ subscriber_number: ['must be a letter and eight digits'] });
    const filled = dana.submit(13, 'fast', { subscriber_number: 'W12345678' });
    expect((await client.call('POST', '/policy_holder', filled)).status).toBe(200);
    const email = await client.call('POST', '/policy_holder', dana.submit(14, 'not an email'));
    expect(email.body.errors).toHaveProperty('username');
  });

  it('an employer or a payer that is not the member’s: 404', async () => {
    for (const change of [{ employer_id: 200 }, { payer_id: 99 }]) {
      expect((await client.call('POST', '/policy_holder', dana.submit(15, 'fast', change))).status).toBe(404);
    }
  });

  it('a username that another member’s connection has: 403', async () => {
    const erin = await join(client, 'erin@x.example');
    await client.post('/policy_holder', erin.submit(15, 'taken.fast'));
    const reply = await client.call('POST', '/policy_holder', dana.submit(15, 'TAKEN.fast'));
    expect(reply.status).toBe(403);
    // Another carrier's names are its own.
    expect((await client.call('POST', '/policy_holder', dana.submit(16, 'taken.fast'))).status).toBe(200);
  });
});

describe('docs/service.md, "Connect calls": PUT /policy_holder, with and without id', () => {
  it('corrects a connection: another username, a new validation', async () => {
    const made = await client.post('/policy_holder', dana.submit(15, 'put.invalid'));
    await pollUntil(client, dana.email, made, ['FAILURE']);
    const path = `/policy_holder/${made.policy_holder_id}`;
    const fixed = await client.put(path, dana.submit(15, 'put.good'));
    expect(fixed.policy_holder_id).toBe(made.policy_holder_id);
    await pollUntil(client, dana.email, fixed, ['SUCCESS']);
    const byId = await client.put('/policy_holder', {
      ...dana.submit(15, 'put.better'),
      policy_holder_id: made.policy_holder_id,
    });
    expect(byId.policy_holder_id).toBe(made.policy_holder_id);
    const byName = await client.put('/policy_holder', dana.submit(15, 'PUT.better'));
    expect(byName.policy_holder_id).toBe(made.policy_holder_id);
  });

  it('a username that another connection has: 403', async () => {
    const one = await client.post('/policy_holder', dana.submit(15, 'one.fast'));
    await client.post('/policy_holder', dana.submit(15, 'two.fast'));
    const path = `/policy_holder/${one.policy_holder_id}`;
    expect((await client.call('PUT', path, dana.submit(15, 'two.fast'))).status).toBe(403);
  });

  it('without acceptance 403, with a wrong field 422, for another member’s or no connection 404', async () => {
    const made = await client.post('/policy_holder', dana.submit(15, 'mine.fast'));
    const path = `/policy_holder/${made.policy_holder_id}`;
    expect((await client.call('PUT', path, dana.submit(15, 'mine', { accept: false }))).status).toBe(403);
    const wrong = await client.call('PUT', path, dana.submit(15, 'mine', { tenants_accept: 'x' }));
    expect([wrong.status, Object.keys(wrong.body.errors as Json)]).toEqual([422, ['tenants_accept']]);
    const other = await join(client, 'other@x.example');
    expect((await client.call('PUT', path, other.submit(15, 'mine.fast'))).status).toBe(404);
    for (const id of ['999', 'x', '0'])
      expect((await client.call('PUT', `/policy_holder/${id}`, dana.submit(15, 'a'))).status, id).toBe(404);
    expect((await client.call('PUT', '/policy_holder', dana.submit(15, 'nobody.has.this'))).status).toBe(404);
    expect((await client.call('PUT', path, dana.submit(16, 'mine.fast'))).status).toBe(404);
  });
});

describe('docs/service.md, "Connect calls": GET /policy_holder/{id}', () => {
  const pathOf = (id: unknown, query: string) => `/policy_holder/${String(id)}?email=dana@x.example${query}`;

  it('is all null while a validation runs, with a fresh token each time; then it has the result', async () => {
    await sandbox.control('PUT', '/connect/settings', { stepMs: 60_000 });
    const made = await client.post('/policy_holder', dana.submit(15, 'slow.problem'));
    const path = pathOf(made.policy_holder_id, `&employer_id=${dana.employerId}`);
    const [first, second] = [await client.get(path), await client.get(path)];
    expect(first).toMatchObject({
      policy_holder_id: made.policy_holder_id,
      payer_id: 15,
      login_problem: null,
      login_needs_correction: null,
      login_correction_message: null,
      last_successful_crawl_end: null,
      claims_synced_count: null,
      task_id: made.task_id,
    });
    expect(first.task_token).not.toBe(second.task_token);
    await sandbox.control('PUT', '/connect/settings', { stepMs: 10 });
    await sandbox.control('POST', '/clock', { skewSeconds: 300 });
    await sandbox.control('POST', '/clock', { skewSeconds: 0 });
    const done = await client.get(path);
    expect(done).toMatchObject({
      login_problem: 'sec_question',
      login_needs_correction: true,
      login_correction_message: expect.any(String),
      claims_synced_count: 0,
      members: [{ id: expect.any(Number), first_name: 'Dana', last_name: 'Reyes' }],
    });
    expect(done).not.toHaveProperty('task_id');
  });

  it('employer_id missing or malformed: 422; another one or another’s connection: 404', async () => {
    const made = await client.post('/policy_holder', dana.submit(15, 'read.fast'));
    for (const query of ['', '&employer_id=', '&employer_id=x']) {
      const reply = await client.call('GET', pathOf(made.policy_holder_id, query));
      expect([reply.status, Object.keys(reply.body.errors as Json)], query).toEqual([422, ['employer_id']]);
    }
    const own = `&employer_id=${dana.employerId}`;
    expect((await client.call('GET', pathOf(made.policy_holder_id, '&employer_id=200'))).status).toBe(404);
    for (const id of ['x', '1', '%20']) expect((await client.call('GET', pathOf(id, own))).status).toBe(404);
    await join(client, 'third@x.example');
    const foreign = `/policy_holder/${made.policy_holder_id}?email=third@x.example${own}`;
    expect((await client.call('GET', foreign)).status).toBe(404);
  });
});

describe('docs/service.md, "Connect calls": GET /fix-credentials', () => {
  it('needs the access token: 422 without', async () => {
    const reply = await client.call('GET', '/fix-credentials?email=dana@x.example');
    expect(reply.status).toBe(422);
    expect(reply.body.error_code).toBeUndefined();
  });

  it('lists every connection of the member, and which of them has a running validation', async () => {
    const frank = await join(client, 'frank@x.example');
    await client.post('/policy_holder', frank.submit(15, 'frank.fast'));
    const bad = await client.post('/policy_holder', frank.submit(16, 'frank.invalid'));
    await pollUntil(client, frank.email, bad, ['FAILURE']);
    await sandbox.control('PUT', '/connect/settings', { stepMs: 60_000 });
    const running = await client.post(
      '/policy_holder',
      frank.submit(11, 'frank', { date_of_birth: '1985-04-12' }),
    );
    await sandbox.control('PUT', '/connect/settings', { stepMs: 10 });
    const headers = { 'x-connect-access-token': await mint(sandbox) };
    const { user } = await client.get('/fix-credentials?email=frank@x.example', headers);
    const { policy_holders: holders } = user as { policy_holders: Json[] };
    expect(
      holders.map((one) => [one.payer_id, one.login_problem, one.login_needs_correction, one.task_id]),
    ).toEqual([
      [15, 'valid', false, null],
      [16, 'invalid', true, null],
      [11, null, null, running.task_id],
    ]);
    expect(holders[0]).toMatchObject({
      username: 'frank.fast',
      payer: { name: 'Test Carrier', logo_url: null },
    });
    expect(JSON.stringify(holders)).not.toContain('a password');
  });
});

describe('interface: the legacy base with old and new spellings', () => {
  it.each([
    ['old', '/tpastream_sdk', '/policy_holder_sdk/policy_holder', 'x-sdk-state-id'],
    ['new', '/bootstrap', '/policy_holder', 'x-connect-state-id'],
  ])('/sdk-api knows the %s ones', async (_name, bootstrap, policyHolder, stateId) => {
    const legacy = connectClient(sandbox, { base: '/sdk-api' });
    const data = await legacy.post(bootstrap, naming('dana@x.example'));
    expect(data.user).toMatchObject({ id: dana.userId });
    const made = await legacy.post(policyHolder, dana.submit(15, `legacy.fast`));
    const path = `${policyHolder}/${made.policy_holder_id}`;
    expect((await legacy.call('PUT', path, dana.submit(15, 'legacy.fast'))).status).toBe(200);
    expect((await legacy.call('PUT', policyHolder, dana.submit(15, 'legacy.fast'))).status).toBe(200);
    const query = `?email=dana@x.example&employer_id=${dana.employerId}`;
    expect((await legacy.call('GET', path + query)).status).toBe(200);
    const begun = await legacy.call('POST', '/interop', { user_email: dana.email }, { [stateId]: 's1' });
    expect(begun.status).toBe(200);
    expect((await legacy.call('GET', '/terms_of_service?email=dana@x.example')).status).toBe(200);
  });

  it('/connect/v1 knows the new ones only', async () => {
    const loose = connectClient(sandbox, { isChecked: false });
    expect((await loose.call('POST', '/tpastream_sdk', naming('dana@x.example'))).status).toBe(404);
    const old = '/policy_holder_sdk/policy_holder';
    expect((await loose.call('POST', old, dana.submit(15, 'fast'))).status).toBe(404);
    const begun = await client.call(
      'POST',
      '/interop',
      { user_email: dana.email },
      { 'x-sdk-state-id': 's1' },
    );
    expect(begun.status).toBe(400);
  });
});
