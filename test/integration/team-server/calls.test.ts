import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { computersSchema, joinsSchema, partsSchema } from '../../../src/team-protocol/api.ts';
import { firstChainHash, nextChainHash } from '../../../src/team-protocol/chain.ts';
import {
  firstDocumentPart,
  maxDocumentParts,
  openDocumentPart,
  sealDocumentPart,
} from '../../../src/team-protocol/document-parts.ts';
import { type EntryHeader, readHeader } from '../../../src/team-protocol/entry.ts';
import { type MembershipAct, readMembership } from '../../../src/team-protocol/membership.ts';
import { makeSetupCode } from '../../../src/team-server/server.ts';
import { codeOf, createTeamClient } from '../../support/team-client.ts';
import {
  certificateOf,
  idOf,
  makeComputer,
  makeEvent,
  makeMembership,
  makeTestTeam,
  nextBytes,
  type TestComputer,
} from '../../support/team-computer.ts';
import { startTestServer, testStart } from '../../support/team-server.ts';

const hourMs = 3_600_000;

it('makes a team with a set-up code, which is valid once and for a day', async () => {
  const { clientOf, clock, server } = await startTestServer();
  const [made, other] = [makeTestTeam(), makeTestTeam()];
  const create = (one: typeof made, code: string) => clientOf(one.team, one.admin).create(code, one.create);
  const code = await makeSetupCode(server.store, testStart);
  expect(await codeOf(await create(made, 'AAAA-BBBB-CCCC-DDDD'))).toBe('setupCode.invalid');
  clock.nowMs += 24 * hourMs;
  expect(await codeOf(await create(made, code))).toBe('setupCode.invalid');
  clock.nowMs -= 1;
  // The code may be typed by hand.
  const reply = await create(made, code.toLowerCase().replaceAll('-', ' '));
  expect(await reply.json()).toMatchObject({ results: [{ number: 1 }], head: { number: 1 } });
  expect((await create(made, code)).status).toBe(200);
  expect(await codeOf(await create(other, code))).toBe('setupCode.invalid');
});

it('says why it makes no team', async () => {
  const { origin, clock, server } = await startTestServer();
  const { team, admin, create, reviewer } = makeTestTeam();
  const code = await makeSetupCode(server.store, testStart);
  const act = readMembership(readHeader(create.header) as EntryHeader, create.head) as MembershipAct;
  const client = createTeamClient(origin, team, admin, () => clock.nowMs);
  const later = makeMembership(admin, act, { team, at: '2026-11-20T12:02:00.001Z' });
  expect(await codeOf(await client.create(code, later))).toBe('entry.ahead');
  expect(await codeOf(await client.create(code, { ...create, signature: Buffer.alloc(64) }))).toBe(
    'entry.signatureInvalid',
  );
  const foreign = makeMembership(reviewer, act, { team });
  expect(await codeOf(await client.create(code, foreign))).toBe('certificate.invalid');
  expect((await client.create(code, create)).status).toBe(200);
});

it('numbers entries in one chain, and answers a repeated one with its number', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reviewer, reader, computers } = await createTeam();
  const [one, two] = [
    makeEvent(computers.admin, { team }),
    makeEvent(computers.reviewer, { team, parts: ['x'] }),
  ];
  expect(await admin.post(one)).toEqual([4]);
  expect(await reviewer.post(one, two, two)).toEqual([4, 5, 5]);
  const page = await reader.pull();
  expect(page.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  let hash = firstChainHash;
  for (const entry of page) {
    hash = nextChainHash(hash, entry.number, entry);
    expect(entry.hash).toBe(hash);
  }
  expect(await reader.head()).toEqual({ number: 5, hash, parts: 0, now: '2026-11-20T12:00:00.000Z' });
  expect((await reader.pull(1, '&count=2')).map(({ number }) => number)).toEqual([2, 3]);
  expect((await reader.pull(1, '&bytes=1')).map(({ number }) => number)).toEqual([2]);
  expect(await reader.pull(5)).toEqual([]);
});

