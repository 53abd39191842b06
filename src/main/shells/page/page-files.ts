import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

export interface PageFile {
  readonly path: string;
  readonly contentType: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * The files of the built window by their URL path, such as `/assets/index-ab12.js`. A requested path is looked up here
 * and never joined to a folder, so no `..`, encoded or not, can leave it. Files of other types are not served.
 */
export async function listPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const visit = async (path: string, address: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const entryPath = join(path, entry.name);
      const entryAddress = `${address}/${entry.name}`;
      if (entry.isDirectory()) await visit(entryPath, entryAddress);
      const contentType = contentTypes[extname(entry.name)];
      if (entry.isFile() && contentType !== undefined)
        files.set(entryAddress, { path: entryPath, contentType });
    }
  };
  await visit(folder, '');
  return files;
}
