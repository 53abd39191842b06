import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseCommand } from '../../src/main/shells/cli/parse-command.ts';
import { UsageError } from '../../src/main/shells/cli/usage.ts';

const pathTo = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

test('the page of commands is what the help says', () => {
  const script = pathTo('scripts/write-cli-docs.ts');
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});

test('the page of commands has a heading for every command that runs', () => {
  const source = readFileSync(pathTo('src/main/shells/cli/command-line.ts'), 'utf8');
  const commands = [...source.matchAll(/^ {2}(\w+): async \(\) =>/gm)].map((found) => found[1]);
  const page = readFileSync(pathTo('docs/cli.md'), 'utf8');
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((name) => !page.includes(`\n## ${name}\n`))).toEqual([]);
});

const commandsIn = (text: string): string[] => [
  ...new Set(text.match(/(?<=^|`)claimdesk [a-z][^`\n]*/gm) ?? []),
];

test('every command of the guide for administrators is one of the command line', () => {
  const page = readFileSync(pathTo('docs/cli.md'), 'utf8');
  const commands = commandsIn(readFileSync(pathTo('docs/admin-guide.md'), 'utf8'));
  expect(commands.length).toBeGreaterThan(15);
  const isKnown = (command: string): boolean => {
    const { words, options } = parseCommand(splitCommand(command).slice(1));
    const [name = '', second] = words;
    const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
    const names = [...(second === undefined || /^[A-Z]|\./.test(second) ? [] : [second])];
    return (
      section !== '' &&
      names.every((word) => new RegExp(`\\b${word}\\b`).test(section)) &&
      Object.keys(options).every((option) => page.includes(`--${option}`))
    );
  };
  expect(commands.filter((command) => !isKnown(command))).toEqual([]);
  expect(isKnown('claimdesk store burn')).toBe(false);
  expect(isKnown('claimdesk burn')).toBe(false);
  expect(() => isKnown('claimdesk sync --burn')).toThrow(UsageError);
});

const splitCommand = (command: string): string[] =>
  (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
