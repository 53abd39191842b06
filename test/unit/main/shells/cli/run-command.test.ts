import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { writeCompletion } from '../../../../../src/main/shells/cli/command-line.ts';
import { fieldsOf, type Runner, type row, toField } from '../../../../../src/main/shells/cli/command-row.ts';
import { commandTable } from '../../../../../src/main/shells/cli/command-table.ts';
import { commandGroups, helpGroups, writeHelp } from '../../../../../src/main/shells/cli/help.ts';
import { createOutput } from '../../../../../src/main/shells/cli/output.ts';
import { everywhere, optionTypes, parseCommand } from '../../../../../src/main/shells/cli/parse-command.ts';
import { findCommand, readSynopsis, requireFit } from '../../../../../src/main/shells/cli/run-command.ts';
import { UsageError } from '../../../../../src/main/shells/cli/usage.ts';

const check = (line: string): void => {
  const command = parseCommand(line.split(' '));
  requireFit(findCommand(command.words), command);
};

test.each([
  ['key list', { words: ['key', 'list'], fewest: 0, most: 0, options: [] }],
  ['sync changes [SYNC]', { words: ['sync', 'changes'], fewest: 0, most: 1, options: [] }],
  ['review set ID… [--tag T]…', { words: ['review', 'set'], fewest: 1, most: Infinity, options: ['tag'] }],
  [
    'list members|claims\n[--totals | --group-by FIELD] [--out FILE|-]',
    { words: ['list'], fewest: 1, most: 1, options: ['totals', 'group-by', 'out'] },
  ],
  [
    'connect submit (--employer ID|NAME | --new-employer NAME) [--field k=v | --field k:=JSON]…',
    { words: ['connect', 'submit'], fewest: 0, most: 0, options: ['employer', 'new-employer', 'field'] },
  ],
])('the synopsis %j', (text, expected) => {
  expect(readSynopsis(text)).toEqual({ ...expected, text, options: new Set(expected.options) });
});

test('every option belongs to a command or to all, and all ways to call a command begin with the same words', () => {
  const ways = commandTable.map(({ synopses }) => synopses.map(readSynopsis));
  const named = new Set([...everywhere, ...ways.flat().flatMap(({ options }) => [...options])]);
  expect([...named].toSorted()).toEqual(Object.keys(optionTypes).toSorted());
  for (const [first, ...others] of ways)
    for (const other of others) expect(other.words).toEqual(first?.words);
  const words = ways.map(([first]) => first?.words.join(' '));
  expect(new Set(words).size).toBe(words.length);
});

/** Options that choose another procedure, and one that is kept because commands of others have it. */
const withoutField = ['team:recover renew', 'connect:mint email'];

test('every command can be loaded, and its table row uses fields of its procedure', async () => {
  let rows = 0;
  for (const { synopses, load } of commandTable) {
    const run = (await load()) as Runner & { row?: ReturnType<typeof row>['row'] };
    expect(run, synopses[0]).toBeTypeOf('function');
    if (run.row === undefined) continue;
    rows += 1;
    const { call, options = {}, arguments: args = [], input = {} } = run.row;
    const fields = fieldsOf(call);
    const given = synopses.map(readSynopsis).flatMap((way) => [...way.options]);
    const named = given
      .filter(
        (name) => !everywhere.includes(name) && !withoutField.includes(`${call} ${name}`) && name !== 'yes',
      )
      .map((name) => options[name] ?? toField(name));
    const filled = [...named, ...args, ...Object.keys(input)];
    expect(
      filled.filter((field) => !Object.hasOwn(fields, field)),
      synopses[0],
    ).toEqual([]);
    const needed = Object.keys(fields).filter((field) => !fields[field]?.safeParse(undefined).success);
    expect(
      needed.filter((field) => field !== 'workspaceId' && !filled.includes(field)),
      call,
    ).toEqual([]);
  }
  expect(rows).toBeGreaterThan(25);
});

test.each([
  ['workspace add --email a@b.example', '--base-url is required'],
  ['key generate --type md5', '--type is one of ed25519'],
  ['key rename k --name ', '--name has a value that isn’t allowed'],
  ['team invite --email a@b.example --role owner', '--role is one of admin, reviewer, reader'],
])('%s: %s', async (line, message) => {
  const command = parseCommand(line.split(' '));
  const run = await findCommand(command.words).entry.load();
  expect(() => run(command, createOutput({ isJson: true }))).toThrow(message);
});

