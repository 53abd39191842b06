import { basename, dirname, extname, join } from 'node:path';

/** The files of an export: its own name, or numbered ones (`claims-1.csv`, `claims-2.csv`) where rows are split. */
export function partPaths(path: string, parts: number): string[] {
  if (parts <= 1) return [path];
  const extension = extname(path);
  const name = basename(path, extension);
  const width = String(parts).length;
  return Array.from({ length: parts }, (_none, index) =>
    join(dirname(path), `${name}-${String(index + 1).padStart(width, '0')}${extension}`),
  );
}
