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
import { report, spread } from './support/figures.ts';
import { quiet, registerAndSync } from './support/register-and-sync.ts';

// The main job at 20,000 claims: a first sync with its proof, lists, searches, an export.
const claims = 20_000;
const runs = 20;

const round = (value: number): number => Math.round(value * 100) / 100;
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
  const first = { what: 'First sync of 20,000 claims', figure: round(receipt.seconds), unit: 's' };
  report({ ...first, how: `${receipt.passes} passes, ${receipt.proof}` });
  const again = await syncWorkspace(session, workspaceId, quiet, false);
  const next = { what: 'The same, nothing changed', figure: round(again.receipt.seconds), unit: 's' };
  report({ ...next, how: `${again.receipt.passes} passes` });
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
    'A list of claims': {},
    'The same by amount billed': { sort: [{ field: 'amount_billed', direction: 'desc' }] },
    'Claims of one status': { conditions: [{ field: 'status', operator: 'is', values: ['Rejected'] }] },
    'Search, letters of a name': { search: 'gar' },
    'Search, a name and a letter': { search: 'garcia a' },
  };
  for (const [what, query] of Object.entries(cases))
    report({ what, ...spread(await time(() => firstWindow(query))) });
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
  report({ what: 'Export of 20,000 claims', ...spread(exports) });
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
report({ what: 'Start of the command line', ...spread(starts) });
