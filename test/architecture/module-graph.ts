import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'vite';

/** One import: who, and what; `to` is a path below the root, or the name of a package (`node:` for Node). */
export interface Import {
  readonly from: string;
  readonly to: string;
}

export interface ModuleGraph {
  readonly modules: readonly string[];
  readonly imports: readonly Import[];
  /** Modules that export a default, or everything of another. */
  readonly defaultExports: readonly string[];
}

const sourceFile = /\.(ts|tsx|mts|mjs)$/;

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return sourceFile.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] as string);
}

/**
 * Reads every import of every module below `folder`: static, dynamic, type-only and re-exports alike.
 *
 * @throws Error where a module cannot be parsed, so that none is passed over in silence
 */
export function readModuleGraph(root: string, folder: string): ModuleGraph {
  const files = listFiles(join(root, folder));
  const imports: Import[] = [];
  const defaultExports: string[] = [];
  for (const file of files) {
    const from = relative(root, file).replaceAll('\\', '/');
    const code = readFileSync(file, 'utf8');
    const { module, errors } = parseSync(file, code);
    if (errors.length > 0) throw new Error(`${from} cannot be parsed: ${errors[0]?.message}`);
    const specifiers = [
      ...module.staticImports.map((one) => one.moduleRequest.value),
      ...module.staticExports.flatMap((one) =>
        one.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
      ),
      ...module.dynamicImports.flatMap((one) =>
        readLiteral(code.slice(one.moduleRequest.start, one.moduleRequest.end)),
      ),
    ];
    for (const specifier of specifiers) {
      const isLocal = specifier.startsWith('.');
      const target = relative(root, resolve(dirname(file), specifier.split('?')[0] as string));
      imports.push({ from, to: isLocal ? target.replaceAll('\\', '/') : packageOf(specifier) });
    }
    if (
      module.staticExports.some((one) => one.entries.some((entry) => entry.exportName.kind === 'Default'))
    ) {
      defaultExports.push(from);
    }
  }
  return {
    modules: files.map((file) => relative(root, file).replaceAll('\\', '/')),
    imports,
    defaultExports,
  };
}

/** `import('x')` names its module; one that is computed names none and is an error of the rules. */
function readLiteral(text: string): string[] {
  const match = /^(['"`])([^'"`$]+)\1$/.exec(text.trim());
  return [match?.[2] ?? 'computed'];
}
