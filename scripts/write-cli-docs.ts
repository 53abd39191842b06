import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listHelp } from '../src/main/shells/cli/list-help.ts';
import { usage } from '../src/main/shells/cli/usage.ts';

// Makes docs/cli.md from the help of the command line; with --check only compares.
const path = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'cli.md');

const fence = (lines: readonly string[]): string => `\`\`\`text\n${lines.join('\n').trim()}\n\`\`\``;

const lines = usage.split('\n').slice(1);
const isCommand = (line: string): boolean => /^ {2}claimdesk \w+/.test(line);
const begin = lines.findIndex((line) => line.startsWith('  claimdesk sandbox'));
const end = lines.indexOf('Everywhere');
if (begin < 0 || end < 0) throw new Error('the help has no commands, or no options of all commands');

/** Lines of the help by the first word of their command. */
const byWord = new Map<string, string[]>();
let word = '';
for (const line of lines.slice(begin, end)) {
  if (isCommand(line)) word = line.trim().split(' ')[1] as string;
  byWord.set(word, [...(byWord.get(word) ?? []), line.replace(/^ {2}/, '')]);
}
const commands = [...byWord].map(([name, help]) => `## ${name}\n\n${fence(help)}\n`);

const page = `# The command line

Made from what \`claimdesk --help\` and \`claimdesk list --help\` print, by \`node scripts/write-cli-docs.ts\`.

## Personal data

${fence(lines.slice(0, begin))}

${commands.join('\n')}
## Options, filters and exit codes

${fence(lines.slice(end))}

## Lists and exports at length

${fence(listHelp.split('\n'))}
`;

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== page) {
    process.stderr.write('docs/cli.md is not what the help says; run node scripts/write-cli-docs.ts\n');
    process.exitCode = 1;
  }
} else writeFileSync(path, page);
