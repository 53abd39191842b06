import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runInSecretService, runProgram, type SecretServiceOptions } from '../../support/secret-service.ts';
import type { Step, StepResult } from './keychain-steps.ts';

const program = fileURLToPath(new URL('keychain-steps.ts', import.meta.url));

async function runSteps(steps: Step[], options: SecretServiceOptions): Promise<StepResult[]> {
  const command = [process.execPath, program, JSON.stringify(steps)];
  const { exitCode, stdout, stderr } = await runInSecretService(command, options);
  expect(exitCode, stderr).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StepResult);
}

test('an open collection stores, returns, replaces and deletes a secret', async () => {
  const results = await runSteps(
    [
      { do: 'state' },
      { do: 'get', account: 'a' },
      { do: 'set', account: 'a', text: 'one' },
      { do: 'set', account: 'a', text: 'two \u0000 bytes' },
      { do: 'get', account: 'a' },
      { do: 'get', account: 'b' },
      { do: 'delete', account: 'a' },
      { do: 'delete', account: 'a' },
      { do: 'get', account: 'a' },
    ],
    { keyring: 'unlocked' },
  );
  expect(results).toEqual([
    { value: 'ready' },
    { value: null },
    { value: null },
    { value: null },
    { value: 'two \u0000 bytes' },
    { value: null },
    { value: null },
    { value: null },
    { value: null },
  ]);
});

test('a locked collection is never mistaken for an empty one', async () => {
  const results = await runSteps(
    [
      { do: 'state' },
      { do: 'get', account: 'a' },
      { do: 'set', account: 'a', text: 'one' },
      { do: 'delete', account: 'a' },
      { do: 'getOrCreate', account: 'a', mayCreate: true },
    ],
    { keyring: 'locked' },
  );
  const locked = { code: 'keychain.locked' };
  expect(results).toEqual([{ value: 'locked' }, locked, locked, locked, locked]);
});

test('a collection that locks midway is detected at the next call', async () => {
  const results = await runSteps(
    [
      { do: 'getOrCreate', account: 'a', mayCreate: true },
      { do: 'getOrCreate', account: 'a', mayCreate: false },
      { do: 'lock' },
      { do: 'getOrCreate', account: 'a', mayCreate: true },
    ],
    { keyring: 'unlocked' },
  );
  expect(results).toEqual([
    { value: '32 bytes' },
    { value: '32 bytes' },
    { value: null },
    { code: 'keychain.locked' },
  ]);
});

test('a missing entry is an error while something depends on it', async () => {
  const results = await runSteps([{ do: 'getOrCreate', account: 'a', mayCreate: false }], {
    keyring: 'unlocked',
  });
  expect(results).toEqual([{ code: 'keychain.entryMissing' }]);
});

test('a keychain without a collection, and no one to ask for one, is not a keychain', async () => {
  const results = await runSteps(
    [
      { do: 'get', account: 'a' },
      { do: 'set', account: 'a', text: 'one' },
    ],
    { keyring: 'fresh' },
  );
  expect(results).toEqual([{ value: null }, { code: 'keychain.missing' }]);
});

test('a bus without a keychain is reported as missing', async () => {
  const steps: Step[] = [
    { do: 'state' },
    { do: 'get', account: 'a' },
    { do: 'set', account: 'a', text: 'one' },
    { do: 'getOrCreate', account: 'a', mayCreate: true },
  ];
  const missing = { code: 'keychain.missing' };
  expect(await runSteps(steps, { keyring: 'absent' })).toEqual([
    { value: 'missing' },
    missing,
    missing,
    missing,
  ]);
});

test('no bus at all is reported as missing, without starting one', async () => {
  const { PATH } = process.env;
  const steps = JSON.stringify([{ do: 'state' }, { do: 'get', account: 'a' }]);
  const { stdout } = await runProgram([process.execPath, program, steps], { PATH, HOME: '/nonexistent' });
  expect(stdout).toBe('{"value":"missing"}\n{"code":"keychain.missing"}\n');
});
