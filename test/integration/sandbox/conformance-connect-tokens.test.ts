import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectClient } from './connect-client.ts';
import { connectClient, join, mint } from './connect-client.ts';
import { givenSandbox } from './given-sandbox.ts';

type Json = Record<string, unknown>;

const sandbox = givenSandbox('--members', '5', '--claims', '5');
let client: ConnectClient;

beforeAll(async () => {
  client = connectClient(sandbox);
  await join(client, 'dana@x.example');
});
afterEach(async () => {
  await sandbox.control('POST', '/clock', { skewSeconds: 0 });
  await sandbox.control('PUT', '/connect/settings', { rolling: 'always' });
});

const FIX = '/fix-credentials?email=dana@x.example';
const fixWith = (token: string) => client.call('GET', FIX, undefined, { 'x-connect-access-token': token });
const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Json;

function ask(body: unknown): Promise<Response> {
  return fetch(`${sandbox.baseUrl}/api/create-connect-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('interface, Mint an access token', () => {
  it('answers a JWT under data that is valid for one hour', async () => {
    const { iat, exp } = claimsOf(await mint(sandbox));
    expect(Number(exp) - Number(iat)).toBe(3600);
  });

  it('a wrong secret and an unknown public token get the same answer: 401', async () => {
    const { publicToken, secretKey } = sandbox.connect;
    const replies = await Promise.all([
      ask({ connect_access_key: publicToken, connect_secret_key: 'sk_wrong' }),
      ask({ connect_access_key: 'pk_wrong', connect_secret_key: secretKey }),
      ask({ connect_access_key: secretKey, connect_secret_key: publicToken }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
    const [first, second] = await Promise.all(replies.map((reply) => reply.text()));
    expect(first).toBe(second);
    for (const reply of replies) expect(reply.headers.get('x-request-id')).toBeTruthy();
  });

  it.each([[{}], [{ connect_access_key: 'pk' }], [{ connect_access_key: 1, connect_secret_key: null }]])(
    '%j: 422 with details',
    async (body) => {
      const reply = await ask(body);
      expect(reply.status).toBe(422);
      expect(((await reply.json()) as { errors: Json }).errors).toHaveProperty('connect_secret_key');
    },
  );

  it('needs JSON: 400', async () => {
    expect((await ask([])).status).toBe(400);
  });
});

describe('interface, Connect API rules 4 to 6', () => {
  it('the token lets fix-credentials through; elsewhere it is optional', async () => {
    expect((await fixWith(await mint(sandbox))).status).toBe(200);
    expect((await client.call('GET', '/terms_of_service?email=dana@x.example')).status).toBe(200);
  });

  it('after one hour of the server’s clock, and not before: 422 expired_connect_token', async () => {
    const token = await mint(sandbox);
    await sandbox.control('POST', '/clock', { skewSeconds: 3590 });
    expect((await fixWith(token)).status).toBe(200);
    await sandbox.control('POST', '/clock', { skewSeconds: 3601 });
    const reply = await fixWith(token);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ message: expect.any(String), error_code: 'expired_connect_token' });
    expect((await fixWith(await mint(sandbox))).status).toBe(200);
  });

  it('an expired one is refused even if it is optional', async () => {
    const token = await mint(sandbox);
    await sandbox.control('POST', '/connect/expire', { kind: 'access' });
    const headers = { 'x-connect-access-token': token };
    const reply = await client.call('GET', '/terms_of_service?email=dana@x.example', undefined, headers);
    expect([reply.status, reply.body.error_code]).toEqual([422, 'expired_connect_token']);
    expect((await fixWith(await mint(sandbox))).status).toBe(200);
  });

  it('a token that does not belong to this integration: 422 without that code', async () => {
    const good = await mint(sandbox);
    const flipped = `${good.slice(0, -6)}${good.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA'}`;
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1]}.`;
    const foreign = await mint(sandbox, sandbox.connect.multiTenantToken);
    for (const token of ['x', 'a.b.c', flipped, none, foreign]) {
      const reply = await fixWith(token);
      expect([reply.status, reply.body.error_code], token).toEqual([422, undefined]);
    }
  });

  it('replies replace the token; both the replacement and the one it replaces work', async () => {
    const token = await mint(sandbox);
    const first = await fixWith(token);
    const rolled = first.headers.get('x-set-connect-access-token') ?? '';
    expect(claimsOf(rolled).jti).not.toBe(claimsOf(token).jti);
    await sandbox.control('DELETE', '/requests');
    expect((await fixWith(rolled)).status).toBe(200);
    expect((await fixWith(token)).status).toBe(200);
    const { data } = await sandbox.control<{ data: Json[] }>('GET', '/requests');
    expect(data.map((record) => record.accessTokenId)).toEqual([claimsOf(rolled).jti, claimsOf(token).jti]);
  });

  it('an error after the token was read replaces it as well; without a token, or if set to never, nothing does', async () => {
    const headers = { 'x-connect-access-token': await mint(sandbox) };
    const error = await client.call('GET', '/fix-credentials', undefined, headers);
    expect([error.status, error.headers.has('x-set-connect-access-token')]).toEqual([403, true]);
    const plain = await client.call('GET', '/terms_of_service?email=dana@x.example');
    expect(plain.headers.has('x-set-connect-access-token')).toBe(false);
    await sandbox.control('PUT', '/connect/settings', { rolling: 'never' });
    expect((await fixWith(await mint(sandbox))).headers.has('x-set-connect-access-token')).toBe(false);
  });

  it('fifty concurrent calls with an expired token get 422 fifty times', async () => {
    const token = await mint(sandbox);
    await sandbox.control('POST', '/connect/expire', { kind: 'access' });
    const replies = await Promise.all(Array.from({ length: 50 }, () => fixWith(token)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${String(body.error_code)}`))).toEqual(
      new Set(['422 expired_connect_token']),
    );
  });
});
