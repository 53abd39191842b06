import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePolicyFiles } from './policy-files.ts';

// Writes docs/policy.md and the templates in deploy/policy from the table of rules; with --check, only compares them.
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
for (const [name, text] of Object.entries(makePolicyFiles())) {
  const path = join(root, name);
  if (process.argv.includes('--check')) {
    if (readFileSync(path, 'utf8') === text) continue;
    process.stderr.write(`${name} is not what the table of rules says; run npm run docs\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
