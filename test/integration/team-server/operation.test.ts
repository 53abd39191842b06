import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createDiskWatch } from '../../../src/team-server/disk-watch.ts';
import { makeSetupCode } from '../../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { createTeamStore } from '../../../src/team-server/store/team-store.ts';
import { runCommand, startCli, waitForOutput } from '../../support/cli-run.ts';
import { canMountSmallDisk, mountSmallDisk } from '../../support/small-disk.ts';
import { createTeamClient } from '../../support/team-client.ts';
import { makeEvent, nextBytes } from '../../support/team-computer.ts';
import { createTeamOn, startTestServer } from '../../support/team-server.ts';
import { runTeamServer, startTeamServer } from '../../support/team-server-process.ts';
import { makeSharedFolder, makeTempFolder } from '../../support/temp-folder.ts';

const folder = makeSharedFolder();

it('counts what it does, only for this computer or a holder of the token', async () => {
  const open = await startTestServer();
  const { team, reviewer, reader, computers } = await open.createTeam();
  await reviewer.post(makeEvent(computers.reviewer, { team }), makeEvent(computers.reader, { team }));
  await reader.head();
  const readMetrics = (headers: Record<string, string> = {}, origin = open.origin) =>
    fetch(`${origin}/metrics`, { headers });
  const reply = await readMetrics();
  expect(reply.headers.get('content-type')).toMatch(/^application\/openmetrics-text/);
  const text = await reply.text();
  expect(text).toContain('claimdesk_team_requests_total{route="/v1/teams/:team/head",status="200"} 3\n');
  expect(text).toContain('claimdesk_team_refusals_total{code="role.notAllowed"} 1\n');
  expect(text).toContain('claimdesk_team_entries_total 3\n');
  const requests = [...text.matchAll(/^claimdesk_team_requests_total\{.*\} (\d+)$/gm)];
  const all = requests.reduce((sum, [, count]) => sum + Number(count), 0);
  expect(text).toContain(`claimdesk_team_request_seconds_bucket{le="+Inf"} ${all}\n`);
  expect(text).toMatch(/\n# EOF\n$/);
  for (const line of text.trim().split('\n'))
    expect(line).toMatch(
      /^(# (TYPE [a-z_]+ (counter|gauge|histogram)|EOF)|[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [\d.e+-]+)$/,
    );
  expect((await readMetrics({ 'x-forwarded-for': '10.0.0.1' })).status).toBe(404);
  const origin = 'https://team.example.org:8443';
  const known = await startTestServer({ origin });
  expect((await readMetrics({}, `http://127.0.0.1:${known.server.port}`)).status).toBe(404);
  const closed = await startTestServer({ metricsToken: 'a token for metrics' });
  expect((await readMetrics({}, closed.origin)).status).toBe(404);
  expect((await readMetrics({ authorization: 'Bearer a token for Metrics' }, closed.origin)).status).toBe(
    404,
  );
  expect((await readMetrics({ authorization: 'Bearer a token for metrics' }, closed.origin)).status).toBe(
    200,
  );
});

it('logs codes, routes and computers, and nothing that was sent', async () => {
  const { createTeam, lines } = await startTestServer();
  const { team, reader, computers } = await createTeam();
  lines.length = 0;
  await reader.call('/joins?secret=Zqx');
  await reader.call('/Zqx');
  await reader.post(makeEvent(computers.reader, { team, text: 'Zqx' }));
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      event: 'refused',
      code: 'member.notAdmin',
      status: 403,
      route: '/v1/teams/:team/joins',
      computer: computers.reader.id,
    },
  ]);
});

