import { statSync } from 'node:fs';
import { fieldsOf } from '../../src/contract/fields.ts';
import type { Condition, ListQuery, Sort } from '../../src/contract/query.ts';
import type { EngineState } from '../../src/main/engine/ipc/engine-state.ts';
import { createRecordHandlers } from '../../src/main/engine/ipc/record-handlers.ts';
import { createSearchAudit } from '../../src/main/engine/ipc/search-audit.ts';
import { eachPath } from '../../src/main/engine/store/query/merge-values.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { openStore, type Store } from '../../src/main/engine/store/threads/store.ts';
import { prepareBenchStore } from './support/million-store.ts';

/**
 * Lists, totals and groups over a big store, asked as a window asks: through the engine's handlers, the threads
 * of the store, and real decryption. "Cold" is SQLite by its indexes; "warm" is with the columns in memory. Beside
 * them what plain statements take with the best index there is, in the same process and file.
 */
const { filePath, key, claims } = prepareBenchStore();
const workspaceId = 'bench';
const rowsShown = 100;
/** The columns that the window shows of claims unless told otherwise, and what they need. */
const fields = [
  'id',
  'status',
  'date_of_service',
  'patient_name',
  'service_provider',
  'type.name',
  'network',
  'amount_billed',
  'amount_allowed',
  'amount_paid',
  'patient_responsibility',
];

