import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { firstChainHash, nextChainHash } from '../../../src/team-protocol/chain.ts';
import type { NumberedEntry } from '../../../src/team-protocol/frame.ts';
import { makeSetupCode, startServer } from '../../../src/team-server/server.ts';
import { StartError } from '../../../src/team-server/store/database.ts';
import { migratePostgres, openPostgresDatabase } from '../../../src/team-server/store/postgres-database.ts';
import { schemaNumber } from '../../../src/team-server/store/schema.ts';
import { createTeamStore } from '../../../src/team-server/store/team-store.ts';
import { ownerRole, postgresPrograms, serverRole, startPostgres } from '../../support/postgres.ts';
import { createTeamClient } from '../../support/team-client.ts';
import { idOf, makeComputer, makeEvent, makeTestTeam } from '../../support/team-computer.ts';
import { createTeamOn, startTestServer } from '../../support/team-server.ts';
import { runTeamServer, startTeamServer } from '../../support/team-server-process.ts';

const postgres = await startPostgres();
const addressOf = (database: string, role = serverRole): string => postgres.address(role, database);

/** Numbers without a gap, in one chain. */
function expectChain(entries: readonly NumberedEntry[]): void {
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
  let hash = firstChainHash;
  for (const entry of entries) {
    hash = nextChainHash(hash, entry.number, entry);
    expect(entry.hash).toBe(hash);
  }
}

it('starts only as a role that can neither change tables nor bypass their rules', async () => {
  const name = await postgres.createDatabase();
  const refusal = async (role: string, database = name): Promise<string> => {
    const opened = await openPostgresDatabase(addressOf(database, role)).catch((thrown: unknown) => thrown);
    if (!(opened instanceof StartError)) throw new Error('It started.');
    return opened.code;
  };
  expect(await refusal('postgres')).toBe('role.superuser');
  expect(await refusal(ownerRole)).toBe('role.owner');
  await postgres.asSuperuser(
    name,
    `CREATE ROLE bypasses LOGIN BYPASSRLS; CREATE ROLE member LOGIN IN ROLE ${ownerRole}`,
  );
  expect(await refusal('bypasses')).toBe('role.bypassesRls');
  expect(await refusal('member')).toBe('role.owner');
  const empty = await postgres.createDatabase({ isMigrated: false });
  expect(await refusal(serverRole, empty)).toBe('database.notMigrated');
  await (await openPostgresDatabase(addressOf(name))).close();
  // The program itself prints the error, without starting the server.
  const run = await runTeamServer('--database', addressOf(name, 'postgres'), '--port', '0');
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^role\.superuser: /) });
});

it('migrates once, even if two do it at the same time', async () => {
  const name = await postgres.createDatabase({ isMigrated: false });
  const ran = await Promise.all([1, 2].map(() => migratePostgres(addressOf(name, ownerRole))));
  expect(ran.map(({ length }) => length).sort()).toEqual([0, 1]);
  await expect(migratePostgres(addressOf(name, serverRole))).resolves.toEqual([]);
  const empty = await postgres.createDatabase({ isMigrated: false });
  await expect(migratePostgres(addressOf(empty, serverRole))).rejects.toThrow('permission denied');
});

it('refuses a database from before teams were released', async () => {
  const name = await postgres.createDatabase();
  await postgres.asSuperuser(name, `UPDATE migrations SET number = ${schemaNumber - 1}`);
  const older = { code: 'database.older' };
  await expect(openPostgresDatabase(addressOf(name))).rejects.toMatchObject(older);
  await expect(migratePostgres(addressOf(name, ownerRole))).rejects.toMatchObject(older);
});

