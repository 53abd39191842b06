import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readModuleGraph } from './module-graph.ts';

it('keeps migrations free of everything that lives', () => {
  const graph = readModuleGraph(
    fileURLToPath(new URL('../..', import.meta.url)),
    'src/main/engine/store/migrations',
  );
  expect(graph.modules.length).toBeGreaterThan(0);
  expect(graph.imports).toEqual([]);
});
