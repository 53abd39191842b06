import { execFileSync } from 'node:child_process';
import { isLeftOut, readLock } from './package-files.mjs';
import { root } from './run-tools.mjs';

/**
 * The bill of materials (CycloneDX) of every package in the lockfile. npm names it after the folder and takes the scopes
 * from the kind of dependency; here it has the product's name, and `required` is what a package of the app contains:
 * Electron, what lies in the archive, and these folders (`node_modules/…`), whose code is in a bundle. All else built or
 * tested it: `excluded`.
 */
export function makeBill(bundled) {
  const written = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
    { cwd: root, maxBuffer: 1e8, shell: process.platform === 'win32' },
  );
  const bill = JSON.parse(written);
  const lock = readLock();
  const { name, version } = lock[''];
  const inArchive = Object.keys(lock).filter(
    (path) => path !== '' && lock[path].dev !== true && !isLeftOut(`${path}/package.json`),
  );
  const shipped = new Set(
    ['node_modules/electron', ...inArchive, ...bundled].map((path) => {
      const named = lock[path].name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `${named}@${lock[path].version}`;
    }),
  );
  bill.metadata.lifecycles = [{ phase: 'build' }];
  Object.assign(bill.metadata.component, { name, version, externalReferences: [] });
  for (const component of bill.components) {
    const isShipped = shipped.has(component['bom-ref']);
    // npm gives the name that an alias is imported by.
    component.name = component['bom-ref'].slice(0, component['bom-ref'].lastIndexOf('@'));
    component.scope = isShipped ? 'required' : 'excluded';
    if (isShipped)
      component.properties = component.properties.filter(({ name: of }) => !of.endsWith(':development'));
  }
  return bill;
}