const tell = (bench: string, figures: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify({ bench, ...figures })}\n`);
const round = (value: number): number => Math.round(value * 10) / 10;
const at = (values: readonly number[], share: number): number =>
  round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0);
const spread = (values: readonly number[]) => ({
  medianMs: at(values, 0.5),
  p95Ms: at(values, 0.95),
  maxMs: at(values, 1),
  runs: values.length,
});
const time = async (run: () => unknown): Promise<number> => {
  const began = performance.now();
  await run();
  return performance.now() - began;
};

const plain = openRecords(filePath, key, { isReadOnly: true });
const pick = (sql: string): string | number => plain.prepare(sql).pluck().get() as string | number;
const middle = Math.floor(claims / 2);
const someValueOf = (column: string): string | number =>
  pick(
    `SELECT ${column} FROM claims WHERE ${column} IS NOT NULL AND id>=(SELECT id FROM claims LIMIT 1 OFFSET ${middle}) LIMIT 1`,
  );

const is = (field: string, value: string | number): Condition => ({ field, operator: 'is', values: [value] });
/** The ten columns that are filtered and sorted by most. */
const filters: Readonly<Record<string, Condition[]>> = {
  none: [],
  status: [is('status', 'Processed')],
  statusRare: [is('status', 'Rejected')],
  serviceQuarter: [{ field: 'date_of_service', operator: 'between', values: ['2026-01-01', '2026-03-31'] }],
  patient: [is('patient_name', someValueOf('patient_name'))],
  provider: [is('service_provider', someValueOf('service_provider'))],
  billed: [{ field: 'amount_billed', operator: 'atLeast', values: [1000] }],
  network: [is('network', 'OUT')],
  type: [is('type.name', 'medical')],
  member: [is('members.id', pick('SELECT member_id FROM claim_members WHERE member_id IS NOT NULL LIMIT 1'))],
  connection: [is('policy_holder.id', pick('SELECT id FROM policy_holders WHERE id IS NOT NULL LIMIT 1'))],
};
const used = [
  'date_of_service',
  'status',
  'patient_name',
  'service_provider',
  'amount_billed',
  'network',
  'type.name',
  'policy_holder.id',
  'id',
];
/** Whose claim it is: columns that Claimdesk makes itself, measured apart so that the others compare over time. */
const owners = ['members.name', 'members.employer.name', 'carrier'];
const newest: Sort[] = [{ field: 'date_of_service', direction: 'desc' }];
const sortings = (fields: readonly string[]): Sort[][] =>
  fields.flatMap((field) => [
    [{ field, direction: 'asc' as const }],
    [{ field, direction: 'desc' as const }],
  ]);
const listOf = (conditions: Condition[], sort?: Sort[]): ListQuery => ({
  entity: 'claims',
  conditions,
  ...(sort === undefined ? {} : { sort }),
});

const openHere = (): Promise<Store> =>
  openStore({ filePath, key: Buffer.from(key), isReadOnly: true, readers: 2 });

const openings: number[] = [];
for (let run = 0; run < 3; run += 1) {
  let store: Store | null = null;
  openings.push(
    await time(async () => {
      store = await openHere();
      await store.read('readFirst', { query: listOf([], newest), limit: rowsShown, fields });
    }),
  );
  await (store as Store | null)?.close();
}
tell('queries.open.firstRows', { claims, ...spread(openings) });

const store = await openHere();
const state = {
  getStore: async () => store,
  clock: { now: () => Date.now() },
  auditAction: async () => undefined,
  auditLater: () => undefined,
  auditOpened: () => undefined,
} as unknown as EngineState;
const { handlers } = createRecordHandlers(state, createSearchAudit(state));

/** A first window and, behind it, the whole list with its totals. */
async function ask(
  query: ListQuery,
): Promise<{ firstMs: number; wholeMs: number; total: number; snapshotId: string }> {
  const began = performance.now();
  const { snapshotId } = await handlers['records:begin']({ workspaceId, query, limit: rowsShown, fields });
  const firstMs = performance.now() - began;
  const { total } = await handlers['records:getCount']({ workspaceId, snapshotId });
  return { firstMs, wholeMs: performance.now() - began, total, snapshotId };
}

try {
  // Cold: what SQLite does by itself, before any column is in memory.
  const coldFirst = async (bench: string, queries: ListQuery[]): Promise<void> => {
    const times: number[] = [];
    for (const query of queries) {
      times.push(await time(() => store.read('readFirst', { query, limit: rowsShown, fields })));
    }
    tell(bench, { claims, ...spread(times) });
  };
  const usedPairs = Object.values(filters).flatMap((conditions) =>
    sortings(used).map((sort) => listOf(conditions, sort)),
  );
  const others = fieldsOf.claims
    .map(({ path }) => path)
    .filter((path) => !used.includes(path) && !owners.includes(path));
  const ownerPairs = Object.values(filters).flatMap((conditions) =>
    sortings(owners).map((sort) => listOf(conditions, sort)),
  );
  /** Parts of texts, as a filter asks for them. */
  const parts: [string, string][] = [
    ['members.name', 'garcia'],
    ['members.name', 'mar'],
    ['members.employer.name', 'ana'],
    ['carrier', 'a'],
    ['patient_name', 'smith'],
    ['service_provider', 'clinic'],
    ['remarks', 'deduct'],
    ['check_number', '77'],
  ];
  const containing = parts.flatMap(([field, value]) =>
    (['contains', 'startsWith'] as const).map((operator) =>
      listOf([{ field, operator, values: [value] }], newest),
    ),
  );
  const otherPairs = others.flatMap((field): ListQuery[] => [
    listOf([], [{ field, direction: 'asc' }]),
    listOf(filters.status ?? [], [{ field, direction: 'desc' }]),
  ]);
  const indexed = used.filter((path) => !['network', 'type.name', 'policy_holder.id'].includes(path));
  const indexedPairs = Object.values(filters).flatMap((conditions) =>
    sortings(indexed).map((sort) => listOf(conditions, sort)),
  );
  await coldFirst('queries.cold.first.indexedColumns', indexedPairs);
  await coldFirst('queries.cold.first.otherColumns', otherPairs);
  await coldFirst('queries.cold.first.owners', ownerPairs);
  await coldFirst('queries.cold.first.containing', containing);
  const coldWhole: number[] = [];
  for (const query of [
    listOf([], newest),
    listOf(filters.status ?? [], [{ field: 'amount_billed', direction: 'desc' }]),
    listOf([], [{ field: 'check_number', direction: 'asc' }]),
    listOf([], [{ field: 'createddate', direction: 'desc' }]),
  ]) {
    coldWhole.push(
      await time(() => Promise.all([store.read('listKeys', query), store.read('readTotals', query)])),
    );
  }
  tell('queries.cold.whole', { claims, ...spread(coldWhole) });

  // The same by plain statements with the best index.
  const statement = (sql: string) => time(() => plain.prepare(sql).raw().all());
  const days = 'range_days(date_of_service_start, date_of_service_end, date_of_service_bounds)';
  const plainly: Record<string, string> = {
    'first.newest': `SELECT id FROM claims ORDER BY ${days} DESC, id DESC LIMIT ${rowsShown}`,
    'first.unindexed': `SELECT id FROM claims ORDER BY check_number, id LIMIT ${rowsShown}`,
    'whole.newest': `SELECT id FROM claims ORDER BY ${days} DESC, id DESC`,
    'whole.status.billed':
      "SELECT id FROM claims WHERE status='Processed' ORDER BY amount_billed DESC, id DESC",
    'whole.unindexed': 'SELECT id FROM claims ORDER BY check_number, id',
    'totals.status':
      "SELECT count(*), sum(amount_billed), sum(amount_allowed), sum(amount_paid), sum(patient_responsibility) FROM claims WHERE status='Processed'",
    'group.provider':
      'SELECT service_provider, count(*), sum(amount_billed) FROM claims GROUP BY service_provider',
    'group.network': 'SELECT network, count(*), sum(amount_billed) FROM claims GROUP BY network',
    'search.gar': `SELECT rowid FROM claims_text WHERE claims_text MATCH '"gar"*'`,
  };
  for (const [name, sql] of Object.entries(plainly)) {
    const times = [await statement(sql), await statement(sql), await statement(sql)];
    tell(`sqlite.${name}`, { claims, ...spread(times) });
  }

  // Warm: each column read once, as the idle thread does behind an answer.
  const builds: number[] = [];
  const build = async (paths: readonly string[]): Promise<void> => {
    builds.push(await time(() => store.list('warmColumns', { entity: 'claims', paths })));
  };
  for (const path of used) await build([path]);
  const warm = async (bench: string, queries: ListQuery[]): Promise<void> => {
    const first: number[] = [];
    const whole: number[] = [];
    for (const query of queries) {
      await build((query.sort ?? []).map(({ field }) => field));
      const { firstMs, wholeMs, snapshotId } = await ask(query);
      first.push(firstMs);
      whole.push(wholeMs);
      handlers['records:close']({ workspaceId, snapshotId });
    }
    tell(`${bench}.first`, { claims, ...spread(first) });
    tell(`${bench}.whole`, { claims, ...spread(whole) });
  };
  await ask(listOf([], newest));
  await warm('queries.warm.usedColumns', usedPairs);
  for (const path of new Set([...owners, ...parts.map(([field]) => field)])) await build([path]);
  for (const path of ['members.name', 'members.employer.name']) await build([eachPath(path)]);
  await warm('queries.warm.owners', ownerPairs);
  await warm('queries.warm.containing', containing);
  // The values of a column with their counts within the filters on the others, as somebody types a part of one.
  for (const field of [
    'status',
    'members.name',
    'members.employer.name',
    'service_provider',
    'patient_name',
  ]) {
    const times: number[] = [];
    for (const conditions of [filters.none, filters.status, filters.serviceQuarter, filters.billed]) {
      for (const search of ['', 'm', 'ma', 'mar']) {
        times.push(
          await time(() =>
            handlers['records:listValues']({
              workspaceId,
              entity: 'claims',
              field,
              search,
              within: { conditions: conditions ?? [] },
              order: 'count',
              limit: 60,
            }),
          ),
        );
      }
    }
    tell(`queries.counts.${field}`, { claims, ...spread(times) });
  }
  for (const path of ['members.id', 'members.employer.id', 'members.tenant.id', 'date_of_service.month']) {
    tell(`queries.warm.build.${path}`, {
      ms: round(await time(() => store.list('warmColumns', { entity: 'claims', paths: [path] }))),
    });
  }

  const { snapshotId, total } = await ask(listOf([], [{ field: 'service_provider', direction: 'asc' }]));
  const windows: number[] = [];
  for (let run = 0; run < 200; run += 1) {
    const offset = Math.floor(((run * 7919) % 1000) * (total / 1000));
    windows.push(
      await time(() =>
        handlers['records:getWindow']({ workspaceId, snapshotId, offset, limit: rowsShown, fields }),
      ),
    );
  }
  tell('queries.window', { claims, ...spread(windows) });

  const typed = ['garcia mri', 'smith', 'office visit', 'chk-00', 'jose', 'deductible app', '99213'];
  const keystrokes = typed.flatMap((text) => Array.from(text, (_sign, index) => text.slice(0, index + 1)));
  for (const pass of ['first', 'again']) {
    const first: number[] = [];
    const whole: number[] = [];
    for (const search of keystrokes) {
      const { firstMs, wholeMs } = await ask({ entity: 'claims', search, sort: newest });
      first.push(firstMs);
      whole.push(wholeMs);
    }
    tell(`queries.search.${pass}.rows`, { claims, ...spread(first) });
    tell(`queries.search.${pass}.totals`, { claims, ...spread(whole) });
  }

  const sums: number[] = [];
  for (const status of ['Processed', 'Rejected', 'In Process', 'Partially Approved', 'Adjusted']) {
    const query = listOf([is('status', status)]);
    sums.push(await time(() => store.list('makeList', query)));
  }
  tell('queries.totals.byStatus', { claims, ...spread(sums) });
  const groups = [
    'status',
    'type.name',
    'network',
    'service_provider',
    'members.id',
    'members.employer.id',
    'members.tenant.id',
    'date_of_service.month',
    ...owners,
  ];
  for (const by of groups) {
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      times.push(
        await time(() => handlers['records:group']({ workspaceId, query: { entity: 'claims' }, by })),
      );
    }
    tell(`queries.group.${by}`, { claims, ...spread(times) });
  }
  await warm('queries.warm.otherColumns', otherPairs);
  tell('queries.warm.build', { claims, ...spread(builds.filter((ms) => ms > 20)) });
  const { bytes } = await store.list('measureColumns', null);
  tell('queries.warm.memory', { claims, megabytes: round(bytes / 2 ** 20) });
  tell('queries.size', { claims, bytesPerClaim: Math.round(statSync(filePath).size / claims) });
  tell('queries.memory', { residentMegabytes: Math.round(process.memoryUsage().rss / 2 ** 20) });
} finally {
  plain.close();
  await store.close();
}
