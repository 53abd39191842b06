import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRuntimePackages, listWindowPackages } from './package-files.mjs';
import { root } from './run-tools.mjs';

/** Writes the files that are shipped with the app: its license, those of its packages, and the bill of materials. */
export function writeLegal(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'LICENSE'), readFileSync(join(root, 'LICENSE')));
  const paths = [...new Set([...listRuntimePackages(), ...listWindowPackages()])].sort();
  writeFileSync(join(folder, 'licenses.txt'), paths.map(describeLicense).join('\n'));
  const bill = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
    { cwd: root, maxBuffer: 1e8, shell: process.platform === 'win32' },
  );
  writeFileSync(join(folder, 'sbom.cdx.json'), bill);
}

function describeLicense(path) {
  const folder = join(root, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts, ''].join('\n\n');
}
