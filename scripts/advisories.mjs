/**
 * Asks the package registry for known advisories on the packages that the lockfile pins, those that are built into the
 * window included. Exit 0: none known; 1: some, listed; 2: the registry could not be asked, so nothing is known.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeAudit } from './judge-audit.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const audit = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 * 1024 * 1024,
});
const { exitCode, lines } = judgeAudit(audit.stdout ?? '');
(exitCode === 0 ? console.log : console.error)(lines.join('\n'));
process.exitCode = exitCode;
