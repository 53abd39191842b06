import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirmOnTerminal } from '../../../../../src/main/shells/cli/confirm-on-terminal.ts';

const question = { message: 'Use the key?', detail: 'It is for another service.', action: 'Use key' };

/** Asks with this input: typed at a terminal, or piped in where there is none. */
function ask(typed: string, isTTY: boolean, isYes = false): Promise<boolean> {
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed);
  return confirmOnTerminal(question, { isYes, input, output: new PassThrough() });
}

test('only yes at a terminal, or --yes, means yes', async () => {
  expect(await ask('yes\n', true)).toBe(true);
  for (const typed of ['y\n', '\n', 'no\n', 'yes please\n']) expect(await ask(typed, true)).toBe(false);
  expect(await ask('yes\n', false)).toBe(false);
  expect(await ask('', false, true)).toBe(true);
});

test('the end of the input means no', async () => {
  expect(await ask('', true)).toBe(false);
});
