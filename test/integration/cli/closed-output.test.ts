import { expect, test } from 'vitest';
import { startCli } from '../../support/cli-run.ts';

test.each([
  ['stdout', ['help'], 0],
  ['stderr', ['burn'], 2],
] as const)('a command ends quietly if its %s is closed', async (name, args, code) => {
  const { child, result } = startCli(args);
  child[name]?.destroy();
  expect(await result).toMatchObject({ code, signal: null, stdout: '', stderr: '' });
});
