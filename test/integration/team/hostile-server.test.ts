import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { diagnoseTeam } from '../../../src/main/engine/team/diagnose-team.ts';
import { keepLive } from '../../../src/main/engine/team/keep-live.ts';
import { createNews } from '../../../src/main/engine/team/wait-for-news.ts';
import { maxPageEntries } from '../../../src/team-protocol/api.ts';
import { readNumbered, writeNumbered } from '../../../src/team-protocol/frame.ts';
import { openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

/** A server that answers as it likes. `hits`: of each request, its path and whether it had a token. */
async function startImpostor(answer: RequestListener) {
  const hits: { path: string; hasToken: boolean }[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    hits.push({ path: pathname, hasToken: request.headers.authorization !== undefined });
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { hits, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The member's requests whose path ends so go to another server. */
function sendTo(member: Member, origin: string, path: string): void {
  member.network.route = (url) =>
    url.pathname.endsWith(path) ? new URL(`${url.pathname}${url.search}`, origin) : url;
}

/** Two members; the second one has not read a decision of the first, and has not sent one of its own. */
async function openPair(change: (member: Member) => void = () => undefined) {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  await ben.act([2], decisionOf('disputed'));
  change(ben);
  const { log } = await ben.sessionOf();
  const before = log.state.position;
  /** Checks that a useless answer is named, that nothing is applied, and that unsent entries stay. */
  const expectUnused = async (code: string) => {
    await expect(ben.exchange()).rejects.toMatchObject({ code });
    expect(log.state.position).toEqual(before);
    expect(ben.folds().map(({ claimId }) => claimId)).toEqual([2]);
    expect(ben.unsent()).toBe(1);
  };
  const expectHealed = async () => {
    for (const hook of ['route', 'reply', 'before'] as const) delete ben.network[hook];
    await ben.exchange();
    await ana.exchange();
    expect(ben.folds()).toEqual(ana.folds());
    expect(ben.unsent()).toBe(0);
  };
  return { ana, ben, log, expectUnused, expectHealed };
}

test('a redirect is not followed, wherever it leads, and is distinguished from no answer', async () => {
  const { ben, expectUnused, expectHealed } = await openPair();
  const thief = await startImpostor((_request, response) => response.end('{}'));
  for (const status of [301, 302, 303, 307, 308]) {
    const portal = await startImpostor((_request, response) =>
      response.writeHead(status, { location: `${thief.origin}/login` }).end(),
    );
    sendTo(ben, portal.origin, '');
    await expectUnused('team.unreachable');
    const { client } = await ben.sessionOf();
    const { teamServer } = await diagnoseTeam(client, ben.ports.clock.now);
    expect(teamServer.code).toBe('team.otherAnswer');
  }
  expect(thief.hits).toEqual([]);
  await expectHealed();
});

/** Requests that go to another server have a shorter limit of time. */
function hurry(member: Member): void {
  const { transportOf } = member.ports;
  Object.assign(member.ports, {
    transportOf: (id: string) => {
      const transport = transportOf(id);
      return (request: Parameters<typeof transport>[0]) => {
        const isElsewhere = (member.network.route?.(request.url) ?? request.url) !== request.url;
        return transport(isElsewhere ? { ...request, timeoutMs: 400 } : request);
      };
    },
  });
  member.restart();
}

test('a reply that is slow, stops or never ends takes no more time and memory than allowed', async () => {
  const { ben, expectUnused, expectHealed } = await openPair(hurry);
  const timers = new Set<NodeJS.Timeout>();
  onTestFinished(() => {
    for (const timer of timers) clearInterval(timer);
  });
  const trickle: RequestListener = (_request, response) => {
    response.writeHead(200);
    timers.add(setInterval(() => response.write(' '), 20));
  };
  const stop: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{');
  };
  const pour: RequestListener = (_request, response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', write);
    write();
  };
  for (const answer of [trickle, stop, pour])
    for (const path of ['/head', '/entries']) {
      const slow = await startImpostor(answer);
      sendTo(ben, slow.origin, path);
      const began = performance.now();
      await expectUnused('team.unreachable');
      expect(performance.now() - began).toBeLessThan(20_000);
    }
  await expectHealed();
});

test('HTML, a number that no double can hold, and compressed bytes are not answers of a team server', async () => {
  const { ben, expectUnused, expectHealed } = await openPair();
  const answers: [Record<string, string>, string | Buffer][] = [
    [{ 'content-type': 'text/html' }, '<html>Sign in</html>'],
    [{ 'content-type': 'application/json' }, '{"number":9007199254740993}'],
    [{ 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(20_000_000))],
  ];
  for (const [headers, body] of answers) {
    const other = await startImpostor((_request, response) => response.writeHead(200, headers).end(body));
    for (const path of ['/head', '/entries']) {
      sendTo(ben, other.origin, path);
      await expectUnused('team.serverDiffers');
    }
  }
  await expectHealed();
});

test('a page that does not continue, or has too many entries, is reported wherever pages are read', async () => {
  const { ana, ben, expectUnused, expectHealed } = await openPair();
  const { client } = await ben.sessionOf();
  const first = await client.entries(0, { count: 1 });
  const repeat = (page: typeof first) => Buffer.concat(page.map(writeNumbered));
  const answerPages = (page: typeof first) => {
    ben.network.reply = (reply, method, path) =>
      method === 'GET' && path.endsWith('/entries')
        ? { ...reply, body: new Uint8Array(repeat(page)) }
        : reply;
  };
  answerPages(first);
  await expectUnused('team.serverDiffers');
  // Readers of the whole log, as for a file or a removal, would read the same page forever.
  await expect(client.entries(1)).rejects.toMatchObject({ code: 'team.serverDiffers' });
  await expect(client.entries(1, { kind: 'membership' })).rejects.toMatchObject({
    code: 'team.serverDiffers',
  });
  const [one] = first as [(typeof first)[0]];
  answerPages(Array.from({ length: maxPageEntries + 1 }, (_none, index) => ({ ...one, number: index + 1 })));
  await expect(client.entries(0)).rejects.toMatchObject({ code: 'team.serverDiffers' });
  await expectHealed();
  // The same of parts: of an act whose parts were not all sent.
  ben.network.reply = (reply, _method, path) => {
    if (!path.endsWith('/parts')) return reply;
    const parts = [{ after: 1, id: 'x', part: 0 }];
    return { ...reply, body: new TextEncoder().encode(JSON.stringify({ parts })) };
  };
  await expect(client.parts(1)).rejects.toMatchObject({ code: 'team.serverDiffers' });
  expect(readNumbered(new Uint8Array(repeat(first)))).toHaveLength(1);
  expect(ana.failures).toEqual([]);
});

/** Keeps a member live, and counts its pauses. */
async function follow(member: Member) {
  const session = await member.sessionOf();
  let pauses = 0;
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      pauses += 1;
      const timer = setTimeout(resolve, 20);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  const loop = keepLive(session, { ...member.ports, sleep }, createNews(session.client));
  onTestFinished(() => loop.end());
  return { loop, pauses: () => pauses };
}

test('a stream that ends immediately, or contains what is not an event, is not reopened without a pause', async () => {
  const { ana, ben } = await openPair();
  const streams = [
    ...[':\n\n', 'event: entries\ndata: !!!!\n\n', 'event: head\ndata: {"number":1e400}\n\n'],
    // Megabytes in one line, and lines without an end of the event.
    ...[`event: entries\ndata: ${'A'.repeat(3_000_000)}`, 'data: AAAA\n'.repeat(300_000)],
  ];
  const bad = await startImpostor((_request, response) =>
    response.writeHead(200).end(streams[(bad.hits.length - 1) % streams.length]),
  );
  sendTo(ben, bad.origin, '/live');
  const { loop, pauses } = await follow(ben);
  await vi.waitFor(() => expect(bad.hits.length).toBeGreaterThan(streams.length));
  expect(pauses()).toBeGreaterThanOrEqual(bad.hits.length - 2);
  expect(loop.status()).toMatchObject({ state: 'live', problem: null });
  await ana.act([3], decisionOf('eligible'));
  await ana.exchange();
  await vi.waitFor(() => expect(ben.folds()).toEqual(ana.folds()));
});

test('requests for news that are answered immediately without any are not repeated without a pause', async () => {
  const { ben } = await openPair();
  let asked = 0;
  const { log } = await ben.sessionOf();
  ben.network.before = async (_method, path) => {
    if (path.endsWith('/live')) throw new Error('no stream');
  };
  const stale = await startImpostor((_request, response) => {
    asked += 1;
    const { number, hash, parts } = log.state.position;
    response.end(JSON.stringify({ number, hash, parts, now: new Date(ben.ports.now('')).toISOString() }));
  });
  ben.network.route = (url) =>
    url.searchParams.has('wait') ? new URL(`${url.pathname}${url.search}`, stale.origin) : url;
  const { pauses } = await follow(ben);
  await vi.waitFor(() => expect(asked).toBeGreaterThan(3));
  expect(pauses()).toBeGreaterThanOrEqual(asked - 2);
});
