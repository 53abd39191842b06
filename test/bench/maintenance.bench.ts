import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeStoreProgress, type Removal, type StoreProgress } from '../../src/contract/store.ts';
import type { Connection } from '../../src/main/engine/store/file/connection.ts';
import { openRecords, openRecordsFile } from '../../src/main/engine/store/record/open-records.ts';
import {
  type MaintenanceThread,
  startMaintenanceThread,
} from '../../src/main/engine/store/threads/maintenance-thread.ts';
import { createWriteOperations } from '../../src/main/engine/store/threads/operations.ts';
import { openStore } from '../../src/main/engine/store/threads/store.ts';
import { copyOldRecords } from '../support/old-records.ts';
import { report } from './support/figures.ts';
import { benchClaims, prepareBenchStore } from './support/million-store.ts';

// Long work on a file as a whole, in the thread that the app gives it, each step in a process of its own: its time, its
// peak of memory, and how long a person sees no progress.
type OnProgress = (progress?: StoreProgress) => void;

interface Step {
  readonly what: string;
  /** What it works on: a copy of the shared store, or records of version 0.1. */
  readonly on: 'copy' | 'old';
  run(filePath: string, key: Buffer, onProgress: OnProgress): Promise<string>;
}

const byDate: Removal = { kind: 'claimsBefore', date: '2026-01-01' };

async function maintain<T>(
  filePath: string,
  key: Buffer,
  onProgress: OnProgress,
  act: (thread: MaintenanceThread) => Promise<T>,
): Promise<T> {
  const thread = await startMaintenanceThread(filePath, Buffer.from(key), onProgress);
  return act(thread).finally(() => thread.close());
}

const steps: Readonly<Record<string, Step>> = {
  check: {
    what: 'Full check',
    on: 'copy',
    run: async (...given) => {
      const { isSound, problems } = await maintain(...given, (thread) =>
        thread.call('check', { file: 'records', isFull: true }),
      );
      return isSound ? 'sound' : `${problems} problems`;
    },
  },
  plan: {
    what: 'Count what a removal by date would remove',
    on: 'copy',
    run: async (...given) => {
      const { counts } = await maintain(...given, (thread) =>
        thread.call('planRemoval', { removal: byDate, written: [] }),
      );
      return `${counts.claims} claims`;
    },
  },
  removeByDate: {
    what: 'Remove claims before a date',
    on: 'copy',
    run: async (...given) => {
      await maintain(...given, (thread) => thread.call('removeRecords', { removal: byDate }));
      return 'done';
    },
  },
  removeMember: {
    what: 'Remove a member',
    on: 'copy',
    run: async (filePath, key, onProgress) => {
      const connection = openRecords(filePath, key, { isReadOnly: true });
      const memberId = connection.prepare('SELECT max(id) FROM members').pluck().get() as number;
      connection.close();
      const removal: Removal = { kind: 'member', memberId };
      await maintain(filePath, key, onProgress, (thread) => thread.call('removeRecords', { removal }));
      return 'done';
    },
  },
  repair: {
    what: 'Find damage in twenty places and repair it',
    on: 'copy',
    run: async (filePath, key, onProgress) => {
      damage(filePath, key, 20);
      const { outcome, lost } = await maintain(filePath, key, onProgress, (thread) =>
        thread.call('repair', { file: 'records', mayLose: true }),
      );
      return `${outcome}, lost ${lost.map(({ what, count }) => `${count} ${what}`).join(', ') || 'nothing'}`;
    },
  },
  migrate: {
    what: 'Migrate from version 0.1',
    on: 'old',
    run: async (filePath, key, onProgress) => {
      const opened = { filePath, key: Uint8Array.from(key), isReadOnly: false, readers: 1, onProgress };
      await (await openStore(opened)).close();
      return 'done';
    },
  },
  renew: {
    what: 'Renew the digests of version 0.1 afterwards, between other work',
    on: 'old',
    run: async (filePath, key, onProgress) => {
      const file = openRecordsFile(filePath, key);
      const write = createWriteOperations(file.connection);
      while (write.renewDigests(null)) onProgress();
      file.close();
      return 'done';
    },
  },
};

/** Writes over a few bytes in as many places, at the same ones each time; not over the first pages. */
function damage(filePath: string, key: Buffer, places: number): void {
  const connection = openRecords(filePath, key, { isReadOnly: true });
  const pageBytes = connection.pragma('page_size', { simple: true }) as number;
  connection.close();
  const pages = statSync(filePath).size / pageBytes;
  const file = openSync(filePath, 'r+');
  for (let place = 1; place <= places; place += 1) {
    const page = Math.floor(pages * (place / (places + 1)));
    writeSync(file, Buffer.alloc(16, 0xa5), 0, 16, page * pageBytes + 1000);
  }
  closeSync(file);
}

