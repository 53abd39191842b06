import { generateKeyPairSync } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { connect, type Server } from 'node:net';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { apiPath, maxPageEntries } from '../../../src/team-protocol/api.ts';
import { readHeader, writeHeader } from '../../../src/team-protocol/entry.ts';
import { writeFrame } from '../../../src/team-protocol/frame.ts';
import { limitConnections } from '../../../src/team-server/limit-connections.ts';
import { codeOf } from '../../support/team-client.ts';
import {
  certificateOf,
  idOf,
  makeComputer,
  makeEvent,
  makeMembership,
  makeTeamId,
  makeToken,
  nextBytes,
  type TestComputer,
} from '../../support/team-computer.ts';
import { startTestServer, testStart } from '../../support/team-server.ts';

const minuteMs = 60_000;
const at = (ms: number): string => new Date(ms).toISOString();

it('refuses tokens by others, for others, and from another time', async () => {
  const { createTeam, origin } = await startTestServer();
  const { team, computers } = await createTeam();
  const { reviewer } = computers;
  const ask = async (token: string | null, path = `${apiPath}/${team}/head`) =>
    fetch(`${origin}${path}`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
  const codeWith = async (token: string | null) => codeOf(await ask(token));
  const good = { audience: origin, nowMs: testStart };
  expect((await ask(await makeToken(reviewer, good))).status).toBe(200);
  expect(await codeWith(null)).toBe('token.missing');
  expect(await codeWith('a.b')).toBe('token.missing');
  expect(await codeWith('a.b.c')).toBe('token.invalid');
  expect(await codeWith(`${'a'.repeat(3_000)}.b.c`)).toBe('token.missing');
  expect(await codeWith(await makeToken(reviewer, { ...good, audience: 'https://other.example' }))).toBe(
    'token.invalid',
  );
  expect(await codeWith(await makeToken(reviewer, { ...good, nowMs: testStart - 7 * minuteMs }))).toBe(
    'token.expired',
  );
  expect(await codeWith(await makeToken(reviewer, { ...good, nowMs: testStart + 2 * minuteMs }))).toBe(
    'token.expired',
  );
  expect(await codeWith(await makeToken(reviewer, { ...good, seconds: 3_600 }))).toBe('token.invalid');
  // Signed by another key than that of the computer it names.
  const foreign = makeComputer();
  expect(await codeWith(await makeToken({ ...foreign, id: reviewer.id }, good))).toBe('token.invalid');
  expect(await codeWith(await makeToken(foreign, good))).toBe('member.unknown');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const rsa = new SignJWT({})
    .setProtectedHeader({ alg: 'RS256' })
    .setSubject(reviewer.id)
    .setAudience(origin);
  expect(await codeWith(await rsa.setIssuedAt().setExpirationTime('5m').sign(privateKey))).toBe(
    'token.invalid',
  );
  const [, payload] = (await makeToken(reviewer, good)).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  expect(await codeWith(`${none}.${payload}.AAAA`)).toBe('token.invalid');
  // A team that the server does not have is answered like one that the computer is not in.
  expect(await codeOf(await ask(await makeToken(reviewer, good), `${apiPath}/${makeTeamId()}/head`))).toBe(
    'member.unknown',
  );
});

it('accepts no token for another computer that was proven with one’s own certificate', async () => {
  const { createTeam, origin } = await startTestServer();
  const { team, computers } = await createTeam();
  const eve = makeComputer('eve@acme.example');
  const good = { audience: origin, nowMs: testStart };
  const headers = {
    authorization: `Bearer ${await makeToken({ ...eve, id: computers.admin.id }, good)}`,
    'content-type': 'application/json',
  };
  const certificate = certificateOf(eve, team);
  const digest = 'A'.repeat(43);
  const join = { invitation: digest, certificate, proof: digest, commitment: digest, nonce: null };
  const body = JSON.stringify(join);
  const joined = await fetch(`${origin}${apiPath}/${team}/joins`, { method: 'POST', headers, body });
  expect(await codeOf(joined)).toBe('token.invalid');
  expect(await codeOf(await fetch(`${origin}${apiPath}/${team}/head`, { headers }))).toBe('token.invalid');
});

it('refuses a revoked computer, its streams, tokens that were verified, and what it made before', async () => {
  const { createTeam, server } = await startTestServer();
  const { team, admin, reviewer, computers } = await createTeam();
  const stream = await reviewer.call('/live?after=3');
  const unsent = makeEvent(computers.reviewer, { team });
  const revoke = { act: 'revoke', of: { email: computers.reviewer.email } } as const;
  expect(await admin.post(makeMembership(computers.admin, revoke, { team }))).toEqual([4]);
  await server.look();
  // The stream has ended, and its connection is still there.
  server.beat();
  const text = await stream.text();
  expect(text).not.toContain('event: entries');
  expect(await reviewer.post(unsent)).toEqual(['member.unknown']);
  await expect(reviewer.pull()).rejects.toThrow('member.unknown');
  expect(await codeOf(await reviewer.putPart(idOf(unsent), 0, Buffer.alloc(50)))).toBe('member.unknown');
  expect(await admin.post(unsent)).toEqual(['member.unknown']);
});

it('refuses what a reader writes, and memberships by anyone but admins', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reader, reviewer, computers } = await createTeam();
  const eve = makeComputer('eve@acme.example');
  expect(await reader.post(makeEvent(computers.reader, { team }))).toEqual(['role.notAllowed']);
  expect(await admin.post(makeEvent(computers.reader, { team }))).toEqual(['role.notAllowed']);
  expect(await codeOf(await reader.putPart('x', 0, Buffer.alloc(50)))).toBe('role.notAllowed');
  for (const [by, client] of [
    [computers.reviewer, reviewer],
    [computers.reader, reader],
  ] as const)
    expect(await client.post(computers.admit(eve, 'admin', 1, by))).toEqual(['member.notAdmin']);
  expect(await reviewer.post(computers.admit(eve, 'admin', 1, eve))).toEqual(['member.unknown']);
  expect(await reviewer.post(makeEvent(eve, { team }))).toEqual(['member.unknown']);
  const leave = makeMembership(computers.admin, { act: 'leave' }, { team });
  expect(await admin.post(leave)).toEqual(['member.lastAdmin']);
  expect((await admin.head()).number).toBe(3);
});

