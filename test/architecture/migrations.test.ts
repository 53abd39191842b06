import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readModuleGraph } from './module-graph.ts';

it.each(['migrations', 'ours-migrations'])('keeps %s free of everything that lives', (folder) => {
  const graph = readModuleGraph(
    fileURLToPath(new URL('../..', import.meta.url)),
    `src/main/engine/store/${folder}`,
  );
  expect(graph.modules.length).toBeGreaterThan(0);
  expect(graph.imports).toEqual([]);
});
