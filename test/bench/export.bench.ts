import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ExportFormat, type ExportResult, purposeOf } from '../../src/contract/export.ts';
import { presetColumns } from '../../src/contract/export-columns.ts';
import { saveExtensions } from '../../src/contract/save-target.ts';
import { prepareProfile } from './support/bench-profile.ts';
import { endBenchShell, openWindow, startBenchShell } from './support/bench-shell.ts';
import { report } from './support/figures.ts';
import { benchClaims } from './support/million-store.ts';
import { childrenOf, forgetPeak, readProcessorMs, readResidentMb } from './support/processes.ts';

// Exports of claims with 30 columns by the app as built, as a window asks for them, beside `sqlite3 -csv` over the same
// rows as text in a plain file, in turns in one run. Processor time is that of the whole engine with all of its threads:
// wall time is that of a shared machine.
const columnCount = 30;
const rounds = 3;
const folder = join(tmpdir(), `claimdesk-bench-export-${process.pid}`);
const profileDir = join(folder, 'profile');
mkdirSync(folder);
process.env.CLAIMDESK_DOWNLOADS = folder;
const source = { kind: 'list' as const, query: { entity: 'claims' as const } };
const columns = presetColumns(source, 'standard')
  .filter((path) => !path.startsWith('computed_'))
  .slice(0, columnCount);
const formats = ['csv', 'excel-csv', 'xlsx'] as const;

interface Cost {
  /** Processor time, in seconds. */
  readonly cpu: number;
  readonly wall: number;
}

interface ExportCost extends Cost {
  readonly extraMb: number;
  readonly sizeMb: number;
  readonly path: string;
}

await prepareProfile(profileDir);
const { child, url } = startBenchShell({ profileDir });
try {
  const { call, events } = await openWindow(await url);
  const { workspaces } = await call<{ workspaces: { id: string }[] }>('main', 'workspaces:list', {});
  const request = { workspaceId: workspaces[0]?.id, source, columns, reason: 'Bench of exports' };
  await call('engine', 'store:getState', { workspaceId: request.workspaceId });
  const [engine = 0] = childrenOf(child.pid ?? 0);

  const exportOnce = async (format: ExportFormat): Promise<ExportCost> => {
    const target = {
      purpose: purposeOf[format],
      suggestedName: `claims${saveExtensions[purposeOf[format]]}`,
    };
    const { targetId } = await call<{ targetId: string }>('main', 'files:chooseSaveTarget', target);
    forgetPeak(engine);
    const before = readResidentMb(engine, 'VmRSS');
    const [cpu, wall] = [readProcessorMs(engine), performance.now()];
    await call('engine', 'export:start', { ...request, format, targetId });
    const { payload } = await events.next('export:finished');
    const { result, error } = payload as { result: ExportResult | null; error: unknown };
    const [written] = result?.files ?? [];
    if (written === undefined) throw new Error(`${format}: ${JSON.stringify(error)}`);
    return {
      cpu: (readProcessorMs(engine) - cpu) / 1000,
      wall: (performance.now() - wall) / 1000,
      extraMb: readResidentMb(engine) - before,
      sizeMb: statSync(written.path).size / 1e6,
      path: written.path,
    };
  };

  // What a start begins is over, and the code of exports has been compiled once, as on any later export of a day.
  await wait(5_000);
  const { path } = await exportOnce('csv');
  execFileSync('sqlite3', ['plain.db', '-cmd', '.mode csv', `.import ${path} claims`], { cwd: folder });
  // The CPU time of a child is what Python reads of it.
  const program = `
import resource, subprocess, time
began = time.perf_counter()
with open("plain.csv", "wb") as out:
    subprocess.run(["sqlite3", "-csv", "-header", "plain.db", "SELECT * FROM claims"], stdout=out, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, time.perf_counter() - began)`;
  const sqlite = (): Cost => {
    const text = execFileSync('python3', ['-c', program], { cwd: folder, encoding: 'utf8' });
    const [cpu = 0, wall = 0] = text.trim().split(' ').map(Number);
    return { cpu, wall };
  };
  const plain: Cost[] = [];
  const costs: Record<(typeof formats)[number], ExportCost[]> = { csv: [], 'excel-csv': [], xlsx: [] };
  for (let index = 0; index < rounds; index += 1) {
    plain.push(sqlite());
    for (const format of formats) {
      const cost = await exportOnce(format);
      costs[format].push(cost);
      rmSync(cost.path);
    }
  }
  const median = (of: readonly Cost[], which: keyof Cost): number =>
    of.map((cost) => cost[which]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const how = `${benchClaims.toLocaleString('en-US')} claims, ${columns.length} columns; median of ${rounds}`;
  const tell = (what: string, figure: number, unit: string, reach?: string): void =>
    report({ what, figure: Math.round(figure * 100) / 100, unit, reach, how });
  tell('sqlite3 -csv over the same rows: processor time', median(plain, 'cpu'), 's');
  tell('sqlite3 -csv over the same rows: wall clock', median(plain, 'wall'), 's');
  for (const format of formats) {
    const ofFormat = costs[format];
    const cpu = median(ofFormat, 'cpu');
    tell(`${format}: processor time`, cpu, 's');
    tell(`${format}: wall clock`, median(ofFormat, 'wall'), 's');
    const times = cpu / median(plain, 'cpu');
    const cells = (benchClaims * columns.length) / cpu / 1e6;
    if (format === 'xlsx') tell('xlsx: cells a second of processor time', cells, 'M cells/s', '≥ 1');
    else tell(`${format}: processor time, times sqlite3`, times, '×', '≤ 2');
    const extraMb = Math.max(...ofFormat.map((cost) => cost.extraMb));
    tell(`${format}: memory more than before`, extraMb, 'MB', format === 'xlsx' ? '≤ 110' : undefined);
    tell(`${format}: size`, ofFormat[0]?.sizeMb ?? 0, 'MB');
  }
} finally {
  await endBenchShell(child);
  rmSync(folder, { recursive: true, force: true });
}
