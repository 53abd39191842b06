import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, makeFolder, runCli, vaultPassphrase } from '../../support/cli-run.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';

const entry = fileURLToPath(new URL('../../../src/main/shells/cli/claimdesk.mjs', import.meta.url));
const email = 'sam@newco.example';
const canary = 'Carrier-Canary-0815!';
let sandbox: Sandbox;
let folder: Awaited<ReturnType<typeof makeFolder>>;

type Answer = { code: number | null; lines: Record<string, unknown>[]; stdout: string; stderr: string };

/** Runs `claimdesk connect …` with this on stdin. */
async function connect(args: readonly string[], stdin = ''): Promise<Answer> {
  const { HOME, PATH, TMPDIR } = process.env;
  const child = spawn(process.execPath, [entry, 'connect', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      HOME,
      PATH,
      TMPDIR,
      CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase,
      CLAIMDESK_PROFILE: folder.path,
      NODE_NO_WARNINGS: '1',
    },
  });
  child.stdin.end(stdin);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = texts.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, lines, ...texts };
}

beforeAll(async () => {
  sandbox = await startSandbox('--members', '5', '--claims', '5');
  await sandbox.control('PUT', '/connect/settings', { stepMs: 100 });
  folder = await makeFolder();
  const added = await runCli(['workspace', 'add', '--base-url', sandbox.baseUrl, '--email', 'a@b.example'], {
    profile: folder.path,
  });
  expect(added.code).toBe(0);
});
afterAll(async () => {
  await sandbox?.stop();
  await folder?.remove();
});

test('the whole way on the command line, secrets by stdin alone', async () => {
  const { publicToken, secretKey } = sandbox.connect;
  const setup = await connect(['setup', '--public-token', publicToken, '--secret-stdin'], `${secretKey}\n`);
  expect(setup.lines[0]).toMatchObject({ publicToken, hasSecret: true });
  const minted = await connect(['mint', '--json']);
  expect(minted.lines).toEqual([
    { event: 'minted', mintedAt: expect.any(String), requestId: expect.any(String) },
  ]);
  const member = ['--email', email, '--first-name', 'Sam', '--last-name', 'Ng', '--system-key', 'NEWCO-1'];
  const employer = ['--vendor', 'northwind-benefits', '--employer-name', 'Newly Founded, Inc.'];
  const details = ['--date-of-birth', '1985-04-12', '--phone', '555 0100', '--member-key', 'M1'];
  const brought = await connect(['bootstrap', ...member, ...employer, ...details]);
  expect(brought.lines[0]).toMatchObject({ member: { email, memberSystemKey: 'M1' } });
  expect((await connect(['payers', '--email', email])).lines.length).toBeGreaterThanOrEqual(7);
  expect((await connect(['terms', '--email', email])).stdout).toContain('<h1>');

  const submit = [
    'submit',
    '--email',
    email,
    '--payer',
    '13',
    '--username',
    'sam-cli',
    '--password-stdin',
    '--accept-terms',
  ];
  const wrong = await connect([...submit, '--field', 'subscriber_number=1'], `${canary}\n`);
  expect(wrong.code).toBe(1);
  expect(codeOf({ ...wrong, signal: null, lines: [] })).toBe('connect.invalid');
  expect(wrong.stderr).toContain('field.subscriber_number');
  const submitted = await connect([...submit, '--field', 'subscriber_number=A12345678'], `${canary}\n`);
  const id = String(submitted.lines[0]?.policyHolderId);
  const watched = await connect(['watch', id]);
  expect(watched.code).toBe(0);
  expect(watched.lines.at(-1)).toMatchObject({ phase: 'ended', outcome: 'connected' });
  const fixed = await connect(['fix', '--email', email, '--json']);
  expect(fixed.lines).toEqual([expect.objectContaining({ policyHolderId: Number(id), email })]);
  for (const path of listFiles(folder.path))
    expect(findPlain(await readFile(path), [canary, 'sam-cli', secretKey, email]), path).toEqual([]);
});

test('two-factor over several commands, the login sent once', async () => {
  const submit = [
    'submit',
    '--email',
    email,
    '--payer',
    '16',
    '--username',
    'sam-two',
    '--password-stdin',
    '--accept-terms',
  ];
  const submitted = await connect(submit, canary);
  const id = String(submitted.lines[0]?.policyHolderId);
  const ref = [id, '--email', email];
  let status: Answer;
  do status = await connect(['status', ...ref]);
  while (status.lines[0]?.phase === 'working');
  const methods = status.lines[0]?.methods as string[];
  expect((await connect(['method', id, methods[1] ?? '', '--email', email])).code).toBe(0);
  do status = await connect(['status', ...ref]);
  while (status.lines[0]?.phase === 'working');
  expect(status.lines[0]).toMatchObject({ phase: 'enterCode' });
  expect((await connect(['code', id, '123456'])).code).toBe(0);
  expect((await connect(['watch', ...ref])).code).toBe(0);
  const late = await connect(['code', id, '123456']);
  expect(late.stderr).toContain('connect.notAsked');
});

test.each([
  [['setup'], 'public-token'],
  [['setup', '--public-token', 'p', '--tenant-label', 'l'], 'tenant-key'],
  [['submit', '--email', email, '--payer', '15', '--username', 'u', '--password-stdin'], 'accept-terms'],
  [['submit', '--email', email, '--payer', '15', '--username', 'u', '--accept-terms'], 'password-stdin'],
  [
    [
      'submit',
      '--email',
      email,
      '--payer',
      '15',
      '--username',
      'u',
      '--password-stdin',
      '--accept-terms',
      '--field',
      'password=x',
    ],
    'stdin',
  ],
  [['payers'], 'email'],
  [['watch', 'x'], 'whole number'],
  [['dance'], 'setup'],
])('connect %j is wrong usage', async (args, word) => {
  const { code, stderr, stdout } = await connect(args, 'p\n');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(word);
});
