import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBill } from './make-bill.mjs';
import { listBundledPackages, listRuntimePackages } from './package-files.mjs';
import { root } from './run-tools.mjs';

/** Writes the files that are shipped with the app: its license, those of its packages, and the bill of materials. */
export function writeLegal(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'LICENSE'), readFileSync(join(root, 'LICENSE')));
  const paths = [...new Set([...listRuntimePackages(), ...listBundledPackages()])].sort();
  writeFileSync(join(folder, 'licenses.txt'), paths.map(describeLicense).join('\n'));
  writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(makeBill(listBundledPackages()), null, 2));
}

function describeLicense(path) {
  const folder = join(root, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts, ''].join('\n\n');
}
