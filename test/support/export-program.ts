import { exportColumnsOf, presetColumns } from '../../src/contract/export-columns.ts';
import { runExport } from '../../src/main/engine/export/run-export.ts';
import { signFileDigest } from '../../src/main/keys/file-signature.ts';
import { generatePrivateJwk } from '../../src/main/keys/generate-key.ts';

/** Exports claims as a process of its own, for tests that kill it. Prints a line at the start and at each progress. */
const [filePath = '', key = '', outPath = '', format = ''] = process.argv.slice(2);
const source = { kind: 'list' as const, query: { entity: 'claims' as const } };
const chosen = new Set(presetColumns(source, 'standard'));
const jwk = await generatePrivateJwk('ed25519');
process.stdout.write('begun\n');
await runExport({
  exportId: 'killed',
  filePath,
  key: Buffer.from(key, 'hex'),
  source,
  format: format === 'xlsx' ? 'xlsx' : 'csv',
  columns: exportColumnsOf(source).filter(({ path }) => chosen.has(path)),
  isSsnShown: false,
  outPath,
  sign: async (sha512) => signFileDigest(jwk, Buffer.from(sha512, 'hex')),
  workspaceId: 'test',
  by: null,
  reason: null,
  clock: { now: () => 0 },
  signal: new AbortController().signal,
  onProgress: ({ rows }) => process.stdout.write(`${rows}\n`),
});
process.stdout.write('done\n');
