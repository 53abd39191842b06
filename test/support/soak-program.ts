import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListQuery } from '../../src/contract/query.ts';
import type { Session } from '../../src/main/shells/cli/session.ts';
import type { Fault } from '../../src/sandbox/faults/fault-schema.ts';
import { openBench } from './engine-session.ts';

// Rounds of syncs with bad days, queries, reviews and exports, with the engine ended between them as a lock does.
// Fails where memory after the warm-up grows by more than a tenth, where a handle or a thread is left, where a note is
// missing, and at anything that nobody handled.
const minutes = Number(process.argv[2]);
const warmUpRounds = 5;
const growthAllowed = 0.1;
const queriesInRound = 25;
const notesInRound = 5;

const badDays: readonly (Partial<Fault> & { kind: Fault['kind'] })[][] = [
  [],
  [{ kind: 'status', status: 500, rate: 0.3, times: 4 }],
  [{ kind: 'reset', times: 2 }],
  [],
  [{ kind: 'truncated', keep: 0.4, route: 'claims', times: 2 }],
  [{ kind: 'replace-body', body: 'html', times: 2 }],
];
const queries: readonly ListQuery[] = [
  { entity: 'claims', sort: [{ field: 'amount_billed', direction: 'desc' }] },
  { entity: 'claims', search: 'garcia' },
  { entity: 'claims', conditions: [{ field: 'status', operator: 'is', values: ['Rejected'] }] },
  { entity: 'members', search: 'an' },
  { entity: 'lines' },
];

let unhandled = 0;
const failures: string[] = [];
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (thrown) => {
    unhandled += 1;
    process.stderr.write(`${event}: ${String(thrown)}\n`);
  });
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** Memory and handles with every engine ended, after a collection. */
async function measure() {
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed } = process.memoryUsage();
  const files = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  return { rss, heapUsed, files, handles: process.getActiveResourcesInfo().length };
}

async function exportClaims(session: Session, workspaceId: string, path: string): Promise<void> {
  const engine = await session.getEngine();
  const targetId = await session.addSaveTarget(path, 'records');
  let unsubscribe = (): void => undefined;
  const written = new Promise<void>((resolve, reject) => {
    unsubscribe = engine.subscribe((event) => {
      if (event.name !== 'export:finished') return;
      if (event.payload.error === null) resolve();
      else reject(new Error(event.payload.error.code));
    });
  });
  await session.call('export:start', {
    workspaceId,
    source: { kind: 'list', query: { entity: 'claims' } },
    format: 'csv',
    reason: 'Soak',
    targetId,
  });
  await written.finally(unsubscribe);
  await rm(path);
}

const bench = await openBench('--members', '60', '--claims', '600', '--seed', '5');
const profileDir = await bench.newProfile();
const count = { rounds: 0, syncs: 0, incomplete: 0, queries: 0, notes: 0, exports: 0 };

async function runRound(): Promise<void> {
  const session = await bench.open(profileDir);
  try {
    const workspaceId = (await session.findWorkspace()).id;
    await bench.sandbox.control('PUT', '/faults', badDays[count.rounds % badDays.length]);
    const { receipt } = await bench.sync(session);
    count.syncs += 1;
    if (receipt.outcome !== 'complete') count.incomplete += 1;
    await bench.sandbox.control('DELETE', '/faults');
    let claimIds: number[] = [];
    for (let index = 0; index < queriesInRound; index += 1) {
      const query = queries[index % queries.length] as ListQuery;
      const { snapshotId } = await session.call('records:open', { workspaceId, query });
      const { rows } = await session.call('records:getWindow', {
        workspaceId,
        snapshotId,
        offset: 0,
        limit: 50,
      });
      if (index === 0) claimIds = rows.map((row) => Number(row.id));
      count.queries += 1;
    }
    for (let index = 0; index < notesInRound; index += 1) {
      const id = claimIds[(count.notes + index) % claimIds.length] as number;
      await session.call('reviews:act', {
        workspaceId,
        target: { claimIds: [id] },
        act: { kind: 'note', text: `Note ${count.notes + index}` },
      });
    }
    count.notes += notesInRound;
    await exportClaims(session, workspaceId, join(profileDir, 'soak.csv'));
    count.exports += 1;
  } finally {
    await session.close();
  }
  count.rounds += 1;
}

/** Notes that the store still has, counted with an engine of its own. */
async function countNotes(): Promise<number> {
  const session = await bench.open(profileDir);
  try {
    const workspaceId = (await session.findWorkspace()).id;
    const texts = new Set<string>();
    for (let offset = 0; ; offset += 500) {
      const { events, total } = await session.call('reviews:listEvents', { workspaceId, offset, limit: 500 });
      for (const { fact } of events) if (fact.kind === 'note') texts.add(fact.text);
      if (offset + events.length >= total) return texts.size;
    }
  } finally {
    await session.close();
  }
}

const endMs = performance.now() + minutes * 60_000;
for (let round = 0; round < warmUpRounds; round += 1) await runRound();
const warm = await measure();
while (performance.now() < endMs) {
  await runRound();
  if (count.rounds % 10 === 0) {
    const now = await measure();
    say(`Round ${count.rounds}: ${megabytes(now.rss)} MB, heap ${megabytes(now.heapUsed)} MB.`);
  }
}
const last = await measure();
const lost = count.notes - (await countNotes());
await bench.close();

say(
  `${count.rounds} rounds: ${count.syncs} syncs (${count.incomplete} incomplete), ${count.queries} queries, ` +
    `${count.notes} notes, ${count.exports} exports, the engine ended ${count.rounds} times.`,
);
for (const [name, of] of [
  ['After the warm-up', warm],
  ['At the end', last],
] as const) {
  say(
    `${name}: ${megabytes(of.rss)} MB in memory, heap ${megabytes(of.heapUsed)} MB, ${of.files} open files, ` +
      `${of.handles} active handles.`,
  );
}
say(`Unhandled: ${unhandled}. Notes lost: ${lost}.`);
if (last.heapUsed > warm.heapUsed * (1 + growthAllowed)) failures.push('the heap grew by more than a tenth');
if (last.rss > warm.rss * (1 + growthAllowed)) failures.push('the memory grew by more than a tenth');
if (last.files > warm.files) failures.push('files stay open');
if (last.handles > warm.handles) failures.push('handles stay active');
if (unhandled > 0) failures.push('something was not handled');
if (lost > 0) failures.push('notes are missing');
for (const failure of failures) say(`Failed: ${failure}.`);
process.exit(failures.length > 0 ? 1 : 0);
