import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type ErrorCode, errorTable } from '../../../../../src/contract/error-codes.ts';
import { runCommandLine } from '../../../../../src/main/shells/cli/command-line.ts';
import { findCommandStep } from '../../../../../src/main/shells/cli/command-steps.ts';
import { optionTypes } from '../../../../../src/main/shells/cli/parse-command.ts';
import { findCommand } from '../../../../../src/main/shells/cli/run-command.ts';

const codes = Object.keys(errorTable) as ErrorCode[];

test('a next step on the command line contains only existing commands and options', () => {
  const steps = codes.map(findCommandStep);
  const commands = steps.flatMap((step) => [...step.matchAll(/claimdesk ([a-z-]+(?: [a-z-]+)*)/g)]);
  expect(commands.length).toBeGreaterThan(20);
  for (const [, words = ''] of commands) if (words !== '') findCommand(words.split(' '));
  const options = steps.flatMap((step) => [...step.matchAll(/--([a-z-]+)/g)].map(([, name]) => name));
  const known = [...Object.keys(optionTypes), 'omit'];
  expect(options.filter((name) => !known.includes(name as string))).toEqual([]);
});

test('the next step of the window contains no option of the command line', () => {
  const named = codes.filter((code) => /(^|\s)--[a-z]/.test(errorTable[code].nextStep));
  // The errors occur before a window opens.
  expect(named).toEqual(['runtime.unsupported', 'profile.noHome', 'profile.notFolder', 'disk.readOnly']);
});

async function fail(args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommandLine(args, { stdin: new PassThrough().end(), stdout, stderr });
  stderr.end();
  return { code, stderr: await text(stderr) };
}

test('with --json an error is one object on a line of stderr, otherwise lines with its next step', async () => {
  const said = await fail(['lst', 'claims', '--json']);
  expect(said.code).toBe(2);
  expect(JSON.parse(said.stderr)).toEqual({
    error: {
      code: 'usage.invalid',
      message: expect.stringContaining('there is no command lst'),
      nextStep: 'claimdesk --help',
    },
  });
  expect((await fail(['lst', 'claims'])).stderr).toMatch(
    /^usage\.invalid: there is no command lst.*\nNext: claimdesk --help\n$/,
  );
});
