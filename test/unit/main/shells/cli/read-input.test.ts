import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { parseCommand } from '../../../../../src/main/shells/cli/parse-command.ts';
import { withInput } from '../../../../../src/main/shells/cli/read-input.ts';
import { readPassphrase } from '../../../../../src/main/shells/cli/read-passphrase.ts';
import { UsageError } from '../../../../../src/main/shells/cli/usage.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

const folder = givenTempProfile();
const onStdin = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) });
const fill = (argv: string[], given: unknown) =>
  withInput({ ...parseCommand([...argv, '--input', '-']), ...onStdin(JSON.stringify(given)) });

test('options are read from stdin in addition to those that were typed', async () => {
  const { words, options } = await fill(['list', 'members', '--filter', 'archived=false', '--json'], {
    filter: ['ssn=123-45-6789'],
    search: 'garcia',
    limit: 5,
    active: true,
  });
  expect(words).toEqual(['list', 'members']);
  expect(options).toEqual({
    filter: ['archived=false', 'ssn=123-45-6789'],
    search: 'garcia',
    limit: '5',
    active: true,
    json: true,
  });
});

test.each(['recovery-key', 'invitation', 'setup-code'])(
  '--%s is a secret, and is read only by --input',
  async (name) => {
    await expect(withInput(parseCommand(['team', 'join', `--${name}`, 'typed']))).rejects.toThrow('--input');
    expect((await fill(['team', 'join'], { [name]: 'given' })).options).toEqual({ [name]: 'given' });
  },
);

test('a file works as well, and leaves stdin for the password', async () => {
  const path = join(folder(), 'login.json');
  const field = { member_id: 'A1', accepts: true, note: 'a=b' };
  await writeFile(path, JSON.stringify({ email: 'ada@example.test', field }));
  const command = await withInput({
    ...parseCommand(['connect', 'submit', '--input', path, '--password-stdin']),
    ...onStdin('hunter2\n'),
  });
  expect(command.options).toEqual({
    'password-stdin': true,
    email: 'ada@example.test',
    field: ['member_id=A1', 'accepts:=true', 'note=a=b'],
  });
  expect(await readPassphrase(command.stdin)).toBe('hunter2');
});

test('a secret replaces what stdin is otherwise read for; without one nothing is left there', async () => {
  expect(await readPassphrase((await fill(['key', 'backup', 'k'], { secret: 'long enough' })).stdin)).toBe(
    'long enough',
  );
  const several = await fill(['connect', 'submit'], { secret: { password: 'a', pin: 'b' } });
  expect(JSON.parse(await readPassphrase(several.stdin))).toEqual({ password: 'a', pin: 'b' });
  expect(await readPassphrase((await fill(['key', 'backup', 'k'], {})).stdin)).toBe('');
});

test.each<[string[], unknown]>([
  [['list', 'members'], ['Planted']],
  [['list', 'members'], 'Planted'],
  [['list', 'members'], { surprise: 'Planted' }],
  [['list', 'members'], { input: 'Planted' }],
  [['list', 'members'], { __proto__: null, toString: 'Planted' }],
  [['list', 'members', '--search', 'x'], { search: 'Planted' }],
  [['list', 'members'], { search: { Planted: 1 } }],
  [['list', 'members'], { filter: [{ Planted: 1 }] }],
  [['list', 'members'], { active: 'Planted' }],
])('%j with %j is wrong usage, and no value is shown', async (argv, given) => {
  const failed = await fill(argv, given).catch((thrown: unknown) => thrown);
  expect(failed).toBeInstanceOf(UsageError);
  expect(String(failed)).not.toContain('Planted');
});

test('broken JSON and a missing file are wrong usage, and the text is not shown', async () => {
  const command = parseCommand(['list', 'members', '--input', '-']);
  const failed = await withInput({ ...command, ...onStdin('{"search": Planted') }).catch(String);
  expect(failed).toMatch(/UsageError/);
  expect(failed).not.toContain('Planted');
  const missing = withInput(parseCommand(['list', 'members', '--input', join(folder(), 'none.json')]));
  await expect(missing).rejects.toBeInstanceOf(UsageError);
});
