import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutput } from '../../../src/main/shells/cli/output.ts';
import { parseCommand } from '../../../src/main/shells/cli/parse-command.ts';
import { runCommand } from '../../../src/main/shells/cli/run-command.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { givenCheapSecrets, vaultPassphrase } from '../../support/cheap-secrets.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';

let folder: string;
let profile: string;

beforeAll(async () => {
  process.env.CLAIMDESK_VAULT_PASSPHRASE = vaultPassphrase;
  folder = mkdtempSync(join(tmpdir(), 'claimdesk-audit-cli-'));
  profile = join(folder, 'profile');
  givenCheapSecrets(profile);
  const session = await openSession({ options: {}, writes: true, profileDir: profile });
  const address = {
    baseUrl: 'https://claims.example.com',
    email: 'dana@x.example',
    name: 'Ähnlich „quoted”',
  };
  const { id: workspaceId } = await session.call('workspaces:add', address);
  await session.call('keys:generate', { type: 'ed25519', workspaceId });
  await session.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** Runs the command and returns its stdout. */
const run = (...argv: string[]): Promise<string> => runWith('', ...argv);
async function runWith(stdin: string, ...argv: string[]): Promise<string> {
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const output = createOutput({ isJson: true }, { stdout, stderr: stdout });
  const command = parseCommand(['audit', ...argv, '--profile', profile]);
  await runCommand({ ...command, stdin: Readable.from([Buffer.from(stdin)]) }, output);
  return text;
}
const checkOutside = (path: string) =>
  execFileSync('python3', ['test/interop/audit/check_audit.py', path], { encoding: 'utf8', stdio: 'pipe' });

test('the log is exported with its chain, verified with the key, and its continuity by a program of its own', async () => {
  const path = join(folder, 'log.jsonl');
  const { entries } = JSON.parse(await run('export', '--out', path)) as { entries: number };
  expect(entries).toBe(3);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
    'workspace.added',
    'key.made',
    'audit.exported',
  ]);
  expect(JSON.parse(await run('verify', '--file', path))).toMatchObject({ isIntact: true, entries: 3 });
  expect(JSON.parse(await run('verify'))).toMatchObject({ isIntact: true, entries: 3 });
  expect(JSON.parse(checkOutside(path))).toEqual({ entries: 3, first: 1, last: 3 });
  const printed = await run('export', '--out', '-');
  expect(printed.startsWith(lines.join('\n'))).toBe(true);
  expect(printed.trimEnd().split('\n')).toHaveLength(4);
});

test.each<[string, (lines: string[]) => string[], boolean]>([
  ['the first line taken out', ([, ...rest]) => rest, false],
  ['a line taken out', ([first, , ...rest]) => [first as string, ...rest], true],
  [
    'lines in another order',
    ([first, second, ...rest]) => [second as string, first as string, ...rest],
    true,
  ],
  [
    'a line changed',
    ([first, ...rest]) => [(first as string).replace('workspace.added', 'desk.locked'), ...rest],
    false,
  ],
])('in an exported file, %s is detected', async (_name, change, isSeenOutside) => {
  const path = join(folder, 'whole.jsonl');
  await run('export', '--out', path);
  const changed = join(folder, 'changed.jsonl');
  writeFileSync(changed, `${change(readFileSync(path, 'utf8').trimEnd().split('\n')).join('\n')}\n`);
  await expect(run('verify', '--file', changed)).rejects.toMatchObject({ code: 'audit.broken' });
  // The key is needed to check that an entry is as it was written.
  if (isSeenOutside) expect(() => checkOutside(changed)).toThrow();
  else expect(checkOutside(changed)).toContain('"entries"');
});

test('a file that is not an exported log is refused; an intact log has nothing to accept', async () => {
  const path = join(folder, 'other.jsonl');
  writeFileSync(path, '{"seq":1}\n');
  await expect(run('verify', '--file', path)).rejects.toMatchObject({ code: 'audit.notAFile' });
  await expect(run('verify', '--file', join(folder, 'none'))).rejects.toMatchObject({
    code: 'audit.notAFile',
  });
  await expect(run('export')).rejects.toThrow('--out');
  expect(await run('accept', '--yes')).toBe('');
});

test('after a loss, the log is not intact until a user accepts it', async () => {
  rmSync(join(profile, 'audit-anchor.json'));
  await expect(run('verify')).rejects.toMatchObject({
    code: 'audit.broken',
    details: { reason: 'anchorMissing' },
  });
  await expect(run('accept')).rejects.toThrow('--yes');
  const verdict = JSON.parse(await run('accept', '--yes')) as { isIntact: boolean };
  expect(verdict).toMatchObject({ isIntact: true });
  expect(JSON.parse(await run('verify'))).toMatchObject({ isIntact: true });
});

test('a token for the audit target is stored from stdin, is in no file in plain text, and is removed by a blank one', async () => {
  expect(JSON.parse(await run('target'))).toEqual({ forwarding: null });
  await expect(run('token')).rejects.toThrow('audit token needs --secret-stdin');
  await expect(runWith('Bearer schlüssel\n', 'token', '--secret-stdin')).rejects.toThrow('characters');
  const readBytes = () => readFileSync(join(profile, 'secrets.json')).length;
  const before = readBytes();
  // Without a target there is no address that it could be bound to.
  const given = runWith('Bearer zqx-7f3c\n', 'token', '--secret-stdin');
  await expect(given).rejects.toMatchObject({ code: 'audit.noTarget' });
  const policyFile = join(folder, 'policy.json');
  writeFileSync(policyFile, JSON.stringify({ auditTarget: 'https://127.0.0.1:9' }));
  const session = await openSession({ options: {}, writes: true, profileDir: profile, policyFile });
  await (await session.getEngine()).setAuditToken('Bearer zqx-7f3c');
  await session.close();
  expect(readBytes()).toBeGreaterThan(before);
  for (const path of listFiles(folder)) expect(findPlain(readFileSync(path), ['zqx-7f3c']), path).toEqual([]);
  await runWith('\n', 'token', '--secret-stdin');
  expect(readBytes()).toBe(before);
});
