import { expect } from 'vitest';
import { checkReply } from './check-reply.ts';
import type { Sandbox } from './start-sandbox.ts';

type Json = Record<string, unknown>;

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body, or text where it was no JSON. */
  readonly body: Json;
  /** `data` of a success. */
  readonly data: Json;
};

export type ConnectClient = {
  /** One request; a header of null is left out. The reply is checked against the OpenAPI document. */
  readonly call: (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
    headers?: Record<string, string | null>,
  ) => Promise<Reply>;
  /** The same, which must succeed: its `data`. */
  readonly get: (path: string, headers?: Record<string, string | null>) => Promise<Json>;
  readonly post: (path: string, body: unknown, headers?: Record<string, string | null>) => Promise<Json>;
  readonly put: (path: string, body: unknown, headers?: Record<string, string | null>) => Promise<Json>;
};

const LEGACY: readonly (readonly [RegExp, string])[] = [
  [/^\/tpastream_sdk$/, '/bootstrap'],
  [/^\/policy_holder_sdk\/policy_holder/, '/policy_holder'],
];

/** A caller of Connect that shares no code with the product. */
export function connectClient(
  sandbox: Sandbox,
  options: {
    readonly base?: string;
    readonly isChecked?: boolean;
    readonly headers?: Record<string, string>;
  } = {},
): ConnectClient {
  const { base = '/connect/v1', isChecked = true } = options;
  const call: ConnectClient['call'] = async (method, path, body, headers = {}) => {
    const sent = {
      'x-service-token': sandbox.connect.publicToken,
      'x-connect-api-version': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
      ...headers,
    };
    const reply = await fetch(`${sandbox.baseUrl}${base}${path}`, {
      method,
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as Record<
        string,
        string
      >,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    expect(reply.headers.get('x-request-id'), `${method} ${path}`).toMatch(/^[0-9a-f-]{36}$/);
    const text = await reply.text();
    if (!isChecked) return { status: reply.status, headers: reply.headers, body: parse(text), data: {} };
    const parsed = JSON.parse(text) as Json;
    await checkReply(sandbox.baseUrl, current(path), reply.status, parsed, method.toLowerCase());
    return { status: reply.status, headers: reply.headers, body: parsed, data: parsed.data as Json };
  };
  const must = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: unknown,
    headers = {},
  ): Promise<Json> => {
    const reply = await call(method, path, body, headers);
    expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBe(200);
    return reply.data;
  };
  return {
    call,
    get: (path, headers) => must('GET', path, undefined, headers),
    post: (path, body, headers) => must('POST', path, body, headers),
    put: (path, body, headers) => must('PUT', path, body, headers),
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}

const current = (path: string): string =>
  LEGACY.reduce((spelled, [old, now]) => spelled.replace(old, now), path.split('?')[0] ?? '');

/** Returns a body for the bootstrap; the email names the member, the rest has defaults. */
export const naming = (email: string, changes: Json = {}): Json => ({
  system_key: 'NEWCO-1',
  vendor: 'northwind-benefits',
  employer_name: 'Newly Founded, Inc.',
  user_email: email,
  user_first_name: 'Dana',
  user_last_name: 'Reyes',
  ...changes,
});

export type Joined = {
  readonly email: string;
  readonly employerId: number;
  readonly tenantId: number;
  readonly userId: number;
  /** A body for a submit that is in order. */
  readonly submit: (payerId: number, username: string, changes?: Json) => Json;
};

/** Bootstraps a member. */
export async function join(
  client: ConnectClient,
  email: string,
  changes: Json = {},
  headers: Record<string, string> = {},
): Promise<Joined> {
  const data = await client.post('/bootstrap', naming(email, changes), headers);
  const [employerId, tenantId, userId] = [data.employer, data.tenant, data.user].map(
    (one) => (one as { id: number }).id,
  ) as [number, number, number];
  const submit = (payerId: number, username: string, more: Json = {}): Json => ({
    user_email: email,
    employer_id: employerId,
    payer_id: payerId,
    username,
    password: 'a password',
    accept: true,
    tenants_accept: [tenantId],
    ...more,
  });
  return { email, employerId, tenantId, userId, submit };
}

/** An access token for a public token. */
export async function mint(sandbox: Sandbox, publicToken = sandbox.connect.publicToken): Promise<string> {
  const reply = await fetch(`${sandbox.baseUrl}/api/create-connect-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      connect_access_key: publicToken,
      connect_secret_key: sandbox.connect.secretKey,
    }),
  });
  const body = (await reply.json()) as { data: string };
  expect(reply.status, JSON.stringify(body)).toBe(200);
  return body.data;
}

/** Asks until a validation is in one of these states. */
export async function pollUntil(
  client: ConnectClient,
  email: string,
  ids: Json,
  states: readonly string[],
): Promise<Json> {
  const path = `/validate-credentials/${ids.policy_holder_id}/${ids.task_id}?email=${encodeURIComponent(email)}`;
  const deadline = Date.now() + 120_000;
  for (;;) {
    const data = await client.get(path);
    if (states.includes(String(data.state))) return data;
    if (Date.now() > deadline) throw new Error(`still ${String(data.state)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
