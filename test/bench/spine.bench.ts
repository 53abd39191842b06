import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEphemeralStore } from '../../src/main/keychain/secret-store.ts';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { exportList } from '../../src/main/shells/cli/commands/export.ts';
import { syncWorkspace } from '../../src/main/shells/cli/commands/sync.ts';
import { openSession } from '../../src/main/shells/cli/session.ts';
import { quiet, registerAndSync } from './support/register-and-sync.ts';

// The main job at 20,000 claims: a first sync with its proof, lists, searches, an export. Medians of `runs`.
const claims = 20_000;
const runs = 20;

const tell = (bench: string, figures: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify({ bench, ...figures })}\n`);
const round = (value: number): number => Math.round(value * 100) / 100;
const median = (values: number[]): number => round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0);
const p95 = (values: number[]): number =>
  round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0);

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-'));
const service = await startSampleService({ members: 2_000, claims });
const session = await openSession({
  options: {},
  writes: true,
  secrets: createEphemeralStore(),
  profileDir: join(folder, 'profile'),
});
try {
  const { workspaceId, receipt } = await registerAndSync(session, service);
  tell('sync.20000', {
    seconds: round(receipt.seconds),
    passes: receipt.passes,
    claimsPerSecondWithProof: Math.round(claims / receipt.seconds),
    proof: receipt.proof,
  });
  const again = await syncWorkspace(session, workspaceId, quiet, false);
  tell('sync.20000.unchanged', { seconds: round(again.receipt.seconds), passes: again.receipt.passes });
  await service.stop();

  const time = async (run: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    for (let index = 0; index < runs; index += 1) {
      const began = performance.now();
      await run();
      times.push(performance.now() - began);
    }
    return times;
  };
  const firstWindow = async (query: object): Promise<number> => {
    const { snapshotId, total } = await session.call('records:open', {
      workspaceId,
      query: { entity: 'claims', ...query },
    });
    await session.call('records:getWindow', { workspaceId, snapshotId, offset: 0, limit: 100 });
    return total;
  };
  const cases: Record<string, object> = {
    'list.claims': {},
    'list.claims.byBilled': { sort: [{ field: 'amount_billed', direction: 'desc' }] },
    'list.claims.rejected': { conditions: [{ field: 'status', operator: 'is', values: ['Rejected'] }] },
    'search.claims.name': { search: 'gar' },
    'search.claims.words': { search: 'garcia a' },
  };
  for (const [bench, query] of Object.entries(cases)) {
    const times = await time(() => firstWindow(query));
    tell(bench, { medianMs: median(times), p95Ms: p95(times), runs });
  }
  const exports: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    const result = await exportList(session, {
      workspaceId,
      source: { kind: 'list', query: { entity: 'claims' } },
      format: 'csv',
      reason: 'Measurement',
      outPath: join(folder, `claims-${index}.csv`),
      isSsnShown: false,
      onProgress: () => undefined,
    });
    exports.push(result.seconds * 1000);
  }
  tell('export.claims.20000', { medianMs: median(exports), runs: exports.length });
} finally {
  await session.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

const cli = fileURLToPath(new URL('../../src/main/shells/cli/claimdesk.mjs', import.meta.url));
const starts: number[] = [];
for (let index = 0; index < 5; index += 1) {
  const began = performance.now();
  await promisify(execFile)(process.execPath, [cli, '--version']);
  starts.push(performance.now() - began);
}
tell('cli.start', { medianMs: median(starts), runs: starts.length });
