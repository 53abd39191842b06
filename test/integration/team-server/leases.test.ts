import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { headSchema } from '../../../src/team-protocol/api.ts';
import { leaseMs, leasesSchema, maxWantedLeases, takenSchema } from '../../../src/team-protocol/leases.ts';
import { openPostgresDatabase } from '../../../src/team-server/store/postgres-database.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { createTeamStore } from '../../../src/team-server/store/team-store.ts';
import { serverRole, startPostgres } from '../../support/postgres.ts';
import { readEvents } from '../../support/read-events.ts';
import { listFiles } from '../../support/scan-profile.ts';
import { codeOf, createTeamClient } from '../../support/team-client.ts';
import { makeEvent } from '../../support/team-computer.ts';
import { createTeamOn, startTestServer } from '../../support/team-server.ts';
import { startTeamServer } from '../../support/team-server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const postgres = await startPostgres();

const tagOf = (claim: number): string =>
  hash('sha256', `${claim}`, 'buffer').subarray(0, 16).toString('base64url');
type Client = ReturnType<typeof createTeamClient>;
const post = (client: Client, takes: readonly number[], keeps: readonly number[] = []) =>
  client.call('/leases', {
    method: 'POST',
    body: { keeps: keeps.map(tagOf), takes: takes.map(tagOf) },
  });
const take = async (...wanted: Parameters<typeof post>) => {
  const reply = await post(...wanted);
  if (!reply.ok) throw new Error(await codeOf(reply));
  return takenSchema.parse(await reply.json());
};
/** Null: they are those of the version `known`. */
const ask = async (client: Client, known = '', more = '') =>
  headSchema.parse(await (await client.call(`/head?leases=${known}${more}`)).json()).leases ?? null;
const read = async (client: Client) => leasesSchema.parse(await ask(client));
/** Waits for other leases than those of a version. */
const readOther = async (client: Client, known: string, number: number) =>
  leasesSchema.parse(await ask(client, known, `&after=${number}&wait=25`));
const claims = 40;
const nameOf = new Map(Array.from({ length: claims }, (_, claim) => [tagOf(claim), claim]));
const heldIn = ({ leases }: Awaited<ReturnType<typeof read>>) =>
  leases.map(({ tag, computer }) => [nameOf.get(tag), computer]).sort();

it('gives the first free claim, notifies everyone over their streams, and ends leases that are not renewed', async () => {
  const { createTeam, clock, server } = await startTestServer();
  const { team, admin, reviewer, reader, computers } = await createTeam();
  const next = readEvents(await reader.call('/live?after=3'));
  expect(await next()).toEqual({ event: '', data: '' });
  const told = async () => heldIn(leasesSchema.parse(JSON.parse((await next())?.data ?? '')));

  const first = await take(admin, [1, 2]);
  expect(first).toMatchObject({ taken: tagOf(1), number: 3 });
  expect(await told()).toEqual([[1, computers.admin.id]]);
  expect((await take(reviewer, [1, 2])).taken).toBe(tagOf(2));
  const both = [
    [1, computers.admin.id],
    [2, computers.reviewer.id],
  ];
  expect(await told()).toEqual(both);
  expect((await take(reviewer, [1], [2])).taken).toBeNull();
  // A new listener receives it first.
  const later = readEvents(await admin.call('/live?after=3'));
  await later();
  expect(heldIn(leasesSchema.parse(JSON.parse((await later())?.data ?? '')))).toEqual(both);

  // The entry that was there before the claim was free.
  await admin.post(makeEvent(computers.admin, { team }));
  expect((await next())?.event).toBe('entries');
  await take(admin, [3]);
  expect(await told()).toEqual([
    [2, computers.reviewer.id],
    [3, computers.admin.id],
  ]);
  expect(await take(reviewer, [1])).toMatchObject({ taken: tagOf(1), number: 4 });
  expect(await told()).toEqual([
    [1, computers.reviewer.id],
    [3, computers.admin.id],
  ]);
  clock.nowMs += leaseMs - 1;
  await take(reviewer, [], [1]);
  clock.nowMs += 1;
  await server.look();
  expect(await told()).toEqual([[1, computers.reviewer.id]]);
});

it('answers a waiting request at each change of leases, and immediately if its version is outdated', async () => {
  const { createTeam } = await startTestServer();
  const { admin, reviewer, reader } = await createTeam();
  const none = await read(reader);
  expect(none.leases).toEqual([]);
  const waiting = readOther(reader, none.version, 3);
  await take(admin, [1]);
  const one = await waiting;
  expect(one.leases).toHaveLength(1);
  expect(await readOther(reader, none.version, 3)).toEqual(one);
  expect(await ask(reader, one.version)).toBeNull();
  const again = readOther(reader, one.version, 3);
  // Renewing changes nothing.
  await take(admin, [], [1]);
  await take(reviewer, [2]);
  expect((await again).leases).toHaveLength(2);
  await take(admin, []);
  await take(reviewer, []);
  expect((await read(reader)).version).toBe(none.version);
});