it('answers over TLS with its certificate, and over plain HTTP only on loopback', async () => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const make = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  execFileSync('openssl', [...make, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  const origin = 'https://team.example.org:8443';
  const [server, plain] = await Promise.all([
    startTeamServer('--data', join(folder, 'tls'), '--tls-cert', cert, '--tls-key', key, '--origin', origin),
    startTeamServer('--data', join(folder, 'plain')),
  ]);
  expect(server.origin).toBe(origin);
  const listening = (port: number, table: string): string[] =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} 00`))
      .map((line) => line.trim().split(/[ :]+/)[1] ?? '');
  // 127.0.0.1, and any address.
  const plainPort = Number(new URL(plain.origin).port);
  expect([...listening(plainPort, 'tcp'), ...listening(plainPort, 'tcp6')]).toEqual(['0100007F']);
  expect([...listening(server.port, 'tcp'), ...listening(server.port, 'tcp6')]).toEqual(['0'.repeat(32)]);
  const status = await new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port: server.port,
        servername: 'localhost',
        path: '/readyz',
        ca: readFileSync(cert),
      },
      (response) => resolve(response.resume().statusCode),
    )
      .once('error', reject)
      .end();
  });
  expect(status).toBe(200);
  expect(await Promise.all([server.end(), plain.end()])).toEqual([0, 0]);
});

it('runs as a command, which prints set-up codes', async () => {
  const data = join(folder, 'command');
  const printed = await runTeamServer('code', '--data', data);
  const { setupCode } = JSON.parse(printed.stdout) as { setupCode: string };
  expect(setupCode).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  expect(statSync(join(data, 'team-server.db')).mode & 0o077).toBe(0);
  const { child, result } = startCli(['team-server', '--data', data, '--port', '0']);
  await waitForOutput(child, /listening/);
  child.kill('SIGTERM');
  const ended = await result;
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.lines[0] ?? '')).toMatchObject({ event: 'listening' });
  expect(ended.stderr).toMatch(/"event":"ending"/);
  const wrong = await runCommand(['team-server', 'migrate', '--data', data], { profile: makeTempFolder() });
  expect(wrong.code).toBe(2);
});

it('ends with its streams on request, and continues where it was', async () => {
  const data = join(folder, 'again');
  const store = createTeamStore(await openSqliteDatabase(data));
  const first = await startTeamServer('--data', data);
  const { team, reviewer, reader, computers } = await createTeamOn({ store, origin: first.origin }, Date.now);
  const stream = await reader.call('/live?after=3');
  await reviewer.post(makeEvent(computers.reviewer, { team }));
  const [code, text] = await Promise.all([first.end(), stream.text()]);
  expect(code).toBe(0);
  expect(text).toContain('event: entries');
  const second = await startTeamServer('--data', data);
  const again = createTeamClient(second.origin, team, computers.reviewer);
  expect(await again.post(makeEvent(computers.reviewer, { team }))).toEqual([5]);
  await Promise.all([second.end(), store.close()]);
});

// Mounting a small disk takes rights that some containers withhold.
if (canMountSmallDisk())
  it('says that the disk is full, and continues when there is space', async () => {
    const disk = mountSmallDisk(4);
    const database = await openSqliteDatabase(join(disk.path, 'data'));
    const { createTeam, close } = await startTestServer({ database });
    const { team, reviewer, computers } = await createTeam();
    const free = disk.fill();
    const event = makeEvent(computers.reviewer, { team, parts: [nextBytes(150_000).toString('base64')] });
    let result = (await reviewer.post(event))[0];
    expect(result).toBe('store.full');
    expect((await reviewer.head()).number).toBe(3);
    free();
    result = (await reviewer.post(event))[0];
    expect(result).toBe(4);
    await close();
    disk.remove();
  });

it('raises an alarm once, before the space allowed for the database is used up', async () => {
  const size = { usedBytes: 10e9, freeBytes: 50e9 as number | null };
  const events: string[] = [];
  const measure = async () => size;
  const watch = createDiskWatch({ measure }, 12e9, (_event, { code } = {}) => events.push(code ?? ''));
  await watch.look();
  expect([watch.isLow(), watch.gauges.store_free_bytes()]).toEqual([false, 2e9]);
  Object.assign(size, { usedBytes: 11e9, freeBytes: null });
  await watch.look();
  await watch.look();
  expect([watch.isLow(), events]).toEqual([true, ['store.nearlyFull']]);
  const other = createDiskWatch(
    { measure: async () => ({ usedBytes: 9e9, freeBytes: 1e9 }) },
    null,
    () => undefined,
  );
  await other.look();
  expect(other.isLow()).toBe(true);
});

it('says which Node.js it needs if an older one runs it', async () => {
  const start = fileURLToPath(new URL('../../../deploy/team-server.mjs', import.meta.url));
  const script =
    "Object.defineProperty(process.versions, 'node', { value: '18.19.0' }); import(process.argv[1]);";
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script, start], {
    encoding: 'utf8',
  });
  expect([run.status, run.stderr]).toEqual([
    1,
    'The team server needs Node.js 24 or newer; this is 18.19.0. docs/team-server.md says where it comes from.\n',
  ]);
});

it('stores only the digest of a set-up code', async () => {
  const data = join(folder, 'codes');
  const store = createTeamStore(await openSqliteDatabase(data));
  const code = await makeSetupCode(store, 0);
  await store.close();
  const bytes = readFileSync(join(data, 'team-server.db'));
  expect(bytes.includes(code)).toBe(false);
  expect(bytes.includes(code.replaceAll('-', ''))).toBe(false);
});
