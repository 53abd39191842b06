import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'vite';

/** The exports of a module, and what it takes of others: by name, or null for all of them. */
export interface ModuleExports {
  readonly path: string;
  readonly exports: readonly string[];
  readonly taken: readonly { readonly from: string; readonly name: string | null }[];
  /** Whether the module says the name again, comments apart. */
  isUsedInside(name: string): boolean;
}

/**
 * Reads what a module exports, and what it imports by name from modules beside it.
 *
 * @throws Error where it cannot be parsed, so that none is passed over in silence
 */
export function readExports(root: string, path: string): ModuleExports {
  const file = join(root, path);
  const code = readFileSync(file, 'utf8');
  const { module, comments, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const at = (specifier: string): string =>
    relative(root, resolve(dirname(file), specifier.split('?')[0] as string)).replaceAll('\\', '/');
  const taken = [
    ...module.staticImports.flatMap((one) =>
      one.entries.map((entry) => ({
        from: at(one.moduleRequest.value),
        name: entry.importName.kind === 'Name' ? (entry.importName.name ?? null) : null,
      })),
    ),
    // No syntax shows which exports a dynamic import uses: all of the module's count as used.
    ...module.dynamicImports.map((one) => ({
      from: at(code.slice(one.moduleRequest.start, one.moduleRequest.end).replace(/['"`]/g, '')),
      name: null,
    })),
  ];
  const exports = module.staticExports.flatMap((one) =>
    one.entries.flatMap((entry) => entry.exportName.name ?? []),
  );
  const words: readonly string[] = removeComments(code, comments).match(/[\w$]+/g) ?? [];
  const isUsedInside = (name: string): boolean => words.indexOf(name) !== words.lastIndexOf(name);
  return { path, exports, taken, isUsedInside };
}

const removeComments = (
  code: string,
  comments: readonly { readonly start: number; readonly end: number }[],
): string =>
  comments.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, code);

/** `path: name` of each export that no other module takes, and that its own does not use either. */
export function findUnusedExports(modules: readonly ModuleExports[]): string[] {
  const taken = new Set(
    modules.flatMap((module) =>
      module.taken
        .filter(({ from }) => from !== module.path)
        .map(({ from, name }) => `${from}: ${name ?? '*'}`),
    ),
  );
  return modules.flatMap(({ path, exports, isUsedInside }) =>
    exports
      .filter((name) => !taken.has(`${path}: ${name}`) && !taken.has(`${path}: *`) && !isUsedInside(name))
      .map((name) => `${path}: ${name}`),
  );
}