it('lets the server’s role read and add, and change only leases, nonces of joins, counts of a day and when a computer connected', async () => {
  const name = await postgres.createDatabase();
  const run = (sql: string) => postgres.run(serverRole, name, sql);
  for (const table of [
    'teams',
    'entries',
    'parts',
    'invitations',
    'joins',
    'computers',
    'setup_codes',
    'removed_entries',
  ])
    for (const sql of [`DELETE FROM ${table}`, `TRUNCATE ${table}`, `DROP TABLE ${table}`])
      await expect(run(sql)).rejects.toThrow(/permission denied|must be owner/);
  for (const sql of [
    "UPDATE entries SET header = ''",
    "UPDATE parts SET content = ''",
    "UPDATE teams SET team = ''",
    'UPDATE teams SET number = number',
    'UPDATE teams SET parts = 0',
    "INSERT INTO teams (team, setup_code, number) VALUES ('t', 'c', 9)",
    "INSERT INTO entries VALUES ('t', 1, 'id', 'event', '', 0, '', '', '')",
    "INSERT INTO parts VALUES ('t', 1, 1, 'c', 1, '')",
    'SELECT * FROM removed_content',
    "SELECT remove_content('t', 1)",
    "SELECT restore_content('t', 1)",
    "UPDATE teams SET setup_code = ''",
    "UPDATE computers SET computer = ''",
    'UPDATE setup_codes SET expires_at = 0',
    'UPDATE invitations SET expires_at = 0',
    "UPDATE joins SET certificate = ''",
    "UPDATE leases SET computer = ''",
    'INSERT INTO migrations VALUES (9)',
    "INSERT INTO removed_entries VALUES ('t', 'id', 1)",
    'CREATE TABLE other (one integer)',
  ])
    await expect(run(sql)).rejects.toThrow('permission denied');
  await run('UPDATE computers SET seen_at = 0');
  await run("UPDATE joins SET nonce = '', answer = ''");
  await run('DELETE FROM leases');
});

it('numbers in one chain what two processes add, which notify each other of entries', async () => {
  const name = await postgres.createDatabase();
  const [one, two] = await Promise.all([1, 2].map(() => startTeamServer('--database', addressOf(name))));
  if (one === undefined || two === undefined) throw new Error('no server');
  const database = await openPostgresDatabase(addressOf(name));
  const store = createTeamStore(database);
  const { team, admin: first, computers } = await createTeamOn({ store, origin: one.origin }, Date.now);
  const second = createTeamClient(two.origin, team, computers.reviewer);
  const waiting = second.head('?after=3&wait=25');
  const posted = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const [client, computer] = index % 2 === 0 ? [first, computers.admin] : [second, computers.reviewer];
      return client.post(...Array.from({ length: (index % 3) + 1 }, () => makeEvent(computer, { team })));
    }),
  );
  expect((await waiting).number).toBeGreaterThan(3);
  const numbers = posted.flat() as number[];
  expect(numbers.sort((left, right) => left - right)).toEqual(numbers.map((_, index) => index + 4));
  const all = await second.pull();
  expectChain(all);
  expect((await first.pull()).map(({ hash }) => hash)).toEqual(all.map(({ hash }) => hash));
  // A computer that one revokes is refused by the other at once.
  const revoked = await first.post(computers.revoke(computers.reviewer));
  expect(revoked).toEqual([all.length + 1]);
  expect(await second.post(makeEvent(computers.reviewer, { team }))).toEqual(['member.unknown']);
  await store.close();
  expect(await Promise.all([one.end(), two.end()])).toEqual([0, 0]);
});

it.each(['SIGINT', 'SIGQUIT'] as const)(
  'loses and repeats nothing if PostgreSQL ends by %s in the middle of a batch',
  async (signal) => {
    const name = await postgres.createDatabase();
    const { createTeam, lines } = await startTestServer({
      database: await openPostgresDatabase(addressOf(name)),
    });
    const { team, reviewer, computers } = await createTeam();
    const batches = Array.from({ length: 6 }, () =>
      Array.from({ length: 40 }, () => makeEvent(computers.reviewer, { team })),
    );
    let isRestarted: Promise<void> = Promise.resolve();
    const send = async (batch: (typeof batches)[number]): Promise<void> => {
      const results = await reviewer.post(...batch);
      if (results[0] === 'store.unavailable') {
        await isRestarted;
        await send(batch);
      } else expect(results.every(Number.isInteger)).toBe(true);
    };
    await send(batches[0] ?? []);
    const sending = Promise.all(batches.slice(1).map(send));
    isRestarted = postgres.restart(signal);
    await Promise.all([sending, isRestarted]);
    // The client repeats all of it, as after a reply that was lost.
    for (const batch of batches) await send(batch);
    const all = await reviewer.pull();
    expectChain(all);
    expect(all.slice(3).map(idOf).sort()).toEqual(batches.flat().map(idOf).sort());
    expect(lines.join('')).not.toContain('"event":"fault"');
  },
);

