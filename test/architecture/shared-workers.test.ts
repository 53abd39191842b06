import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import config, { ownModuleFiles } from '../../vitest.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files share workers (vitest.config.ts): a module that is replaced, or an entry's handlers, would stay for others. */
const leavesTraces = (source: string): boolean =>
  /\bvi\.(?:mock|doMock)\(/.test(source) ||
  /import\([^)]*\/(?:main|engine|browser)\/index\.ts'\)/.test(source);

const files = ['unit', 'integration', 'interop'].flatMap((folder) =>
  readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.test\.tsx?$/.test(path)),
);

it('files that replace a module or load an entry have a worker of their own', () => {
  expect(files.length).toBeGreaterThan(300);
  const shared = files.filter((path) => !ownModuleFiles.some((pattern) => matchesGlob(path, pattern)));
  expect(shared.filter((path) => leavesTraces(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

/** A project with an `exclude` of its own does not get the one that `npm test` passes for the long files. */
it('leaves it to the command which files are excluded', () => {
  const { projects = [] } = config.test ?? {};
  expect(projects).toHaveLength(4);
  expect(projects.filter((project) => JSON.stringify(project).includes('"exclude"'))).toEqual([]);
});

it.each([["vi.mock('electron', fake);"], ["await import('../../../src/main/engine/index.ts');"]])(
  'refuses a planted violation: %s',
  (source) => {
    expect(leavesTraces(source)).toBe(true);
  },
);