it('refuses readers, strangers, and too many or too large requests; ends the leases of a revoked computer', async () => {
  const { createTeam, clientOf } = await startTestServer({
    limits: { leases: { capacity: 5, perSecond: 1 } },
  });
  const { team, admin, reviewer, reader, computers } = await createTeam();
  const other = await createTeam();
  const codeFor = async (client: Client, ...wanted: [readonly number[], (readonly number[])?]) =>
    codeOf(await post(client, ...wanted));
  expect(await codeFor(reader, [1])).toBe('role.notAllowed');
  expect(await codeFor(clientOf(team, computers.recovery), [1])).toBe('role.notAllowed');
  expect(await codeFor(clientOf(team, other.computers.reviewer), [1])).toBe('member.unknown');
  const many = Array.from({ length: maxWantedLeases + 1 }, (_, index) => index);
  expect(await codeFor(admin, many)).toBe('request.invalid');
  expect(await codeFor(admin, [], many.slice(0, 8))).toBe('request.invalid');
  for (const body of [{}, { keeps: [], takes: ['1'] }, { keeps: [], takes: [], team }, []])
    expect(await codeOf(await reviewer.call('/leases', { method: 'POST', body }))).toBe('request.invalid');
  expect((await reader.call(`/head?leases=${'x'.repeat(31)}`)).status).toBe(400);

  expect((await take(reviewer, [1])).taken).toBe(tagOf(1));
  expect(await codeFor(reviewer, [2])).toBe('request.tooMany');
  // The same claim in another team is another one.
  expect((await take(other.reviewer, [1])).taken).toBe(tagOf(1));
  expect((await read(reader)).leases).toHaveLength(1);
  await admin.post(computers.revoke(computers.reviewer));
  expect((await read(reader)).leases).toEqual([]);
  expect((await take(admin, [1])).taken).toBe(tagOf(1));
});

it('stores nothing about who had which claim open in the files of a folder', async () => {
  const folder = makeTempFolder();
  const { createTeam, clock, server } = await startTestServer({ database: await openSqliteDatabase(folder) });
  const { admin, reviewer } = await createTeam();
  const findTags = () => {
    const files = listFiles(folder).map((path) => readFileSync(path));
    return [1, 2].filter((claim) => files.some((bytes) => bytes.includes(tagOf(claim))));
  };
  await take(admin, [1]);
  await take(reviewer, [2]);
  expect(findTags()).toEqual([1, 2]);
  await take(admin, []);
  clock.nowMs += leaseMs;
  await server.store.endLeases(clock.nowMs);
  expect(findTags()).toEqual([]);
});

it('lets no two computers work on one claim through two processes on PostgreSQL, which notify each other', async () => {
  const name = await postgres.createDatabase();
  const address = postgres.address(serverRole, name);
  const [one, two] = await Promise.all([1, 2].map(() => startTeamServer('--database', address)));
  if (one === undefined || two === undefined) throw new Error('no server');
  const database = await openPostgresDatabase(address);
  const store = createTeamStore(database);
  const { team, admin, computers } = await createTeamOn({ store, origin: one.origin }, Date.now);
  const ben = createTeamClient(two.origin, team, computers.reviewer);
  const none = await read(ben);
  const waiting = readOther(ben, none.version, 3);
  const next = readEvents(await ben.call('/live?after=3'));
  expect(await next()).toEqual({ event: '', data: '' });
  await take(admin, [0]);
  expect(heldIn(await waiting)).toEqual([[0, computers.admin.id]]);
  const told = await next();
  expect(told?.event).toBe('leases');
  expect(heldIn(leasesSchema.parse(JSON.parse(told?.data ?? '')))).toEqual([[0, computers.admin.id]]);
  const met: number[] = [];
  await Promise.all(
    [admin, ben].map(async (client) => {
      while (met.length < claims) {
        const left = [...nameOf.values()].filter((claim) => !met.includes(claim));
        const claim = nameOf.get((await take(client, left.slice(0, 4), met.slice(-1))).taken ?? '');
        // Where the other decided it after this one asked, it is passed over.
        if (claim !== undefined && !met.includes(claim)) met.push(claim);
      }
    }),
  );
  expect(met.toSorted((left, right) => left - right)).toEqual(
    Array.from({ length: claims }, (_, claim) => claim),
  );
  for (const client of [admin, ben]) expect((await take(client, [])).taken).toBeNull();
  expect(await store.readLeases(team, 0)).toEqual([]);
  // Who had what open is in no log of changes of the database.
  expect(await database.all("SELECT relpersistence FROM pg_class WHERE relname = 'leases'")).toEqual([
    { relpersistence: 'u' },
  ]);
  await store.close();
  expect(await Promise.all([one.end(), two.end()])).toEqual([0, 0]);
  // Nor are they in a log of the server.
  const log = [...one.log, ...two.log].join('\n');
  expect([...nameOf.keys()].filter((tag) => log.includes(tag))).toEqual([]);
});
