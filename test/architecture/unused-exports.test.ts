import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readModuleGraph } from './module-graph.ts';
import { findUnusedExports, type ModuleExports, readExports } from './unused-exports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The exports that only a test uses, and why each stays. */
const exceptions: Readonly<Record<string, string>> = {
  'src/contract/store.ts: StoreState': 'the type of what a command prints, which its test reads',
};

it('finds no export that nothing but a test takes', () => {
  const { modules } = readModuleGraph(root, 'src');
  const scripts = readModuleGraph(root, 'scripts').modules;
  const found = findUnusedExports([...modules, ...scripts].map((path) => readExports(root, path)));
  expect(found.filter((one) => one.startsWith('src/')).sort()).toEqual(Object.keys(exceptions).sort());
});

it('finds a planted one', () => {
  const planted = (path: string, part: Partial<ModuleExports>): ModuleExports => ({
    path,
    exports: [],
    taken: [],
    isUsedInside: () => false,
    ...part,
  });
  const one = planted('src/a.ts', {
    exports: ['taken', 'inside', 'unused'],
    isUsedInside: (name) => name === 'inside',
  });
  const taken = [{ from: 'src/a.ts', name: 'taken' }];
  expect(findUnusedExports([one, planted('src/b.ts', { taken })])).toEqual(['src/a.ts: unused']);
  expect(
    findUnusedExports([one, planted('src/b.ts', { taken: [{ from: 'src/a.ts', name: null }] })]),
  ).toEqual([]);
});
