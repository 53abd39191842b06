import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSampleService } from '../../../src/main/lib/sample-service.ts';
import { type ProgramResult, runInSecretService, runProgram } from '../../support/secret-service.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import type { Leftovers } from './remove-steps.ts';

const profileDir = givenTempProfile();
const program = fileURLToPath(new URL('remove-steps.ts', import.meta.url));
let service: Awaited<ReturnType<typeof startSampleService>>;
beforeAll(async () => {
  service = await startSampleService({ members: 10, claims: 30 });
});
afterAll(() => service.close());

const vault = { CLAIMDESK_VAULT_PASSPHRASE: 'correct horse battery' };
const places: [string, (command: string[]) => Promise<ProgramResult>][] = [
  ['the system’s keychain', (command) => runInSecretService(command, { timeoutMs: 120_000 })],
  ['a vault', (command) => runProgram(command, { ...process.env, ...vault }, 120_000)],
];

test.each(places)(
  'with %s, a removed workspace leaves nothing, and its key stays as long as it is used',
  async (_, run) => {
    const command = [process.execPath, program, profileDir(), service.baseUrl, service.email];
    const { exitCode, stdout, stderr } = await run(command);
    expect(exitCode, stderr).toBe(0);
    const told = new Map(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as [string, unknown]),
    );
    const at = (step: string) => told.get(step) as Leftovers;
    const firstId = String(told.get('firstId'));

    // The absence of traces below would show nothing without these checks.
    expect(at('synced').accounts).toContain(`database-key/${firstId}`);
    expect(at('synced').traces).toEqual(expect.arrayContaining(['workspaces.json', firstId, 'records.db']));

    expect(told.get('removed')).toEqual({ isDone: true, removedKeyIds: [] });
    expect(at('afterFirst')).toEqual({
      accounts: ['database-key/ours', 'wrapping-key'],
      keys: 1,
      workspaces: 1,
      traces: [],
    });

    expect(told.get('refused')).toBe('key.nameNeeded');
    expect(told.get('stillThere')).toBe(1);
    expect(told.get('named')).toEqual({ isDone: true, removedKeyIds: [told.get('keyId')] });
    expect(at('afterSecond')).toEqual({
      accounts: ['database-key/ours'],
      keys: 0,
      workspaces: 0,
      traces: [],
    });
  },
);