it('reports that it is not ready while the database does not answer, and is ready again afterwards', async () => {
  const name = await postgres.createDatabase();
  const { origin, createTeam } = await startTestServer({
    database: await openPostgresDatabase(addressOf(name)),
  });
  const { reader } = await createTeam();
  const readiness = async () => (await fetch(`${origin}/readyz`)).status;
  expect(await readiness()).toBe(200);
  await postgres.stop();
  expect(await readiness()).toBe(503);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect((await reader.call('/head')).status).toBe(503);
  await postgres.restart();
  expect(await readiness()).toBe(200);
  expect((await reader.head()).number).toBe(3);
});

it('is backed up by pg_dump and restored into an empty database, as docs/team-server.md says', async () => {
  const name = await postgres.createDatabase();
  const kept = await startTestServer({ database: await openPostgresDatabase(addressOf(name)) });
  const { team, reviewer, computers } = await kept.createTeam();
  await reviewer.post(makeEvent(computers.reviewer, { team, parts: ['a'] }));
  const dump = join(postgres.folder, 'team.dump');
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(postgresPrograms, program), args, { stdio: 'pipe' });
  run('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${addressOf(name, ownerRole)}`);
  const restored = await postgres.createDatabase({ isMigrated: false });
  run('pg_restore', '--exit-on-error', '--no-owner', `--dbname=${addressOf(restored, ownerRole)}`, dump);
  expect(await migratePostgres(addressOf(restored, ownerRole))).toEqual([]);
  const again = await startTestServer({ database: await openPostgresDatabase(addressOf(restored)) });
  const client = again.clientOf(team, computers.reviewer);
  expect((await client.pull()).map(({ hash }) => hash)).toEqual(
    (await reviewer.pull()).map(({ hash }) => hash),
  );
  expect(await client.post(makeEvent(computers.reviewer, { team }))).toEqual([5]);
});

it('keeps no planted name, note or email in the log, and no name or note in the database', async () => {
  const name = await postgres.createDatabase();
  const server = await startTeamServer('--database', addressOf(name));
  const store = createTeamStore(await openPostgresDatabase(addressOf(name)));
  const { team, admin, reviewer, computers } = await createTeamOn({ store, origin: server.origin }, Date.now);
  const canary = 'Zqxcanary';
  const event = makeEvent(computers.reviewer, {
    team,
    text: `{"note":"${canary}"}`,
    parts: [canary, canary],
  });
  await reviewer.post(event);
  await reviewer.post({ ...event, signature: Buffer.alloc(64) });
  await fetch(`${server.origin}/v1/teams/${canary}/head?after=${canary}`, {
    headers: { authorization: canary },
  });
  await fetch(`${server.origin}/v1/teams`, {
    method: 'POST',
    body: `{"setupCode": "${canary}", "entry": ${canary}`,
    headers: { 'content-type': 'application/json' },
  });
  await admin.call('/invitations', { method: 'POST', body: { digest: canary, email: 'ada@acme.example' } });
  await makeSetupCode(store, Date.now());
  await store.close();
  await server.end();
  const log = server.log.join('\n');
  expect(server.log.map((line) => (JSON.parse(line) as { event: string }).event)).toContain('refused');
  expect(log).not.toMatch(/Zqx|acme|@|SELECT|INSERT/);
  const dump = execFileSync(join(postgresPrograms, 'pg_dump'), [
    '--inserts',
    `--dbname=${addressOf(name, ownerRole)}`,
  ]).toString('latin1');
  expect(dump).toContain(idOf(event));
  for (const form of [
    canary,
    Buffer.from(canary).toString('hex'),
    Buffer.from(canary).toString('base64').slice(0, -1),
  ])
    expect(dump).not.toContain(form);
  // Its digest is not there either: a guess could be tested with it.
  expect(dump).not.toContain(createHash('sha256').update(canary).digest('base64url'));
});