it('refuses content sealed with an old team key, or with one that does not exist', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reviewer, computers } = await createTeam();
  const early = makeEvent(computers.reviewer, { team, parts: ['a'], sendsParts: false });
  expect(await reviewer.post(early)).toEqual([4]);
  const { admin: ada, reviewer: ben, reader: cleo } = computers;
  expect(await admin.post(computers.renew(2, [ada, ben, cleo]))).toEqual([5]);
  const eventOf = (generation: number) => makeEvent(ben, { team, generation, parts: ['a'] });
  expect(await reviewer.post(eventOf(1), eventOf(3), eventOf(2))).toEqual([
    'generation.old',
    'generation.unknown',
    6,
  ]);
  const mixed = { ...eventOf(2), parts: eventOf(1).parts };
  expect(await reviewer.post(mixed)).toEqual(['generation.old']);
  expect(await codeOf(await reviewer.putPart(idOf(early), 0, early.sealedParts[0] as Buffer))).toBe(
    'generation.old',
  );
  expect(await admin.post(computers.renew(2, [ada, ben, cleo]))).toEqual(['generation.wrong']);
});

it('refuses times ahead, and sends the server’s time', async () => {
  const { createTeam } = await startTestServer();
  const { team, reviewer, computers } = await createTeam();
  const eventAt = (ms: number) => makeEvent(computers.reviewer, { team, at: at(testStart + ms) });
  expect(await reviewer.post(eventAt(2 * minuteMs), eventAt(-400 * 24 * 60 * minuteMs))).toEqual([4, 5]);
  const reply = await reviewer.call('/entries', {
    method: 'POST',
    body: writeFrame(eventAt(2 * minuteMs + 1)),
  });
  expect(await reply.json()).toMatchObject({
    results: [{ error: { code: 'entry.ahead', now: at(testStart) } }],
  });
});

