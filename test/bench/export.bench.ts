import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ExportFormat } from '../../src/contract/export.ts';
import { type ExportColumn, exportColumnsOf, presetColumns } from '../../src/contract/export-columns.ts';
import { runExport } from '../../src/main/engine/export/run-export.ts';
import { systemClock } from '../../src/main/lib/clock.ts';
import { report } from './support/figures.ts';
import { benchClaims, prepareBenchStore } from './support/million-store.ts';

// Exports of claims with 30 columns from the encrypted store, beside `sqlite3 -csv` over the same rows as text in a
// plain file, in turns in one run. CPU seconds of all threads: wall time is that of a shared machine.
const columnCount = 30;
const rounds = 3;
const { filePath, key } = prepareBenchStore();
const folder = join(tmpdir(), `claimdesk-bench-export-${process.pid}`);
mkdirSync(folder);
const source = { kind: 'list' as const, query: { entity: 'claims' as const } };
const known = new Map(exportColumnsOf(source).map((column) => [column.path, column]));
const columns = presetColumns(source, 'standard')
  .filter((path) => !path.startsWith('computed_'))
  .slice(0, columnCount)
  .map((path) => known.get(path) as ExportColumn);

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

interface Cost {
  readonly cpu: number;
  readonly wall: number;
  readonly extraMb: number;
  readonly loopP99Ms: number;
}

async function exportOnce(format: ExportFormat): Promise<Cost> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const [cpu, wall] = [cpuSeconds(), performance.now()];
  await runExport({
    exportId: 'bench',
    filePath,
    key,
    source,
    format,
    columns,
    isSsnShown: false,
    outPath: join(folder, `claims${format === 'xlsx' ? '.xlsx' : '.csv'}`),
    sign: null,
    workspaceId: 'bench',
    by: null,
    reason: null,
    clock: systemClock,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  clearInterval(watch);
  loop.disable();
  return {
    cpu: cpuSeconds() - cpu,
    wall: (performance.now() - wall) / 1000,
    extraMb: (peak - before) / 1e6,
    loopP99Ms: loop.percentile(99) / 1e6,
  };
}

try {
  await exportOnce('csv');
  execFileSync('sqlite3', ['plain.db', '-cmd', '.mode csv', '.import claims.csv claims'], { cwd: folder });
  // The CPU time of a child is what Python reads of it.
  const program = `
import resource, subprocess, time
began = time.perf_counter()
with open("plain.csv", "wb") as out:
    subprocess.run(["sqlite3", "-csv", "-header", "plain.db", "SELECT * FROM claims"], stdout=out, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, time.perf_counter() - began)`;
  const sqlite = (): { cpu: number; wall: number } => {
    const [cpu = 0, wall = 0] = execFileSync('python3', ['-c', program], { cwd: folder, encoding: 'utf8' })
      .trim()
      .split(' ')
      .map(Number);
    return { cpu, wall };
  };
  const costs: Record<'csv' | 'excel-csv' | 'xlsx', Cost[]> = { csv: [], 'excel-csv': [], xlsx: [] };
  const plain: { cpu: number; wall: number }[] = [];
  for (let index = 0; index < rounds; index += 1) {
    plain.push(sqlite());
    for (const format of ['csv', 'excel-csv', 'xlsx'] as const) costs[format].push(await exportOnce(format));
  }
  const least = (costs: readonly { cpu: number; wall: number }[], of: 'cpu' | 'wall'): number =>
    Math.min(...costs.map((cost) => cost[of]));
  const how = `${benchClaims.toLocaleString('en-US')} claims, ${columns.length} columns; the least of ${rounds}`;
  const tell = (what: string, figure: number, unit: string, reach?: string): void =>
    report({ what, figure: Math.round(figure * 100) / 100, unit, reach, how });
  tell('sqlite3 -csv over the same rows: processor time', least(plain, 'cpu'), 's');
  tell('sqlite3 -csv over the same rows: wall clock', least(plain, 'wall'), 's');
  for (const [format, ofFormat] of Object.entries(costs)) {
    const isSheet = format === 'xlsx';
    tell(`${format}: processor time`, least(ofFormat, 'cpu'), 's');
    const times = least(ofFormat, 'cpu') / least(plain, 'cpu');
    tell(`${format}: processor time, times sqlite3`, times, '×', isSheet ? '≤ 5' : '≤ 2');
    const wallTimes = least(ofFormat, 'wall') / least(plain, 'wall');
    tell(`${format}: wall clock, times sqlite3`, wallTimes, '×', isSheet ? '≤ 5' : '≤ 1.5');
    tell(`${format}: memory more than before`, Math.max(...ofFormat.map(({ extraMb }) => extraMb)), 'MB');
    const late = Math.max(...ofFormat.map(({ loopP99Ms }) => loopP99Ms));
    tell(`${format}: lateness of the event loop, p99`, late, 'ms');
    tell(`${format}: size`, statSync(join(folder, `claims${isSheet ? '.xlsx' : '.csv'}`)).size / 1e6, 'MB');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