it('accepts large parts separately, and reports when they arrived', async () => {
  const { createTeam } = await startTestServer();
  const { team, reviewer, reader, computers } = await createTeam();
  const text = nextBytes(400_000).toString('base64');
  const event = makeEvent(computers.reviewer, { team, parts: [text, 'b'] });
  const id = idOf(event);
  expect(await reviewer.post(event)).toEqual(['entry.tooLarge']);
  expect(await reviewer.post({ ...event, parts: [null, event.parts[1] as Buffer] })).toEqual([4]);
  const [pulled] = await reader.pull(3);
  expect(pulled?.parts.map((part) => part === null)).toEqual([true, false]);
  expect(await codeOf(await reader.call(`/entries/${id}/parts/0`))).toBe('part.notThere');
  expect((await reviewer.putPart(id, 0, event.sealedParts[0] as Buffer)).status).toBe(200);
  expect((await reviewer.putPart(id, 0, event.sealedParts[0] as Buffer)).status).toBe(200);
  expect(await codeOf(await reviewer.putPart(id, 0, event.sealedParts[1] as Buffer))).toBe('part.differs');
  const got = Buffer.from(await (await reader.call(`/entries/${id}/parts/0`)).arrayBuffer());
  expect(got.equals(event.sealedParts[0] as Buffer)).toBe(true);
  expect(await reader.head()).toMatchObject({ number: 4, parts: 1 });
  const arrived = partsSchema.parse(await (await reader.call('/parts?after=0')).json());
  expect(arrived.parts).toEqual([{ after: 1, id, part: 0 }]);
});

it('stores parts of a document only from its author, for members, while there is space', async () => {
  const { createTeam } = await startTestServer({ limits: { documentBytes: 3_000 } });
  const { team, admin, reviewer, reader, computers } = await createTeam();
  const event = makeEvent(computers.reviewer, { team, parts: ['a'] });
  const id = idOf(event);
  expect(await reviewer.post(event)).toEqual([4]);
  const key = { generation: 1, key: nextBytes(32) };
  const document = nextBytes(2_000);
  const sealed = sealDocumentPart(document, 0, { team, entryId: id }, key);
  const first = firstDocumentPart;
  for (const other of [admin, reader])
    expect((await other.putPart(id, first, sealed)).ok, 'by another member').toBe(false);
  expect(await codeOf(await reviewer.putPart(id, first + maxDocumentParts, sealed))).toBe('part.notThere');
  expect(await codeOf(await reviewer.putPart(id, 1, sealed))).toBe('part.notThere');
  expect((await reviewer.putPart(id, first, sealed)).status).toBe(200);
  expect(await codeOf(await reviewer.putPart(id, first + 1, sealed))).toBe('quota.documents');
  const reply = await reader.call(`/entries/${id}/parts/${first}`);
  const got = Buffer.from(await reply.arrayBuffer());
  expect(openDocumentPart(got, 0, { team, entryId: id }, key)?.equals(document)).toBe(true);
  expect(openDocumentPart(got, 1, { team, entryId: id }, key)).toBeNull();
  // It is in no page of entries.
  expect((await reader.pull(3))[0]?.parts).toHaveLength(1);
  const outsider = (await createTeam()).reviewer;
  const elsewhere = await outsider.call(`/entries/${id}/parts/${first}`);
  expect(await codeOf(elsewhere)).toBe('part.notThere');
});

