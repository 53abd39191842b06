import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readModuleGraph } from './module-graph.ts';

it.each(['migrations', 'user-data-migrations'])('keeps %s free of everything that lives', (folder) => {
  const path = `src/main/engine/store/${folder}`;
  const graph = readModuleGraph(fileURLToPath(new URL('../..', import.meta.url)), path);
  expect(graph.modules.length).toBeGreaterThan(0);
  expect(graph.imports.filter(({ to }) => !to.startsWith(`${path}/`))).toEqual([]);
});
