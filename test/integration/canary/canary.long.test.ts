import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProcedureName } from '../../../src/contract/procedures.ts';
import { givenCheapSecrets, vaultPassphrase } from '../../support/cheap-secrets.ts';
import { listChildren } from '../../support/child-processes.ts';
import { ask, type OpenStream, openStream } from '../../support/loopback-client.ts';
import { findInMemory } from '../../support/process-memory.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { isFuzz } from '../../support/seeds.ts';
import { firstLine, type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';

// Planted names, SSNs and a carrier password go through a day's work; afterwards they are looked for in every file
// that was written, in the arguments and environments of our processes, and, after a lock, in main's memory.

/** Members planted, and as many claims; each with names and an SSN that nothing else has. */
const planted = isFuzz ? 1000 : 60;
const password = 'Zqx-Carrier-Canary-7351!';
const email = 'zqxcanary.member@newco.example';

const letters = (index: number): string =>
  index
    .toString(26)
    .padStart(4, '0')
    .replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
const people = Array.from({ length: planted }, (_none, index) => ({
  first_name: `Zqxaf${letters(index)}`,
  last_name: `Zqxal${letters(index)}`,
  ssn: `987-${String(10 + Math.floor(index / 100))}-${String(5000 + index)}`,
}));
const patients = people.map(({ first_name }) => `${first_name} Zqxpatient`);
const texts = [
  ...people.flatMap(({ first_name, last_name, ssn }) => [
    first_name,
    last_name,
    ssn,
    ssn.replaceAll('-', ''),
  ]),
  password,
  email,
];

let sandbox: Sandbox;
let folder: string;
let child: ChildProcess;
let origin: string;
let token: string;

const profileDir = () => join(folder, 'profile');
const headers = () => ({
  origin,
  'content-type': 'application/json',
  'x-claimdesk-window': token,
  'sec-fetch-site': 'same-origin',
});
const findEngine = async (): Promise<string> => {
  const { text } = await ask(origin, '/session', { headers: headers() });
  return (JSON.parse(text) as { engineUrl: string }).engineUrl;
};
async function call<T>(to: 'main' | 'engine', procedure: ProcedureName, input: unknown): Promise<T> {
  const at = to === 'main' ? origin : await findEngine();
  const site = to === 'main' ? 'same-origin' : 'same-site';
  const { text } = await ask(at, `/call/${procedure}`, {
    method: 'POST',
    headers: { ...headers(), 'sec-fetch-site': site },
    body: JSON.stringify(input),
  });
  const result = JSON.parse(text) as { ok: boolean; value: T };
  expect(result, procedure).toMatchObject({ ok: true });
  return result.value;
}
const listen = async (): Promise<OpenStream> =>
  openStream(await findEngine(), { origin, 'x-claimdesk-window': token });

beforeAll(async () => {
  sandbox = await startSandbox('--members', String(planted), '--claims', String(planted));
  const change = (list: string, sets: readonly object[]) =>
    sets.map((set, position) => ({ op: 'change', list, position, set }));
  await sandbox.control('POST', '/edits', { edits: change('members', people) });
  await sandbox.control('POST', '/edits', {
    edits: change(
      'claims',
      patients.map((patient_name) => ({ patient_name })),
    ),
  });
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-canary-'));
  for (const name of ['home', 'tmp', 'renderer', 'downloads']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'renderer', 'index.html'), '<p>page</p>');
  givenCheapSecrets(profileDir());
  const program = join(import.meta.dirname, '../../support/shell-program.ts');
  child = spawn(process.execPath, [program, profileDir(), join(folder, 'renderer')], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      CLAIMDESK_DOWNLOADS: join(folder, 'downloads'),
      CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = new URL(await firstLine(child));
  ({ origin } = address);
  token = '';
  const entered = await ask(origin, '/enter', {
    method: 'POST',
    headers: { ...headers(), 'x-claimdesk-window': '' },
    body: JSON.stringify({ pass: address.hash.slice('#pass='.length) }),
  });
  ({ token } = JSON.parse(entered.text) as { token: string });
});
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Every planted name begins with one of these, in whatever case it is kept. */
const prefixes = ['Zqxaf', 'Zqxal', 'zqxaf', 'zqxal', 'ZQXA'].flatMap((prefix) => [
  Buffer.from(prefix, 'utf8'),
  Buffer.from(prefix, 'utf16le'),
  Buffer.from(prefix, 'utf16le').swap16(),
]);
/** The texts to find in base64, where parts match by chance; of the SSNs and names some stand for all. */
const wholeTexts = [...texts.slice(0, 80), password, email];

/** Finds planted texts in the forms that a file, an argument or a variable would have. */
async function findIn(path: string): Promise<string[]> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const begun = prefixes.filter((prefix) => bytes.includes(prefix)).map(String);
  return [...begun, ...findPlain(bytes, wholeTexts)];
}

