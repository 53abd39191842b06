import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DoctorStep } from '../../../src/contract/doctor.ts';
import type { FindingCode } from '../../../src/contract/doctor-steps.ts';
import { givenCheapSecrets, vaultPassphrase } from '../../support/cheap-secrets.ts';
import { runInSecretService, runProgram, type SecretServiceOptions } from '../../support/secret-service.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';
import { accountEmail, type DoctorDesk, expectCause, openDoctorDesk, stepOf } from './doctor-desk.ts';

const getProfileDir = givenTempProfile();
let sandbox: Sandbox;
let desk: DoctorDesk | null = null;

beforeAll(async () => {
  sandbox = await startSandbox('--members', '5', '--claims', '5', '--email', accountEmail);
});
afterAll(() => sandbox?.stop());
afterEach(async () => {
  await desk?.close();
  desk = null;
});

async function openDesk(hasKey = true): Promise<DoctorDesk> {
  desk = await openDoctorDesk({ profileDir: getProfileDir(), baseUrl: sandbox.baseUrl, hasKey });
  return desk;
}

const keyPath = async (): Promise<string> => {
  const folder = join(getProfileDir(), 'keys');
  return join(folder, (await readdir(folder))[0] as string);
};

describe('the key', () => {
  test('there is none', async () => {
    const result = await (await openDesk(false)).diagnose();
    expectCause(result, 'key.none', desk ?? undefined);
    expect(stepOf(result, 'http').status).toBe('ok');
    expect(stepOf(result, 'acceptance').code).toBe('acceptance.noToken');
  });

  test('has lost its file', async () => {
    const { diagnose } = await openDesk();
    await rm(await keyPath());
    expectCause(await diagnose(), 'key.gone', desk ?? undefined);
  });

  test('has an altered file', async () => {
    const { diagnose } = await openDesk();
    const path = await keyPath();
    const file = JSON.parse(await readFile(path, 'utf8'));
    const flipped = file.wrapped.data.startsWith('A') ? 'B' : 'A';
    file.wrapped.data = flipped + file.wrapped.data.slice(1);
    await writeFile(path, JSON.stringify(file));
    expectCause(await diagnose(), 'key.damaged', desk ?? undefined);
  });

  test('has a file that is not a key', async () => {
    const { diagnose } = await openDesk();
    await writeFile(await keyPath(), 'not a key');
    expectCause(await diagnose(), 'key.damaged', desk ?? undefined);
  });
});

describe('where the secrets lie, by the command line', () => {
  const program = fileURLToPath(new URL('../../../src/main/shells/cli/claimdesk.mjs', import.meta.url));
  const command = (...words: string[]): string[] => [
    process.execPath,
    program,
    ...words,
    '--profile',
    getProfileDir(),
  ];
  const passphrase = { CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase };

  type Done = { event: string; cause: FindingCode | null; outcome: string; durationMs: number };
  async function diagnose(options: SecretServiceOptions) {
    const { exitCode, stdout, stderr } = await runInSecretService(command('doctor', '--json'), options);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Done & DoctorStep);
    const done = lines.at(-1) as Done;
    expect(done.event, stderr).toBe('done');
    expect(done.durationMs).toBeLessThan(5_000);
    if (process.env.DOCTOR_TIMES === '1')
      process.stderr.write(`${done.cause} ${done.durationMs} ms (command line)\n`);
    return { exitCode, stdout, done, steps: lines.slice(0, -1) as DoctorStep[] };
  }
  /** Makes a workspace with its secrets in a vault; no other place of secrets then has them. */
  async function givenWorkspace(): Promise<void> {
    givenCheapSecrets(getProfileDir());
    const environment = { ...process.env, ...passphrase };
    const add = command('workspace', 'add', '--base-url', sandbox.baseUrl, '--email', accountEmail);
    expect((await runProgram(add, environment)).exitCode).toBe(0);
    const { stdout } = await runProgram(command('key', 'generate'), environment);
    await sandbox.control('POST', '/keys', {
      publicKey: (JSON.parse(stdout) as { publicKey: string }).publicKey,
    });
  }

  test('an open vault works; with another passphrase, or none, it says so', async () => {
    await givenWorkspace();
    const good = await diagnose({ keyring: 'absent', environment: passphrase });
    expect([good.exitCode, good.done.outcome, good.done.cause]).toEqual([0, 'works', null]);
    expect(good.steps).toHaveLength(13);
    expect(good.stdout).not.toContain(accountEmail);
    expect(good.stdout).not.toMatch(/eyJ|PRIVATE|ssh-ed25519/);

    const wrong = await diagnose({
      keyring: 'absent',
      environment: { CLAIMDESK_VAULT_PASSPHRASE: 'another passphrase' },
    });
    expect([wrong.exitCode, wrong.done.cause]).toEqual([1, 'keychain.wrongPassphrase']);

    const none = await diagnose({ keyring: 'absent' });
    expect([none.exitCode, none.done.cause]).toEqual([1, 'keychain.passphraseNeeded']);

    const copies = ['secrets.json', 'secrets-copy.json'].map((name) => join(getProfileDir(), name));
    for (const path of copies) await writeFile(path, '{"version":1}');
    const damaged = await diagnose({ keyring: 'absent', environment: passphrase });
    expect([damaged.exitCode, damaged.done.cause]).toEqual([1, 'keychain.vaultDamaged']);

    for (const path of copies) await rm(path);
    // Whatever the keychain would answer: nothing in it opens a profile without this file.
    const removed = await diagnose({ keyring: 'unlocked' });
    const locked = await diagnose({ keyring: 'locked' });
    const missing = await diagnose({ keyring: 'absent' });
    for (const { exitCode, done } of [removed, locked, missing])
      expect([exitCode, done.cause]).toEqual([1, 'keychain.entryMissing']);
    for (const { steps } of [wrong, none, damaged, removed, locked, missing]) {
      const failed = steps.filter(({ status }) => status === 'failed');
      expect(failed.map(({ id, remedy }) => [id, remedy !== null])).toEqual([['keychain', true]]);
      expect(steps.find(({ id }) => id === 'http')?.status).toBe('ok');
    }
  });

  test('as text: the steps, then what to do, and exit code 1', async () => {
    await givenWorkspace();
    await sandbox.control('DELETE', '/keys');
    const { exitCode, stdout } = await runProgram(command('doctor'), { ...process.env, ...passphrase });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^ok\s+dns/m);
    expect(stdout).toMatch(/^FAILED\s+acceptance/m);
    expect(stdout).toMatch(
      /^ {4}1\. The public key is not registered.*\n {7}SHA256:\S+\n {7}http:\/\/\S+\/settings\/ssh$/m,
    );
    expect(stdout).not.toContain(accountEmail);
  });
});