it('lets a computer join with an invitation, which an admin approves', async () => {
  const { createTeam, clientOf, clock } = await startTestServer();
  const { team, admin, reader, computers } = await createTeam();
  const secret = nextBytes(16);
  const token = createHmac('sha256', secret).update('claimdesk join').digest();
  const invitation = createHash('sha256').update(token).digest('base64url');
  expect(
    await codeOf(await reader.call('/invitations', { method: 'POST', body: { digest: invitation } })),
  ).toBe('member.notAdmin');
  const invited = await admin.call('/invitations', { method: 'POST', body: { digest: invitation } });
  expect(await invited.json()).toEqual({ expiresAt: '2026-11-23T12:00:00.000Z' });
  const dora = makeComputer('dora@acme.example');
  const newcomer = clientOf(team, dora);
  const commitment = nextBytes(32).toString('base64url');
  const answer = nextBytes(32).toString('base64url');
  let nonce: string | null = null;
  const join = (computer: TestComputer, of = dora, at = token.toString('base64url'), changes = {}) => {
    const certificate = { ...certificateOf(of, team), ...changes };
    const proof = createHmac('sha256', secret).update(certificate.body).digest('base64url');
    return clientOf(team, computer).call('/joins', {
      method: 'POST',
      body: { invitation: at, certificate, proof, commitment, nonce },
    });
  };
  expect(await codeOf(await join(dora, dora, 'A'.repeat(43)))).toBe('invitation.invalid');
  // The digest that the database has is no invitation, and uses none up.
  expect(await codeOf(await join(dora, dora, invitation))).toBe('invitation.invalid');
  expect(await codeOf(await join(makeComputer(), dora))).toBe('token.invalid');
  // PostgreSQL could not store it.
  expect(await codeOf(await join(dora, dora, token.toString('base64url'), { signature: '\0' }))).toBe(
    'request.invalid',
  );
  clock.nowMs += 72 * hourMs;
  expect(await codeOf(await join(dora))).toBe('invitation.invalid');
  clock.nowMs -= hourMs;
  expect(await (await join(dora)).json()).toEqual({ answer: null });
  const answered = { method: 'POST', body: { invitation, answer } };
  expect(await codeOf(await reader.call('/joins/answers', answered))).toBe('member.notAdmin');
  expect((await admin.call('/joins/answers', answered)).status).toBe(200);
  // Also after the invitation has expired, and one answer alone.
  clock.nowMs += 2 * hourMs;
  expect(
    (await admin.call('/joins/answers', { ...answered, body: { invitation, answer: commitment } })).status,
  ).toBe(200);
  nonce = nextBytes(32).toString('base64url');
  expect(await (await join(dora)).json()).toEqual({ answer });
  const eve = makeComputer('eve@acme.example');
  expect(await codeOf(await join(eve, eve))).toBe('invitation.invalid');
  expect(await codeOf(await reader.call('/joins'))).toBe('member.notAdmin');
  const readJoins = async () => joinsSchema.parse(await (await admin.call('/joins')).json()).joins;
  expect(await readJoins()).toMatchObject([
    {
      invitation,
      invitedBy: computers.admin.id,
      certificate: certificateOf(dora, team),
      commitment,
      nonce,
      answer,
    },
  ]);
  expect(await codeOf(await newcomer.call('/head'))).toBe('member.unknown');
  expect(await admin.post(computers.admit(dora, 'reviewer'))).toEqual([4]);
  expect(await readJoins()).toEqual([]);
  expect(await newcomer.pull(3)).toHaveLength(1);
  expect(await newcomer.post(makeEvent(dora, { team }))).toEqual([5]);
});

it('shows admins when a computer last connected', async () => {
  const { createTeam, clock } = await startTestServer();
  const { admin, reader, computers } = await createTeam();
  clock.nowMs += hourMs;
  await reader.head();
  expect(await codeOf(await reader.call('/computers'))).toBe('member.notAdmin');
  const reply = computersSchema.parse(await (await admin.call('/computers')).json());
  expect(reply.computers).toContainEqual({
    computer: computers.reader.id,
    seenAt: '2026-11-20T13:00:00.000Z',
  });
  expect(reply.computers).toHaveLength(2);
});

it('adds what a computer returns to a server that lost it', async () => {
  const { createTeam } = await startTestServer();
  const first = await createTeam();
  const event = makeEvent(first.computers.reviewer, { team: first.team });
  await first.reviewer.post(event);
  const kept = await first.reader.pull();
  // The other server has the team's first entry only, as after a restore.
  const { server, clock, clientOf } = await startTestServer();
  const admin = clientOf(first.team, first.computers.admin);
  await admin.create(await makeSetupCode(server.store, clock.nowMs), first.create);
  expect(await admin.post(...kept)).toEqual([1, 2, 3, 4]);
  expect((await admin.head()).hash).toBe(kept.at(-1)?.hash);
});
