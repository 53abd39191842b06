import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeStoreProgress, type Removal, type StoreProgress } from '../../src/contract/store.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import {
  type MaintenanceThread,
  startMaintenanceThread,
} from '../../src/main/engine/store/threads/maintenance-thread.ts';
import { report } from './support/figures.ts';
import { benchClaims, prepareBenchStore } from './support/million-store.ts';

// This bench measures long work on a whole file, in the thread that the app uses and with a process for each
// step: its time, its peak of memory, and how long users see no progress.
type OnProgress = (progress?: StoreProgress) => void;

interface Step {
  readonly what: string;
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
    run: async (...given) => {
      const { isSound, problems } = await maintain(...given, (thread) =>
        thread.call('check', { file: 'records', isFull: true }),
      );
      return isSound ? 'sound' : `${problems} problems`;
    },
  },
  plan: {
    what: 'Count what a removal by date would remove',
    run: async (...given) => {
      const { counts } = await maintain(...given, (thread) =>
        thread.call('planRemoval', { removal: byDate, written: [] }),
      );
      return `${counts.claims} claims`;
    },
  },
  removeByDate: {
    what: 'Remove claims before a date',
    run: async (...given) => {
      await maintain(...given, (thread) => thread.call('removeRecords', { removal: byDate }));
      return 'done';
    },
  },
  removeMember: {
    what: 'Remove a member',
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
    run: async (filePath, key, onProgress) => {
      damage(filePath, key, 20);
      const { outcome, lost } = await maintain(filePath, key, onProgress, (thread) =>
        thread.call('repair', { file: 'records', mayLose: true }),
      );
      return `${outcome}, lost ${lost.map(({ what, count }) => `${count} ${what}`).join(', ') || 'nothing'}`;
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

/** The most memory that this process has had, in megabytes. */
const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

/** Runs one step, alone in its process, and prints its figures. */
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
    for (const step of Object.keys(steps)) {
      // Each copy has its own folder: files beside another file of the same name would count as damage.
      const own = mkdtempSync(join(folder, 'copy-'));
      copyFileSync(store.filePath, join(own, 'records.db'));
      run(step, join(own, 'records.db'), store.key);
      rmSync(own, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
