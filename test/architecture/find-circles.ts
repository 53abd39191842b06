import type { Import } from './module-graph.ts';

/**
 * Groups of modules that import each other, directly or through others; imports of types count. Tarjan's strongly
 * connected components, of more than one module.
 */
export function findCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  const visit = (module: string): void => {
    indexes.set(module, indexes.size);
    lowest.set(module, indexes.get(module) as number);
    stack.push(module);
    for (const target of targets.get(module) ?? []) {
      if (!indexes.has(target)) visit(target);
      else if (!stack.includes(target)) continue;
      lowest.set(module, Math.min(lowest.get(module) as number, lowest.get(target) as number));
    }
    if (lowest.get(module) !== indexes.get(module)) return;
    const circle = stack.splice(stack.indexOf(module));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const module of targets.keys()) if (!indexes.has(module)) visit(module);
  return circles;
}