/** The records of version 0.1, each claim with its lines and members as often as makes so many claims. */
function growOldRecords(connection: Connection, claims: number): void {
  const known = connection.prepare('SELECT count(*) FROM claims').pluck().get() as number;
  const columnsOf = (table: string, without: readonly string[]): string =>
    (connection.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[])
      .filter((name) => !without.includes(name))
      .map((name) => `"${name}"`)
      .join(', ');
  const apart = (connection.prepare('SELECT max(id) FROM claims').pluck().get() as number) + 1;
  const copy = (table: string, column: string, dropped: readonly string[]): void => {
    const others = columnsOf(table, [column, ...dropped]);
    connection.exec(`WITH RECURSIVE copies (nth) AS (SELECT 1 UNION ALL SELECT nth+1 FROM copies
        WHERE nth+1<${Math.ceil(claims / known)})
      INSERT INTO ${table} ("${column}", ${others}) SELECT "${column}"+nth*${apart}, ${others}
      FROM copies JOIN ${table} WHERE "${column}"<${apart}`);
  };
  connection.transaction(() => {
    copy('claim_lines', 'parent', ['ref']);
    copy('claim_members', 'parent', []);
    copy('claims', 'id', []);
  })();
}

/** The most memory that this process has had, in megabytes. */
const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

/** In a process of its own: one step, whose figures it prints. */
async function runStep(step: Step, filePath: string, key: Buffer): Promise<void> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let progressedAt = began;
  let silentMs = 0;
  let heardAtCpu = cpu;
  let silentCpuMs = 0;
  let reports = 0;
  let last = 'the beginning';
  let silentAfter = last;
  const hear = (): void => {
    const now = performance.now();
    if (now - progressedAt > silentMs) {
      silentMs = now - progressedAt;
      silentAfter = last;
    }
    progressedAt = now;
    const worked = process.cpuUsage(heardAtCpu);
    silentCpuMs = Math.max(silentCpuMs, (worked.user + worked.system) / 1000);
    heardAtCpu = process.cpuUsage();
  };
  const progressed: OnProgress = (progress) => {
    hear();
    if (progress !== undefined) last = `“${describeStoreProgress(progress)}”`;
    reports += 1;
  };
  const outcome = await step.run(filePath, key, progressed);
  hear();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  report({
    what: step.what,
    figure: seconds((user + system) / 1000),
    unit: 's',
    how: `processor time of all threads (${seconds(performance.now() - began)} s in all); ${outcome}`,
  });
  report({
    what: `${step.what}: longest silence`,
    figure: seconds(silentMs),
    unit: 's',
    reach: '≤ 2',
    how: `wall clock, after ${silentAfter}; ${reports} reports of progress, at most ${seconds(silentCpuMs)} s of processor time apart`,
  });
  const reach = benchClaims > 100_000 ? '≤ 650' : '≤ 450';
  report({ what: `${step.what}: memory`, figure: peakMb(), unit: 'MB', reach, how: 'peak of the process' });
}

const [name, filePath = '', keyHex = ''] = process.argv.slice(2);
if (name !== undefined && Object.hasOwn(steps, name)) {
  await runStep(steps[name] as Step, filePath, Buffer.from(keyHex, 'hex'));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-maintenance-'));
  const run = (step: string, path: string, key: Buffer): void => {
    const program = [fileURLToPath(import.meta.url), step, path, key.toString('hex')];
    process.stdout.write(execFileSync(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] }));
  };
  try {
    const store = prepareBenchStore(benchClaims);
    for (const [step, { on }] of Object.entries(steps)) {
      if (on === 'old') continue;
      // In a folder of its own: what lies beside another file with its name would be taken for damage.
      const own = mkdtempSync(join(folder, 'copy-'));
      copyFileSync(store.filePath, join(own, 'records.db'));
      run(step, join(own, 'records.db'), store.key);
      rmSync(own, { recursive: true });
    }
    const old = copyOldRecords('northwind');
    try {
      const connection = openRecords(old.filePath, old.key);
      growOldRecords(connection, benchClaims);
      connection.pragma('wal_checkpoint(TRUNCATE)');
      connection.close();
      for (const [step, { on }] of Object.entries(steps)) if (on === 'old') run(step, old.filePath, old.key);
    } finally {
      old.remove();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
