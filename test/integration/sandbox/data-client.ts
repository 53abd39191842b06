import { expect } from 'vitest';
import { checkReply } from './check-reply.ts';
import { claimsFor, makeKey, register, signToken } from './keys.ts';
import type { Sandbox } from './start-sandbox.ts';

export type Page = {
  data: Record<string, unknown>[];
  has_next: boolean;
  has_prev: boolean;
  next_num: number | null;
  prev_num: number | null;
  page: number;
  pages: number;
  per_page: number;
  total: number;
};

export type DataClient = {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** A page of a list; the status must be 200. */
  readonly page: (path: string) => Promise<Page>;
  readonly token: string;
};

/**
 * A signed-in caller of the data API. Every JSON reply is checked against the OpenAPI document that the sandbox
 * serves, unless the test has bent the replies on purpose.
 */
export async function dataClient(sandbox: Sandbox, isChecked = true): Promise<DataClient> {
  const key = makeKey('ed25519');
  expect((await register(sandbox, key)).status).toBe(303);
  const token = signToken(key, claimsFor(sandbox.account.email));
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> => {
    const reply = await fetch(`${sandbox.baseUrl}/api/v2${path}`, {
      redirect: 'manual',
      headers: { authorization: `SSH-JWT ${token}`, ...headers },
    });
    if (!isChecked) return reply;
    const text = await reply.text();
    if (text !== '') await checkReply(sandbox.baseUrl, path, reply.status, JSON.parse(text));
    return new Response(text, reply);
  };
  const page = async (path: string): Promise<Page> => {
    const reply = await get(path);
    expect(reply.status, path).toBe(200);
    return (await reply.json()) as Page;
  };
  return { get, page, token };
}

/** All rows of a list, page by page. */
export async function readAll(
  client: DataClient,
  path: string,
  perPage = 1000,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let number = 1; ; number += 1) {
    const page = await client.page(
      `${path}${path.includes('?') ? '&' : '?'}page=${number}&per_page=${perPage}`,
    );
    rows.push(...page.data);
    if (!page.has_next) return rows;
  }
}
