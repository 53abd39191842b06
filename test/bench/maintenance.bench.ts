import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Removal } from '../../src/contract/store.ts';
import type { Connection } from '../../src/main/engine/store/file/connection.ts';
import { openRecords, openRecordsFile } from '../../src/main/engine/store/record/open-records.ts';
import { createMaintenanceOperations } from '../../src/main/engine/store/threads/maintenance-operations.ts';
import { createWriteOperations } from '../../src/main/engine/store/threads/operations.ts';
import { copyOldRecords } from '../support/old-records.ts';
import { report } from './support/figures.ts';
import { benchClaims, prepareBenchStore } from './support/million-store.ts';

// Long work on a file as a whole, each step in a process of its own: its time, its peak of memory, and how long a
// person sees no progress.
type Operations = ReturnType<typeof createMaintenanceOperations>;

interface Step {
  readonly what: string;
  /** Removes or damages something in the copy. */
  readonly changes?: true;
  run(work: { operations: Operations; filePath: string; key: Buffer; progressed: () => void }): string;
}

const byDate: Removal = { kind: 'claimsBefore', date: '2026-01-01' };

const steps: Readonly<Record<string, Step>> = {
  check: {
    what: 'Full check',
    run: ({ operations }) => {
      const { isSound, problems } = operations.check({ file: 'records', isFull: true });
      return isSound ? 'sound' : `${problems} problems`;
    },
  },
  plan: {
    what: 'Count what a removal by date would remove',
    run: ({ operations }) =>
      `${operations.planRemoval({ removal: byDate, written: [] }).counts.claims} claims`,
  },
  removeByDate: {
    what: 'Remove claims before a date',
    changes: true,
    run: ({ operations }) => `rules ${JSON.stringify(operations.removeRecords({ removal: byDate }))}`,
  },
  removeMember: {
    what: 'Remove a member',
    changes: true,
    run: ({ operations, filePath, key }) => {
      const connection = openRecords(filePath, key, { isReadOnly: true });
      const memberId = connection.prepare('SELECT max(id) FROM members').pluck().get() as number;
      connection.close();
      operations.removeRecords({ removal: { kind: 'member', memberId } });
      return 'done';
    },
  },
  repair: {
    what: 'Find damage in twenty places and repair it',
    changes: true,
    run: ({ operations, filePath }) => {
      damage(filePath, 20);
      const { outcome, lost } = operations.repair({ file: 'records', mayLose: true });
      return `${outcome}, lost ${lost.map(({ what, count }) => `${count} ${what}`).join(', ') || 'nothing'}`;
    },
  },
  migrate: {
    what: 'Migrate from version 0.1',
    changes: true,
    run: ({ filePath, key, progressed }) => {
      openRecordsFile(filePath, key).close();
      progressed();
      return 'done';
    },
  },
  renew: {
    what: 'Renew the digests of version 0.1 afterwards, between other work',
    changes: true,
    run: ({ filePath, key, progressed }) => {
      const file = openRecordsFile(filePath, key);
      const write = createWriteOperations(file.connection);
      while (write.renewDigests(null)) progressed();
      file.close();
      return 'done';
    },
  },
};

/** Writes over a few bytes in as many places, at the same ones each time; not over the first pages. */
function damage(filePath: string, places: number): void {
  const { size } = statSync(filePath);
  const file = openSync(filePath, 'r+');
  for (let place = 1; place <= places; place += 1) {
    const page = Math.floor((size / 4096) * (place / (places + 1)));
    writeSync(file, Buffer.alloc(16, 0xa5), 0, 16, page * 4096 + 1000);
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

/** In a process of its own: one step, whose figures it prints. */
function runStep(step: Step, filePath: string, key: Buffer): void {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let progressedAt = began;
  let silentMs = 0;
  let reports = 0;
  const progressed = (): void => {
    const now = performance.now();
    silentMs = Math.max(silentMs, now - progressedAt);
    progressedAt = now;
    reports += 1;
  };
  const operations = createMaintenanceOperations(filePath, key, progressed);
  const outcome = step.run({ operations, filePath, key, progressed });
  silentMs = Math.max(silentMs, performance.now() - progressedAt);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  const { maxRSS } = process.resourceUsage();
  report({
    what: step.what,
    figure: seconds((user + system) / 1000),
    unit: 's',
    how: `processor time (${seconds(performance.now() - began)} s in all); peak ${Math.round(maxRSS / 1024)} MB; ${reports} reports of progress, at most ${seconds(silentMs)} s apart; ${outcome}`,
  });
}

const [name, filePath = '', keyHex = ''] = process.argv.slice(2);
if (name !== undefined && Object.hasOwn(steps, name)) {
  runStep(steps[name] as Step, filePath, Buffer.from(keyHex, 'hex'));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-maintenance-'));
  const run = (step: string, path: string, key: Buffer): void => {
    const program = [fileURLToPath(import.meta.url), step, path, key.toString('hex')];
    process.stdout.write(execFileSync(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] }));
  };
  try {
    const store = prepareBenchStore(benchClaims);
    const copy = join(folder, 'records.db');
    for (const [step, { changes }] of Object.entries(steps)) {
      if (step === 'migrate' || step === 'renew') continue;
      if (changes || step === 'check') copyFileSync(store.filePath, copy);
      run(step, copy, store.key);
    }
    const old = copyOldRecords('northwind');
    try {
      const connection = openRecords(old.filePath, old.key);
      growOldRecords(connection, benchClaims);
      connection.pragma('wal_checkpoint(TRUNCATE)');
      connection.close();
      run('migrate', old.filePath, old.key);
      run('renew', old.filePath, old.key);
    } finally {
      old.remove();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
