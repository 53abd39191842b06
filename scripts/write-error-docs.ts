import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, errorTable } from '../src/contract/error-codes.ts';
import { findCommandStep } from '../src/main/shells/cli/command-steps.ts';

// Generates docs/errors.md from the table of error codes; with --check, only compares it.
const path = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'errors.md');
const rows = Object.entries(errorTable).map(([code, { message, nextStep }]) => {
  const command = findCommandStep(code as ErrorCode);
  return `| \`${code}\` | ${message} | ${nextStep} | ${command === nextStep ? '' : command.replaceAll('|', '\\|')} |`;
});
const page = `# Error codes

Made from \`src/contract/error-codes.ts\` by \`npm run docs\`. A code never changes its
meaning. Where the service sent a request ID, it is shown beside the code.

| Code | What happened | What to do | On the command line, where it differs |
|---|---|---|---|
${rows.join('\n')}
`;

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== page) {
    process.stderr.write('docs/errors.md is not what the table of codes says; run npm run docs\n');
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, page);
}
