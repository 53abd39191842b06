import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presetColumns } from '../../../src/contract/export-columns.ts';
import { givenSandbox } from '../../integration/sandbox/given-sandbox.ts';
import { type CliResult, makeFolder, readLines, runCli } from '../../support/cli-run.ts';

const claimCount = 700;
const sandbox = givenSandbox('--members', '40', '--claims', String(claimCount), '--seed', '21');
let folder: { path: string; remove: () => Promise<void> };
let listings: { claims: string; members: string; csv: string };

/** The system's Python, which has requests, jwt and cryptography as packages of the system. */
function runPython(program: string, args: readonly string[]): Record<string, unknown> {
  const { status, stdout, stderr, error } = spawnSync(
    '/usr/bin/python3',
    [join(import.meta.dirname, program), ...args],
    { encoding: 'utf8', timeout: 100_000, env: { PATH: process.env.PATH, NO_PROXY: '*' } },
  );
  if (error !== undefined) throw error;
  if (stdout === '') throw new Error(`${program} ended with ${status}: ${stderr}`);
  return { ...(JSON.parse(stdout) as Record<string, unknown>), status };
}

beforeAll(async () => {
  folder = await makeFolder();
  const profile = join(folder.path, 'profile');
  const run = (...args: string[]): Promise<CliResult> => runCli(args, { profile });
  await run('workspace', 'add', '--base-url', sandbox.baseUrl, '--email', sandbox.account.email);
  const [key] = readLines(await run('key', 'generate', '--type', 'ecdsa-521')) as { publicKey: string }[];
  await sandbox.control('POST', '/keys', { name: 'cli', publicKey: key?.publicKey });
  expect((await run('sync', '--json')).code).toBe(0);
  listings = {
    claims: join(folder.path, 'claims.ndjson'),
    members: join(folder.path, 'members.ndjson'),
    csv: join(folder.path, 'claims.csv'),
  };
  await writeFile(listings.claims, (await run('list', 'claims', '--json', '--reason', 'A test')).stdout);
  await writeFile(
    listings.members,
    (await run('list', 'members', '--json', '--reveal', '--reason', 'A test')).stdout,
  );
  expect((await run('export', 'claims', '--out', listings.csv, '--reason', 'A test')).code).toBe(0);
});
afterAll(async () => {
  await sandbox.stop();
  await folder.remove();
});

test.each(['ed25519', 'rsa', 'ecdsa'])(
  'a Python client with an %s key of ssh-keygen reads the same claims and members, field by field',
  (keyType) => {
    const args = [
      sandbox.baseUrl,
      sandbox.account.email,
      listings.claims,
      listings.members,
      '--key-type',
      keyType,
    ];
    expect(runPython('own_client.py', args)).toMatchObject({
      status: 0,
      claims: claimCount,
      members: 40,
      differences: [],
    });
  },
);

test('a difference in any field is found', async () => {
  const lines = (await readFile(listings.claims, 'utf8')).trimEnd().split('\n');
  const changed = join(folder.path, 'changed.ndjson');
  const bend = (line: string, index: number): string =>
    index === 5 ? JSON.stringify({ ...JSON.parse(line), amount_billed: 0.001 }) : line;
  await writeFile(changed, lines.map(bend).join('\n'));
  const compared = runPython('own_client.py', [
    sandbox.baseUrl,
    sandbox.account.email,
    changed,
    listings.members,
  ]);
  expect(compared.status).toBe(1);
  expect(compared.differences).toEqual([expect.stringMatching(/^claims\/\d+\.amount_billed/)]);
});

test('the CSV reader of Python finds every cell of the export as it was listed, and the same sum', () => {
  const compared = runPython('compare_csv.py', [listings.csv, listings.claims]);
  expect(compared).toMatchObject({
    status: 0,
    rows: claimCount,
    columns: presetColumns({ kind: 'list', query: { entity: 'claims' } }, 'standard'),
    differences: [],
  });
  const args = [sandbox.baseUrl, sandbox.account.email, listings.claims, listings.members];
  expect(compared.billed).toBe(runPython('own_client.py', args).billed);
});
