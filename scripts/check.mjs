import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode } from './ensure-node.mjs';
import { root, runTool } from './run-tools.mjs';

// Static checks: formatting and lint, types of every process, generated docs, the lockfile.
await ensureNode(import.meta.url);

const failures = [];
const expectZero = async (name, code) => {
  if ((await code) !== 0) failures.push(name);
};

await expectZero('biome', runTool('biome', ['ci', '--error-on-warnings', '.']));
for (const part of ['contract', 'main', 'sandbox', 'team-server', 'preload', 'renderer', 'test']) {
  await expectZero(`types of ${part}`, runTool('tsc', ['-p', `tsconfig.${part}.json`]));
}
await expectZero('docs/errors.md', runTool('node', ['scripts/write-error-docs.ts', '--check']));
await expectZero('docs/cli.md', runTool('node', ['scripts/write-cli-docs.ts', '--check']));
await expectZero('docs/export-columns.md', runTool('node', ['scripts/write-export-docs.ts', '--check']));
await expectZero('docs/policy.md', runTool('node', ['scripts/write-policy-docs.ts', '--check']));

const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
if (/"resolved": *"https?:/.test(lock)) failures.push('package-lock.json holds download addresses');

for (const failure of failures) process.stderr.write(`check failed: ${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);
