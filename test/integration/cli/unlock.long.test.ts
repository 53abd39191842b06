import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenCheapSecrets } from '../../support/cheap-secrets.ts';
import {
  type CliResult,
  codeOf,
  makeFolder,
  readLines,
  runCli,
  startCli,
  vaultPassphrase,
  waitForOutput,
} from '../../support/cli-run.ts';

let folder: { path: string; remove: () => Promise<void> };
let profile: string;
beforeAll(async () => {
  folder = await makeFolder();
  profile = join(folder.path, 'profile');
  givenCheapSecrets(profile);
});
afterAll(() => folder.remove());

/** No variable and no keychain: what opens the profile comes by descriptors alone. */
const env = { CLAIMDESK_VAULT_PASSPHRASE: undefined, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
const run = (args: string[], ...descriptors: string[]): Promise<CliResult> =>
  runCli(args, { profile, env, descriptors });
const byFd = ['--passphrase-fd', '3'];
const other = 'another long passphrase';

test('a passphrase from the environment is not passed to the sample service', async () => {
  const planted = 'a planted passphrase';
  const { child, result } = startCli(['sandbox', '--members', '1', '--claims', '1'], {
    env: { CLAIMDESK_VAULT_PASSPHRASE: planted },
  });
  await waitForOutput(child, /baseUrl/);
  const readEnvironment = (pid: number | string) => readFileSync(`/proc/${pid}/environ`, 'utf8');
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
  expect(readEnvironment(child.pid as number)).toContain(planted);
  expect(children).toHaveLength(1);
  expect(readEnvironment(children[0] as string)).not.toContain(planted);
  child.kill('SIGTERM');
  await result;
});

describe('the unlock passphrase by descriptor', () => {
  test('opens a profile; a wrong one does not, and is recorded in the audit log at the next unlock', async () => {
    expect(codeOf(await run(['key', 'generate']))).toBe('vault.passphraseNeeded');
    expect(codeOf(await run(['key', 'generate', ...byFd], 'not this one\n'))).toBe('vault.wrongPassphrase');
    const made = await run(['key', 'generate', ...byFd], `${vaultPassphrase}\nnot read`);
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining('correct')]);
    const audit = await run(['audit', 'list', ...byFd], vaultPassphrase);
    expect(readLines(audit)).toContainEqual(
      expect.objectContaining({ action: 'unlock.failed', details: expect.objectContaining({ count: 1 }) }),
    );
  });

  test('is changed, recovered with the printed code, and refused where there is no such descriptor', async () => {
    const renewed = await run(['unlock', 'recovery-code', '--json', ...byFd], vaultPassphrase);
    const { recoveryCode } = readLines(renewed)[0] as { recoveryCode: string };
    expect(recoveryCode).toMatch(/^(\w{4}-){7}\w{4}$/);
    const change = ['unlock', 'change', ...byFd, '--new-passphrase-fd', '4'];
    expect(codeOf(await run(change, vaultPassphrase, 'too short'))).toBe('vault.weakPassphrase');
    expect((await run(change, vaultPassphrase, other)).code).toBe(0);
    expect(codeOf(await run(['key', 'generate', ...byFd], vaultPassphrase))).toBe('vault.wrongPassphrase');
    const recovered = await run(
      ['unlock', 'recover', '--code-fd', '3', '--new-passphrase-fd', '4'],
      recoveryCode,
      vaultPassphrase,
    );
    expect([recovered.code, recovered.stderr]).toEqual([0, '']);
    expect((await run(['key', 'generate', ...byFd], vaultPassphrase)).code).toBe(0);
    expect((await run(['key', 'generate', '--passphrase-fd', '99'])).code).toBe(2);
    // Nowhere to put the key that the passphrase protects.
    expect(codeOf(await run(['unlock', 'remove', ...byFd], vaultPassphrase))).toBe('keychain.missing');
    expect((await run(['key', 'generate', ...byFd], vaultPassphrase)).code).toBe(0);
  });
});