it('runs next to an older server, and ends on request', async () => {
  const name = await postgres.createDatabase();
  const database = await openPostgresDatabase(addressOf(name));
  const server = await startServer({
    ...{ database, port: 0, tls: null, origin: null, metricsToken: null },
    log: () => undefined,
  });
  await postgres.run(ownerRole, name, 'INSERT INTO migrations VALUES (1000)');
  await (await openPostgresDatabase(addressOf(name))).close();
  await server.close();
});

it('notifies other processes of new entries', async () => {
  const name = await postgres.createDatabase();
  const open = async () => createTeamStore(await openPostgresDatabase(addressOf(name)));
  const [one, two] = [await open(), await open()];
  let told = '';
  await two.onNotified((team) => {
    told = team;
  });
  const digest = 'A'.repeat(43);
  await one.addSetupCode(digest, 2);
  const { team, create, admin } = makeTestTeam();
  let hash = nextChainHash(firstChainHash, 1, create);
  const entry = { ...create, number: 1, hash, id: idOf(create), kind: 'membership' as const };
  expect(await one.createTeam(digest, team, entry, 1)).toBe('created');
  const by = { computer: admin.id, now: 1 };
  // Until the connection listens.
  for (let number = 2; told === ''; number += 1) {
    const event = makeEvent(admin, { team });
    hash = nextChainHash(hash, number, event);
    await one.append(team, [], by, async () => [{ ...event, number, hash, id: idOf(event), kind: 'event' }]);
  }
  expect(told).toBe(team);
  await Promise.all([one.close(), two.close()]);
});

it('identifies members by the chain, not by numbers that a failover reuses, and is ready once it can', async () => {
  const name = await postgres.createDatabase();
  const { createTeam, clientOf, origin } = await startTestServer({
    database: await openPostgresDatabase(addressOf(name)),
  });
  const { team, admin, computers } = await createTeam();
  const before = await admin.head();
  const dora = makeComputer('dora@acme.example');
  const admission = computers.admit(dora, 'reviewer');
  expect(await admin.post(admission)).toEqual([4]);
  const newcomer = clientOf(team, dora);
  expect((await newcomer.call('/head')).status).toBe(200);
  const rewind = `DELETE FROM entries WHERE number = 4;
    UPDATE teams SET number = 3, membership = 3, hash = '${before.hash}' WHERE team = '${team}'`;
  await postgres.asSuperuser(name, rewind);
  expect((await newcomer.call('/head')).status).toBe(403);
  expect(await admin.post(admission, makeEvent(dora, { team }))).toEqual([4, 5]);
  // Another membership takes the number of the lost one before this process looks.
  await postgres.asSuperuser(name, rewind.replace('number = 4', 'number IN (4, 5)'));
  const other = createTeamStore(await openPostgresDatabase(addressOf(name)));
  const ella = makeComputer('ella@acme.example');
  const instead = computers.admit(ella, 'reviewer');
  const entry = { ...instead, number: 4, hash: nextChainHash(before.hash, 4, instead), id: idOf(instead) };
  await other.append(team, [], { computer: dora.id, now: 1 }, async () => [{ ...entry, kind: 'membership' }]);
  await other.close();
  expect((await newcomer.call('/head')).status).toBe(403);
  expect(await clientOf(team, ella).post(makeEvent(ella, { team }))).toEqual([5]);
  // An entry that it can't read makes the server not ready, until it can.
  const readiness = async () => (await fetch(`${origin}/readyz`)).status;
  await postgres.asSuperuser(name, "UPDATE entries SET kind = 'event', hash = 'x' || hash WHERE number = 1");
  await postgres.asSuperuser(name, "UPDATE entries SET hash = 'x' || hash WHERE number = 4");
  expect((await admin.call('/head')).status).toBe(500);
  expect(await readiness()).toBe(503);
  await postgres.asSuperuser(name, "UPDATE entries SET kind = 'membership' WHERE number = 1");
  expect(await readiness()).toBe(200);
  expect((await admin.call('/head')).status).toBe(200);
});