async function expectNoTrace(when: string): Promise<void> {
  for (const path of listFiles(folder)) expect(await findIn(path), `${when}: ${path}`).toEqual([]);
  const pids = [child.pid ?? 0, ...(await listChildren(child.pid ?? 0, 'engine'))];
  for (const pid of pids) {
    for (const name of ['cmdline', 'environ']) {
      expect(await findIn(`/proc/${pid}/${name}`), `${when}: ${name} of ${pid}`).toEqual([]);
    }
  }
}

test('what was planted is in no file, argument, environment, and after a lock not in main', async () => {
  const workspace = await call<{ id: string }>('main', 'workspaces:add', {
    baseUrl: sandbox.baseUrl,
    email: sandbox.account.email,
  });
  const workspaceId = workspace.id;
  const key = await call<{ publicKey: string }>('main', 'keys:generate', { type: 'ed25519', workspaceId });
  await sandbox.control('POST', '/keys', { name: 'canary', publicKey: key.publicKey });
  const events = await listen();
  await call('engine', 'sync:start', { workspaceId });
  expect((await events.next('sync:finished')).payload).toMatchObject({ receipt: { outcome: 'complete' } });
  await expectNoTrace('after a sync');

  const query = { entity: 'members', search: people[3]?.ssn };
  const found = await call<{ total: number }>('engine', 'records:open', { workspaceId, query });
  expect(found.total).toBe(1);
  const named = { entity: 'claims', search: people[5]?.first_name };
  const claims = await call<{ snapshotId: string; total: number }>('engine', 'records:open', {
    workspaceId,
    query: named,
  });
  expect(claims.total).toBe(1);
  const copied = await call<{ text: string }>('engine', 'records:copy', {
    workspaceId,
    snapshotId: claims.snapshotId,
    places: [[0, 0]],
    fields: ['id', 'patient_name'],
  });
  expect(copied.text).toContain(people[5]?.first_name);

  const claim = Number(/\d+/.exec(copied.text)?.[0]);
  const receipt = Buffer.from(
    `Receipt of ${people[9]?.first_name} ${people[9]?.last_name}, ${people[9]?.ssn}`,
  );
  const { sha256 } = await call<{ sha256: string }>('engine', 'documents:attach', {
    ...{ workspaceId, claimId: claim, document: 'receipt', name: `${people[9]?.first_name}.txt` },
    file: receipt.toString('base64'),
  });
  await expectNoTrace('after a document was attached');
  const shown = await call<{ file: string }>('engine', 'documents:read', {
    workspaceId,
    claimId: claim,
    sha256,
  });
  expect(Buffer.from(shown.file, 'base64').equals(receipt)).toBe(true);
  await expectNoTrace('after a document was opened');

  const target = await call<{ targetId: string }>('main', 'files:chooseSaveTarget', {
    purpose: 'records',
    suggestedName: 'claims.csv',
  });
  const { exportId } = await call<{ exportId: string }>('engine', 'export:start', {
    workspaceId,
    source: { kind: 'list', query: { entity: 'claims' } },
    format: 'csv',
    columns: ['id', 'patient_name'],
    reason: 'appeal',
    targetId: target.targetId,
  });
  await call('engine', 'export:cancel', { exportId });
  for (const path of listFiles(join(folder, 'downloads'))) await rm(path);

  await call('engine', 'connect:saveSettings', {
    workspaceId,
    publicToken: sandbox.connect.publicToken,
    secretKey: sandbox.connect.secretKey,
  });
  const { member } = await call<{ member: { tenant: { id: number } } }>('engine', 'connect:addMember', {
    workspaceId,
    email,
    firstName: people[7]?.first_name,
    lastName: people[7]?.last_name,
    systemKey: 'NEWCO-1',
    vendor: 'northwind-benefits',
    employer: { kind: 'new', name: 'Newly Founded, Inc.' },
  });
  await call('engine', 'connect:submit', {
    workspaceId,
    email,
    payerId: 16,
    fields: { username: 'zqxuser', password },
    consents: { terms: true, tenantIds: [member.tenant.id] },
  });
  await expectNoTrace('after a login');

  await call('engine', 'sync:start', { workspaceId });
  const [engine = 0] = await listChildren(child.pid ?? 0, 'engine');
  process.kill(engine, 'SIGKILL');
  await expect.poll(() => existsSync(`/proc/${engine}`)).toBe(false);
  await expectNoTrace('after the engine was killed');
  expect(await call<{ total: number }>('engine', 'records:open', { workspaceId, query })).toMatchObject({
    total: 1,
  });

  const [next = 0] = await listChildren(child.pid ?? 0, 'engine');
  // The search can find: an engine at work holds what it answered with.
  expect(
    await findInMemory(
      next,
      people.slice(3, 4).map(({ first_name }) => first_name),
    ),
  ).not.toEqual([]);
  await call('main', 'lock:lock', {});
  await expect.poll(() => existsSync(`/proc/${next}`)).toBe(false);
  await expectNoTrace('after a lock');
  if (isFuzz) await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect(await findInMemory(child.pid ?? 0, texts)).toEqual([]);
});
