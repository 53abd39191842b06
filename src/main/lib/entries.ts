/** The files that start a process or a thread, relative to this file. */
const sources = {
  engine: '../engine/index.ts',
  'store-worker': '../engine/store/threads/worker.ts',
  'page-worker': '../engine/store/threads/page-worker.ts',
  'export-worker': '../engine/export/write-files.ts',
  'key-worker': '../keys/worker.ts',
  sandbox: '../../sandbox/index.ts',
  colleague: '../../sandbox/colleague/index.ts',
  'team-server': '../../team-server/index.ts',
} as const;

export type EntryName = keyof typeof sources;

/**
 * Where an entry lies: in the sources as they are, or beside the bundle that this file was built into
 * (all entries and shared chunks of a build share one folder).
 */
export function findEntry(name: EntryName): URL {
  const here = import.meta.url;
  return here.endsWith('.ts') ? new URL(sources[name], here) : new URL(`./${name}.js`, here);
}
