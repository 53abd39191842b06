/**
 * Queries the package registry for known advisories on the packages in the lockfile, including those that are built
 * into the window. Exit 0: none; 1: some, which are listed; 2: the registry could not be reached, so the result is not
 * known.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkAudit } from './check-audit.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const audit = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 * 1024 * 1024,
});
const { exitCode, lines } = checkAudit(audit.stdout ?? '');
(exitCode === 0 ? console.log : console.error)(lines.join('\n'));
process.exitCode = exitCode;