it('refuses forged, changed and repeated entries', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reviewer, computers } = await createTeam();
  const event = makeEvent(computers.reviewer, { team });
  const header = readHeader(event.header);
  if (header === null) throw new Error('no header');
  const asAdmin = { ...event, header: writeHeader({ ...header, computer: computers.admin.id }) };
  const later = { ...event, header: writeHeader({ ...header, at: at(testStart - 1) }) };
  expect(await reviewer.post(asAdmin, later)).toEqual(['entry.signatureInvalid', 'entry.signatureInvalid']);
  expect(await reviewer.post({ ...event, signature: Buffer.alloc(64) })).toEqual(['entry.signatureInvalid']);
  expect(await reviewer.post(event)).toEqual([4]);
  const sameId = makeEvent(computers.reviewer, { team, id: header.id, text: 'other' });
  expect(await reviewer.post(sameId, event)).toEqual(['entry.differs', 4]);
  expect(await reviewer.post(makeEvent(computers.reviewer, { team: makeTeamId() }))).toEqual([
    'entry.otherTeam',
  ]);
  // A membership replayed after its author was no admin any more is known; one with another head is none.
  const role = makeMembership(
    computers.admin,
    { act: 'role', email: 'ben@acme.example', role: 'reader' },
    { team },
  );
  expect(await admin.post({ ...role, head: Buffer.concat([role.head, Buffer.from(' ')]) })).toEqual([
    'entry.headInvalid',
  ]);
  expect(await admin.post({ ...role, head: Buffer.alloc(0) })).toEqual(['entry.headInvalid']);
  expect(await admin.post({ ...event, head: Buffer.alloc(3), header: event.header })).toEqual([4]);
  expect(await reviewer.post({ ...makeEvent(computers.reviewer, { team }), head: Buffer.alloc(3) })).toEqual([
    'entry.headInvalid',
  ]);
  expect((await admin.head()).number).toBe(4);
});

it('accepts parts only of entries that announce them, once from each computer, and returns all of them', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reviewer, computers } = await createTeam();
  const event = makeEvent(computers.reviewer, { team, parts: ['a'], sendsParts: false });
  await reviewer.post(event);
  const [id, part] = [idOf(event), event.sealedParts[0] as Buffer];
  const wrong = Buffer.concat([part, Buffer.from('wrong')]);
  expect((await admin.putPart(id, 0, wrong)).status).toBe(200);
  expect(await codeOf(await admin.putPart(id, 0, part))).toBe('part.differs');
  const read = async (version: number) =>
    Buffer.from(await (await admin.call(`/entries/${id}/parts/0?version=${version}`)).arrayBuffer());
  expect(await read(0)).toEqual(wrong);
  expect((await reviewer.putPart(id, 0, part)).status).toBe(200);
  const both = [await read(0), await read(1)];
  for (const one of [part, wrong]) expect(both).toContainEqual(one);
  expect(await codeOf(await admin.call(`/entries/${id}/parts/0?version=2`))).toBe('part.notThere');
  expect(await (await admin.call('/parts')).json()).toMatchObject({ parts: [{ part: 0 }, { part: 0 }] });
  expect(await codeOf(await reviewer.putPart(id, 1, part))).toBe('part.notThere');
  expect(await codeOf(await reviewer.putPart('other', 0, part))).toBe('part.notThere');
  expect(await codeOf(await reviewer.putPart(id, 0, part.subarray(0, 20)))).toBe('part.invalid');
  expect(await codeOf(await reviewer.putPart(id, 2 ** 53 + 2, part))).toBe('request.invalid');
  expect(
    await codeOf(
      await reviewer.call(`/entries/${id}/parts/0`, { method: 'PUT', body: Buffer.alloc(16_000_001) }),
    ),
  ).toBe('request.tooLarge');
});

it('refuses malformed frames and numbers, and excess', async () => {
  const { createTeam } = await startTestServer();
  const { team, reviewer, computers } = await createTeam();
  const post = async (body: Buffer) => codeOf(await reviewer.call('/entries', { method: 'POST', body }));
  const frame = writeFrame(makeEvent(computers.reviewer, { team, parts: ['a'] }));
  expect(await post(frame.subarray(0, -1))).toBe('request.invalid');
  expect(await post(Buffer.concat([frame, Buffer.alloc(3)]))).toBe('request.invalid');
  expect(await post(Buffer.alloc(0))).toBe('request.invalid');
  const huge = Buffer.from(frame);
  huge.writeUInt32BE(0xff_ff_ff_ff);
  expect(await post(huge)).toBe('request.invalid');
  const many = Array.from({ length: maxPageEntries + 1 }, () => Buffer.from([0, 0, 0, 0]));
  expect(await post(Buffer.concat(many))).toBe('request.invalid');
  const inner = Buffer.from(frame);
  inner.writeUInt32BE(5, 4);
  expect(
    await reviewer.call('/entries', { method: 'POST', body: inner }).then((reply) => reply.json()),
  ).toMatchObject({
    results: [{ error: { code: 'entry.invalid' } }],
  });
  for (const query of [
    'after=-1',
    'after=1e3',
    'after=99999999999999999',
    'after=9007199254740993',
    'count=x',
  ])
    expect(await codeOf(await reviewer.call(`/entries?${query}`))).toBe('request.invalid');
  expect(
    await codeOf(
      await reviewer.call('/invitations', { method: 'POST', body: { digest: 'x'.repeat(70_000) } }),
    ),
  ).toBe('member.notAdmin');
  expect(await codeOf(await reviewer.call('/none'))).toBe('request.notFound');
});

