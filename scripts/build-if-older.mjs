import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from './run-tools.mjs';

const built = ['out/main/browser.js', 'out/preload/index.cjs', 'out/renderer/index.html'];
const sources = [
  'src',
  'docs/admin-guide.md',
  'docs/cli.md',
  'docs/pictures',
  'electron.vite.config.ts',
  'package-lock.json',
];

function newestMs(path) {
  const facts = statSync(path);
  if (!facts.isDirectory()) return facts.mtimeMs;
  return Math.max(facts.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** Builds the app where there is no build, or a source file is newer than it. Resolves to an exit code. */
export async function buildIfOlder() {
  const paths = built.map((path) => join(root, path));
  if (paths.every((path) => existsSync(path))) {
    const builtMs = Math.min(...paths.map((path) => statSync(path).mtimeMs));
    const there = sources.map((path) => join(root, path)).filter((path) => existsSync(path));
    const changedMs = Math.max(...there.map(newestMs));
    if (changedMs <= builtMs) return 0;
  }
  process.stderr.write('Building Claimdesk …\n');
  return runTool('electron-vite', ['build', '--logLevel', 'warn'], { isQuiet: true });
}
