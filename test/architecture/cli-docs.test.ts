import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandGroups } from '../../src/main/shells/cli/help.ts';

const pathTo = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

test('the page of commands is what the help says', () => {
  const script = pathTo('scripts/write-cli-docs.ts');
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});

test('the page of commands has a heading for every command that runs', () => {
  const page = readFileSync(pathTo('docs/cli.md'), 'utf8');
  expect(commandGroups.length).toBeGreaterThan(10);
  expect(commandGroups.filter((name) => !page.includes(`\n## ${name}\n`))).toEqual([]);
});
