import {
  type ApiErrorCode,
  apiPath,
  errorReplySchema,
  headSchema,
  postedSchema,
} from '../../src/team-protocol/api.ts';
import type { Entry } from '../../src/team-protocol/entry.ts';
import { readNumbered, writeFrame } from '../../src/team-protocol/frame.ts';
import { isPlaced, makeToken, placeEntry, type TestComputer } from './team-computer.ts';

const signedBefore = new WeakMap<Entry, Entry>();

/** Calls a team server as a computer. */
export function createTeamClient(
  origin: string,
  team: string,
  computer: TestComputer,
  now: () => number = Date.now,
) {
  const call = async (
    path: string,
    init: {
      method?: string;
      body?: Buffer | object;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    } = {},
  ): Promise<Response> => {
    const { body, headers = {}, ...rest } = init;
    const token = await makeToken(computer, { audience: origin, nowMs: now() });
    const isBytes = Buffer.isBuffer(body);
    return fetch(`${origin}${path}`, {
      ...rest,
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
    });
  };
  const ofTeam = (path: string) => `${apiPath}/${team}${path}`;
  const postAsIs = async (entries: readonly Entry[]): Promise<(number | ApiErrorCode)[]> => {
    const reply = await call(ofTeam('/entries'), {
      method: 'POST',
      body: Buffer.concat(entries.map(writeFrame)),
    });
    if (!reply.ok) return [await codeOf(reply)];
    const { results } = postedSchema.parse(await reply.json());
    return results.map((one) => ('error' in one ? one.error.code : one.number));
  };
  /** Signs an entry for the next place of the log, or returns it as signed when it was posted first. */
  const placeNext = async (entry: Entry): Promise<Entry> => {
    const known = signedBefore.get(entry);
    if (known !== undefined) return known;
    const head = headSchema.safeParse(await (await call(ofTeam('/head'))).json());
    const next = head.success ? placeEntry(entry, { number: head.data.number, hash: head.data.hash }) : entry;
    signedBefore.set(entry, next);
    return next;
  };
  return {
    call: (path: string, init?: Parameters<typeof call>[1]) => call(ofTeam(path), init),
    create: (setupCode: string, entry: Entry) =>
      call(apiPath, {
        method: 'POST',
        body: { setupCode, entry: writeFrame(entry).toString('base64url') },
      }),
    /**
     * The results of entries: numbers, or codes of errors. One that depends on its place is signed as by an author who has
     * read all before it.
     */
    async post(...entries: readonly Entry[]): Promise<(number | ApiErrorCode)[]> {
      const results: (number | ApiErrorCode)[] = [];
      for (let rest = [...entries]; rest.length > 0; ) {
        const at = rest.findIndex((one) => !isPlaced(one));
        const [first] = rest;
        const count = at === -1 ? rest.length : Math.max(at, 1);
        const some = at === 0 && first !== undefined ? [await placeNext(first)] : rest.slice(0, count);
        results.push(...(await postAsIs(some)));
        rest = rest.slice(count);
      }
      return results;
    },
    postAsIs: (...entries: readonly Entry[]) => postAsIs(entries),
    async pull(after = 0, query = '') {
      const reply = await call(ofTeam(`/entries?after=${after}${query}`));
      if (!reply.ok) throw new Error(await codeOf(reply));
      return readNumbered(new Uint8Array(await reply.arrayBuffer())) ?? [];
    },
    async head(query = '') {
      return headSchema.parse(await (await call(ofTeam(`/head${query}`))).json());
    },
    putPart: (id: string, part: number, content: Buffer) =>
      call(ofTeam(`/entries/${id}/parts/${part}`), { method: 'PUT', body: content }),
  };
}

/** The code of a refused request; `ok` where it was not refused. */
export async function codeOf(reply: Response): Promise<ApiErrorCode> {
  return errorReplySchema.parse(await reply.json()).error.code;
}