it('limits requests from a computer, and from an address whose tokens are wrong', async () => {
  const { createTeam, clock, origin } = await startTestServer({
    limits: { computer: { capacity: 5, perSecond: 1 }, address: { capacity: 3, perSecond: 1 } },
  });
  const { team, reader, reviewer, computers } = await createTeam();
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) statuses.push((await reader.call('/head')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect((await reviewer.call('/head')).status).toBe(200);
  clock.nowMs += 1_000;
  expect((await reader.call('/head')).status).toBe(200);
  const foreign = makeComputer();
  const wrong = async () =>
    (
      await fetch(`${origin}${apiPath}/${team}/head`, {
        headers: {
          authorization: `Bearer ${await makeToken(foreign, { audience: origin, nowMs: clock.nowMs })}`,
        },
      })
    ).status;
  expect([await wrong(), await wrong(), await wrong(), await wrong()]).toEqual([403, 403, 403, 429]);
  clock.nowMs += 5_000;
  expect(await wrong()).toBe(403);
  expect(computers.reader.id).not.toBe(foreign.id);
});

it('limits and counts malformed tokens, and admits a member at an address where others fail', async () => {
  const { createTeam, origin, server } = await startTestServer({
    limits: { address: { capacity: 3, perSecond: 1 } },
  });
  const { team, reader, computers } = await createTeam();
  const malformed = async () =>
    (await fetch(`${origin}${apiPath}/${team}/head`, { headers: { authorization: 'Bearer a.b' } })).status;
  expect([await malformed(), await malformed(), await malformed(), await malformed()]).toEqual([
    401, 401, 401, 429,
  ]);
  expect((await reader.call('/head')).status).toBe(200);
  const forged = { ...computers.reader, privateKey: makeComputer().privateKey };
  const token = await makeToken(forged, { audience: origin, nowMs: testStart });
  const reply = await fetch(`${origin}${apiPath}/${team}/head`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(reply.status).toBe(429);
  expect((await reader.call('/head')).status).toBe(200);
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  expect(text).toContain('claimdesk_team_refusals_total{code="token.missing"} 3\n');
  expect(text).toContain('claimdesk_team_refusals_total{code="request.tooMany"} 2\n');
});

it('accepts only a limited number of bytes, entries and memberships from a computer per day', async () => {
  const { createTeam, clock } = await startTestServer({
    limits: { quota: { bytes: 20_000, entries: 6, memberships: 3 } },
  });
  const { team, admin, reviewer, computers } = await createTeam();
  const event = () => makeEvent(computers.reviewer, { team });
  const results = await reviewer.post(...Array.from({ length: 8 }, event));
  expect(results.filter(Number.isInteger)).toHaveLength(6);
  expect(results.slice(6)).toEqual(['quota.reached', 'quota.reached']);
  const dora = makeComputer('dora@acme.example');
  const ella = makeComputer('ella@acme.example');
  // Two were admitted when the team was made.
  expect(await admin.post(computers.admit(dora, 'reader'), computers.admit(ella, 'reader'))).toEqual([
    10,
    'quota.reached',
  ]);
  expect(await admin.post(makeEvent(computers.admin, { team, text: 'x'.repeat(10) }))).toEqual([11]);
  clock.nowMs += 86_400_000;
  expect(await reviewer.post(event())).toEqual([12]);
  const large = makeEvent(computers.reviewer, {
    ...{ team, sendsParts: false },
    parts: [nextBytes(16_000).toString('base64url')],
  });
  expect(await reviewer.post(large)).toEqual([13]);
  const part = large.sealedParts[0] as Buffer;
  expect((await reviewer.putPart(idOf(large), 0, part)).status).toBe(200);
  expect(await codeOf(await reviewer.putPart(idOf(large), 0, part))).toBe('quota.reached');
});

it('limits what is being received, and a computer’s streams', async () => {
  const { createTeam } = await startTestServer({
    limits: { maxReceivingBytes: 100_000, maxListenersOfComputer: 1 },
  });
  const { reviewer } = await createTeam();
  const large = { method: 'POST', body: Buffer.alloc(100_001) };
  expect(await codeOf(await reviewer.call('/entries', large))).toBe('server.busy');
  const ending = new AbortController();
  await reviewer.call('/live?after=3', { signal: ending.signal });
  expect(await codeOf(await reviewer.call('/live?after=3'))).toBe('request.tooMany');
  ending.abort();
});

/** Sends bytes as they are; what the server answers until it closes. */
function sendRaw(origin: string, ...chunks: readonly string[]): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
}

it('closes connections that send too slowly, too much, or no HTTP', async () => {
  // Another server has the short limits, so that no request is late where it is not meant to be.
  const hasty = await startTestServer({ limits: { requestTimeoutMs: 600, headersTimeoutMs: 300 } });
  const { createTeam, origin } = await startTestServer();
  const makeHead = async (audience: string, create: typeof createTeam): Promise<string> => {
    const { team, computers } = await create();
    const token = await makeToken(computers.reviewer as TestComputer, { audience, nowMs: testStart });
    return `POST ${apiPath}/${team}/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  };
  const head = await makeHead(origin, createTeam);
  const slowHead = await makeHead(hasty.origin, hasty.createTeam);
  const type = 'Content-Type: application/octet-stream\r\n';
  const answers = await Promise.all([
    sendRaw(hasty.origin, `${slowHead}${type}Content-Length: 1000\r\n\r\nslow`),
    sendRaw(hasty.origin, 'GET /healthz HTTP/1.1\r\nHost:'),
    sendRaw(origin, 'no http\r\n\r\n'),
    sendRaw(origin, `${head}${type}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`),
    sendRaw(origin, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
    sendRaw(origin, 'GET /v1/teams/%E0%A4%A/head HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    sendRaw(origin, `GET /${'x'.repeat(7_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    sendRaw(origin, 'CONNECT other:1 HTTP/1.1\r\nHost: x\r\n\r\n'),
    sendRaw(origin, `${head}${type}Content-Length: 99999999999\r\nConnection: close\r\n\r\n`),
  ]);
  expect(answers.map((text) => / (\d{3}) /.exec(text)?.[1])).toEqual([
    ...['408', '408', '400', '411', '400', '400', '404'],
    // No answer to CONNECT.
    undefined,
    '413',
  ]);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
});

it('accepts a limited number of connections from an address, and reserves some for addresses with a valid token', async () => {
  const emitter = new EventEmitter();
  const good = new Set<string>(['10.0.0.1']);
  const limits = { maxConnections: 6, reservedConnections: 2, maxConnectionsOfAddress: 3 };
  const connections = limitConnections(emitter as Server, limits, good, false);
  const open = (remoteAddress: string): boolean => {
    const socket = Object.assign(new EventEmitter(), {
      ...{ remoteAddress, isOpen: true },
      destroy(): void {
        this.isOpen = false;
        socket.emit('close');
      },
    });
    emitter.emit('connection', socket);
    return socket.isOpen;
  };
  expect(['a', 'a', 'a', 'a'].map(open)).toEqual([true, true, true, false]);
  expect(['b', 'b', '10.0.0.1', '10.0.0.1', '10.0.0.1'].map(open)).toEqual([true, false, true, true, false]);
  expect(connections.count()).toBe(6);
});

it('accepts no more connections than allowed', async () => {
  const { origin } = await startTestServer({ limits: { maxConnections: 1 } });
  const { port } = new URL(origin);
  const first = connect(Number(port), '127.0.0.1');
  const answer = new Promise<string>((resolve) => first.once('data', (bytes) => resolve(String(bytes))));
  first.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await answer).toMatch(/^HTTP\/1\.1 200/);
  expect(await sendRaw(origin, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
  first.destroy();
});