test.each([
  ['an option of another command', 'sync --limit 5', '--limit can’t be used with `sync`'],
  ['an option of another verb', 'store state --full', '--full can’t be used with `store state`'],
  [
    'an option of another way to call it',
    'review worklist --reason x',
    '--reason goes with `review worklist NAME [--mine | --unassigned] [--limit N] [--reason TEXT]`',
  ],
  ['a word too many', 'sync now', 'unexpected: now'],
  ['an argument too many', 'key show a b', 'unexpected: b'],
  ['an argument that is missing', 'list', 'something is missing after `list`'],
  ['a command that is none', 'frobnicate', 'there is no command frobnicate'],
  ['a verb that is none', 'store mend', 'use store state, check, repair, or clean'],
  ['a verb that is missing', 'audit', 'use audit list, verify, export, accept, target, or token'],
])('%s is refused', (_name, line, message) => {
  expect(() => check(line)).toThrow(new UsageError(message));
});

test.each([
  'sync --json --workspace x',
  'sync member 7 --member-key k',
  'connect code 812 123456',
  'connect code 812 --code 123456',
  'review set 1 2 3 --state done --outcome eligible --tag a --tag b',
  'data remove --workspace x --yes',
  'export changes run --out - --format csv',
])('%s is accepted', (line) => {
  expect(() => check(line)).not.toThrow();
});

test('help lists every command; for one word, those that begin with it', () => {
  const all = writeHelp(['all']);
  for (const { synopses } of commandTable) expect(all).toContain(`claimdesk ${synopses[0]?.split('\n')[0]}`);
  const ofKeys = writeHelp(['key']);
  expect(ofKeys).toContain('claimdesk key rotate [--type TYPE]');
  expect(ofKeys).toContain('--profile DIR');
  expect(ofKeys).not.toContain('claimdesk sync');
  for (const word of ['list', 'export']) expect(writeHelp([word])).toContain('--filter FIELD SIGN VALUE');
});

test('the first screen has each group of commands once, and fits a terminal', () => {
  const screen = writeHelp([]);
  expect(writeHelp(['nothing'])).toBe(screen);
  expect(Object.values(helpGroups).flat().sort()).toEqual([...commandGroups].sort());
  const lines = screen.split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
});

test('the help of one command contains only that command', () => {
  const help = writeHelp(['key', 'rotate']);
  expect(help).toContain('claimdesk key rotate [--type TYPE]');
  expect(help).not.toContain('key retire');
  expect(writeHelp(['connect', 'code', '812'])).toBe(writeHelp(['connect', 'code']));
  expect(() => writeHelp(['key', 'rotat'])).toThrow('did you mean key rotate?');
});

test.each([
  ['snyc', 'there is no command snyc; did you mean sync?'],
  ['store chek', 'use store state, check, repair, or clean; did you mean store check?'],
  ['sync --limt 5', 'there is no option --limt; did you mean --limit?'],
  ['sync --nothing-like-it', 'there is no option --nothing-like-it'],
  ['sync -x', 'there is no option -x'],
  ['list claims --limit', '--limit needs a value'],
  ['list claims --limit --json', '--limit needs a value'],
  ['sync --json=4', '--json takes no value'],
])('%s: %s', (line, message) => {
  expect(() => check(line)).toThrow(new UsageError(message));
});

test.each([
  ['-h', 'help'],
  ['-v', 'version'],
] as const)('%s is --%s', (typed, name) => {
  expect(parseCommand(['sync', typed]).options[name]).toBe(true);
});

test.each([
  ['claimdesk ke', 'key'],
  ['claimdesk key ro', 'rotate'],
  ['claimdesk key rotate --ty', '--type'],
  ['claimdesk export claims --out x --rea', '--reason'],
  ['claimdesk completion z', 'zsh'],
  ['claimdesk --prof', ''],
])('bash completes %j to %j', (typed, completed) => {
  const words = typed.split(' ');
  const script = `${writeCompletion('bash')}\nCOMP_WORDS=("$@"); COMP_CWORD=${words.length - 1}; _claimdesk; printf '%s ' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  if (completed === '') expect(stdout.trim()).toBe('');
  else expect(stdout.trim().split(' ')).toContain(completed);
});

test('the scripts of zsh and fish contain every command', () => {
  for (const shell of ['zsh', 'fish'] as const)
    for (const word of commandGroups) expect(writeCompletion(shell)).toContain(word);
});
