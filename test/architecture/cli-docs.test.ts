import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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
