import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  appendix,
  commandGroups,
  describeGroup,
  introduction,
  listHelp,
} from '../src/main/shells/cli/help.ts';

// Generates docs/cli.md from the table of commands; with --check, only compares it.
const path = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'cli.md');

const fence = (text: string): string => `\`\`\`text\n${text.trim()}\n\`\`\``;
const commands = commandGroups.map((word) => `## ${word}\n\n${fence(describeGroup(word))}\n`);

const page = `# The command line

Made from what \`claimdesk help all\` and \`claimdesk list --help\` print, by \`npm run docs\`.

## Personal data

${fence(introduction.split('\n').slice(1).join('\n'))}

${commands.join('\n')}
## Options, filters and exit codes

${fence(appendix)}

## Lists and exports at length

${fence(listHelp)}
`;

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== page) {
    process.stderr.write('docs/cli.md is not what the help says; run npm run docs\n');
    process.exitCode = 1;
  }
} else writeFileSync(path, page);
