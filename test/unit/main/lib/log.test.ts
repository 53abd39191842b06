import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../../src/main/lib/log.ts';
import { createFieldFilter, isLogEvent, type LogEvent } from '../../../../src/main/lib/log-fields.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const clock = { now: () => Date.UTC(2026, 2, 3, 4, 5, 6) };

async function readLines(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('writes one JSON line per event, with IDs hashed', async () => {
  const filePath = join(folder, 'logs', 'claimdesk.log');
  const log = createLog({ filePath, clock });
  log.write('service.requestFailed', {
    code: 'service.fault',
    status: 502,
    method: 'GET',
    route: '/api/v2/employer/{employer_id}/member/{member_id}',
    requestId: 'b6f7a2c4-0c1e-4b7e-9b1d-1f2e3d4c5b6a',
    durationMs: 12.6,
    workspaceId: 'acme-benefits-x1',
  });
  log.write('sync.finished', { workspaceId: 'acme-benefits-x1' });
  await log.flush();
  const [first, second] = await readLines(filePath);
  expect(first).toEqual({
    at: '2026-03-03T04:05:06.000Z',
    event: 'service.requestFailed',
    code: 'service.fault',
    status: 502,
    method: 'GET',
    route: '/api/v2/employer/{employer_id}/member/{member_id}',
    requestId: 'b6f7a2c4-0c1e-4b7e-9b1d-1f2e3d4c5b6a',
    durationMs: 13,
    workspaceId: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  expect(second?.workspaceId).toBe(first?.workspaceId);
  expect((await stat(filePath)).mode & 0o777).toBe(0o600);
});

test('another run hashes the same ID differently', () => {
  const hash = () => createFieldFilter()({ workspaceId: 'acme' }).workspaceId;
  expect(hash()).not.toBe(hash());
});

test.each([
  ['an unknown field', { patientName: 'Ada Lovelace' }],
  ['an inherited name', JSON.parse('{"__proto__": "x", "constructor": "y", "toString": "z"}')],
  ['a made-up code', { code: 'Ada.Lovelace' }],
  ['an email as request id', { requestId: 'ada1@example.com' }],
  ['a name as request id', { requestId: 'AdaLovelace' }],
  ['an SSN as request id', { requestId: '123-45-6789' }],
  ['an SSN without hyphens', { requestId: '123456789' }],
  ['a sentence as request id', { requestId: 'claim 12345678 denied' }],
  ['an id in a route', { route: '/api/v2/employer/12/member/34' }],
  ['a query in a route', { route: '/api/v2/claims?email=a' }],
  ['another root', { route: '/home/ada' }],
  ['a name as phase', { phase: 'Lovelace' }],
  ['a status out of range', { status: 123456 }],
  ['an amount as count', { count: 123.45 }],
  ['text for a number', { rows: '12' }],
  ['not a number', { durationMs: Number.NaN }],
  ['an object', { count: { amount: 1 } }],
  ['a method of no kind', { method: 'ADA' }],
])('drops %s', (_, fields) => {
  expect(createFieldFilter()(fields as Record<string, unknown>)).toEqual({});
});

test('events are of our rooms, in camel case', () => {
  expect(isLogEvent('sync.finished')).toBe(true);
  for (const event of [
    'ada.lovelace',
    'sync.Ada Lovelace',
    'sync',
    'sync.a@b',
    'sync.x.y',
    'sync.claim123',
  ]) {
    expect(isLogEvent(event)).toBe(false);
  }
});

test('no text that is put into all fields at once comes out', () => {
  const filterFields = createFieldFilter();
  const names = ['code', 'phase', 'method', 'route', 'requestId', 'status', 'count', 'workspaceId', 'name'];
  const secret = fc.oneof(
    fc.emailAddress(),
    fc.stringMatching(/^[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}$/),
    fc.stringMatching(/^\d{3}-?\d{2}-?\d{4}$/),
    fc.stringMatching(/^\$?\d{1,6}\.\d{2}$/),
  );
  fc.assert(
    fc.property(secret, (text) => {
      const passed = filterFields(Object.fromEntries(names.map((name) => [name, text])));
      expect(Object.keys(passed)).toEqual(['workspaceId']);
      expect(JSON.stringify(passed)).not.toContain(text);
    }),
  );
});

test('keeps a bounded number of bounded files', async () => {
  const filePath = join(folder, 'claimdesk.log');
  const log = createLog({ filePath, clock, maxBytes: 500 });
  for (let index = 0; index < 100; index += 1) log.write('app.started', { count: index });
  await log.flush();
  expect((await readdir(folder)).sort()).toEqual(['claimdesk.log', 'claimdesk.log.1', 'claimdesk.log.2']);
  for (const name of await readdir(folder)) {
    expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(500);
  }
  expect((await readLines(filePath)).at(-1)).toMatchObject({ count: 99 });
});

test('continues in the file of the previous run', async () => {
  const filePath = join(folder, 'claimdesk.log');
  for (const count of [1, 2]) {
    const log = createLog({ filePath, clock });
    log.write('app.started', { count });
    await log.flush();
  }
  expect((await readLines(filePath)).map((line) => line.count)).toEqual([1, 2]);
});

test('drops lines instead of filling the memory, and says how many', async () => {
  const filePath = join(folder, 'claimdesk.log');
  const log = createLog({ filePath, clock });
  for (let index = 0; index < 1500; index += 1) log.write('app.started', { count: index });
  await log.flush();
  log.write('app.started');
  await log.flush();
  const lines = await readLines(filePath);
  expect(lines).toHaveLength(1001);
  expect(lines.at(-1)).toMatchObject({ dropped: 500 });
});

test('never throws: no file, a folder in the way, an unknown event', async () => {
  const silent = createLog({ filePath: null, clock });
  silent.write('app.started');
  await silent.flush();
  const blocked = createLog({ filePath: folder, clock });
  blocked.write('app.started');
  await blocked.flush();
  const filePath = join(folder, 'claimdesk.log');
  const log = createLog({ filePath, clock });
  log.write('ada.lovelace' as LogEvent);
  await log.flush();
  expect(await readdir(folder)).toEqual([]);
});
