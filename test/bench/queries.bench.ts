import { statSync } from 'node:fs';
import { bindProcedures } from '../../src/main/engine/ipc/bind-procedures.ts';
import { createOpenLists } from '../../src/main/engine/lists/open-lists.ts';
import { recordHandlers } from '../../src/main/engine/lists/record-handlers.ts';
import { createSearchAudit } from '../../src/main/engine/lists/search-audit.ts';
import type { EngineState } from '../../src/main/engine/state/engine-state.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { openStore } from '../../src/main/engine/store/threads/store.ts';
import { fieldsOf } from '../../src/rules/list-fields.ts';
import type { Condition, ListQuery, Sort } from '../../src/rules/query.ts';
import { report, spread } from './support/figures.ts';
import { prepareBenchStore } from './support/million-store.ts';

// Lists, totals and groups over a big store, asked as a window asks: through the engine's handlers, the threads of the
// store, and real decryption. Beside them what plain statements take in the same process and file.
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

/** Processor time of all threads in ms: what one person waits for on a computer that does nothing else. */
const time = async (run: () => unknown): Promise<number> => {
  const began = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
};
const measured = (values: readonly number[]) => {
  const { how, ...figure } = spread(values);
  return { ...figure, how: `processor time, ${how}` };
};

const plain = openRecords(filePath, key, { isReadOnly: true });
const pick = (sql: string): string | number => plain.prepare(sql).pluck().get() as string | number;
const someValueOf = (column: string): string | number =>
  pick(
    `SELECT ${column} FROM claims WHERE ${column} IS NOT NULL AND id>=(SELECT id FROM claims LIMIT 1 OFFSET ${claims / 2}) LIMIT 1`,
  );
const is = (field: string, value: string | number): Condition => ({ field, operator: 'is', values: [value] });
const filters: Readonly<Record<string, Condition[]>> = {
  none: [],
  status: [is('status', 'Processed')],
  statusRare: [is('status', 'Rejected')],
  serviceQuarter: [{ field: 'date_of_service', operator: 'between', values: ['2026-01-01', '2026-03-31'] }],
  patient: [is('patient_name', someValueOf('patient_name'))],
  provider: [is('service_provider', someValueOf('service_provider'))],
  billed: [{ field: 'amount_billed', operator: 'atLeast', values: [1000] }],
  network: [is('network', 'OUT')],
  networkOfNone: [is('network', 'none')],
  type: [is('type.name', 'medical')],
  member: [is('members.id', pick('SELECT member_id FROM claim_members WHERE member_id IS NOT NULL LIMIT 1'))],
  connection: [is('policy_holder.id', pick('SELECT id FROM policy_holders WHERE id IS NOT NULL LIMIT 1'))],
};
const indexed = [
  'date_of_service',
  'status',
  'patient_name',
  'service_provider',
  'amount_billed',
  'members.name',
  'members.employer.name',
  'id',
];
const newest: Sort[] = [{ field: 'date_of_service', direction: 'desc' }];
const listOf = (conditions: Condition[], sort?: Sort[]): ListQuery => ({
  entity: 'claims',
  conditions,
  ...(sort === undefined ? {} : { sort }),
});

const openHere = () => openStore({ filePath, key: Buffer.from(key), isReadOnly: true, readers: 2 });
const openings: number[] = [];
for (let run = 0; run < 3; run += 1) {
  let end = async (): Promise<void> => undefined;
  openings.push(
    await time(async () => {
      const opened = await openHere();
      end = opened.close;
      await opened.read('readFirst', { query: listOf([], newest), limit: rowsShown, fields });
    }),
  );
  await end();
}
report({ what: 'Open the store, first rows', ...measured(openings) });

const store = await openHere();
const state = {
  getStore: async () => store,
  clock: { now: () => Date.now() },
  auditAction: async () => undefined,
  auditLater: () => undefined,
  auditOpened: () => undefined,
} as unknown as EngineState;
const lists = createOpenLists(state, createSearchAudit(state));
const handlers = bindProcedures(recordHandlers, () => lists);

/** First rows, and the whole list with its totals, of each query. */
async function askAll(what: string, queries: readonly ListQuery[], reach?: string): Promise<void> {
  const [first, whole]: [number[], number[]] = [[], []];
  for (const query of queries) {
    first.push(await time(() => store.read('readFirst', { query, limit: rowsShown, fields })));
    whole.push(await time(() => store.list('makeList', query)));
  }
  report({ what: `${what}: first rows`, ...measured(first), ...(reach === undefined ? {} : { reach }) });
  report({ what: `${what}: whole list with its sums`, ...measured(whole) });
}

try {
  const others = fieldsOf.claims.map(({ path }) => path).filter((path) => !indexed.includes(path));
  const firstOf = async (what: string, queries: readonly ListQuery[]): Promise<void> => {
    const times: number[] = [];
    for (const query of queries)
      times.push(await time(() => store.read('readFirst', { query, limit: rowsShown, fields })));
    report({ what, ...measured(times), reach: '≤ 300' });
  };
  await firstOf(
    'Any of 12 filters, sorted by a column with an index: first rows',
    Object.values(filters).flatMap((conditions) =>
      indexed.flatMap((field) => [
        listOf(conditions, [{ field, direction: 'asc' }]),
        listOf(conditions, [{ field, direction: 'desc' }]),
      ]),
    ),
  );
  await firstOf(
    'Sorted by any other column, all claims or one status: first rows',
    others.flatMap((field) => [
      listOf([], [{ field, direction: 'asc' }]),
      listOf(filters.status ?? [], [{ field, direction: 'desc' }]),
    ]),
  );

  const statement = (sql: string) => time(() => plain.prepare(sql).raw().all());
  const plainly: Record<string, string> = {
    'Plain SQL: first 100 by a column without an index': `SELECT id FROM claims ORDER BY check_number, id LIMIT ${rowsShown}`,
    'Plain SQL: all ids by a column without an index': 'SELECT id FROM claims ORDER BY check_number, id',
    'Plain SQL: four sums of one status':
      "SELECT count(*), sum(amount_billed), sum(amount_allowed), sum(amount_paid), sum(patient_responsibility) FROM claims WHERE status='Processed'",
    'Plain SQL: groups by provider':
      'SELECT service_provider, count(*), sum(amount_billed) FROM claims GROUP BY service_provider',
  };
  for (const [what, sql] of Object.entries(plainly))
    report({ what, ...measured([await statement(sql), await statement(sql), await statement(sql)]) });

  await askAll('Newest claims, nothing read before', [listOf([], newest)]);
  const typed = ['garcia mri', 'smith', 'office visit', 'chk-00', 'jose', 'deductible app', '99213'];
  const keystrokes = typed.flatMap((text) => Array.from(text, (_sign, index) => text.slice(0, index + 1)));
  const searches = keystrokes.map((search): ListQuery => ({ entity: 'claims', search, sort: newest }));
  await askAll('Search, each letter typed for the first time', searches, '≤ 150');
  await askAll('Search, each letter typed again', searches, '≤ 150');
  await askAll(
    'Twelve filters, newest first',
    Object.values(filters).map((conditions) => listOf(conditions, newest)),
    '≤ 300',
  );
  await askAll(
    'Twelve filters, by a column without an index',
    Object.values(filters).map((conditions) =>
      listOf(conditions, [{ field: 'check_number', direction: 'asc' }]),
    ),
    '≤ 300',
  );

  for (const field of ['status', 'members.name', 'service_provider', 'patient_name']) {
    const [first, typing]: [number[], number[]] = [[], []];
    for (const conditions of [filters.none, filters.status, filters.billed]) {
      for (const search of ['', 'm', 'ma', 'mar']) {
        const ms = await time(() =>
          handlers['records:listValues']({
            workspaceId,
            entity: 'claims',
            field,
            search,
            within: { conditions: conditions ?? [] },
            order: 'count',
            limit: 60,
          }),
        );
        (search === '' ? first : typing).push(ms);
      }
    }
    report({ what: `Values of ${field} with their counts, opened under three filters`, ...measured(first) });
    report({ what: `Values of ${field} with their counts, each letter typed`, ...measured(typing) });
  }

  const [cold, warm]: [number[], number[]] = [[], []];
  for (const by of [
    'date_of_service.month',
    'service_provider',
    'status',
    'type.name',
    'network',
    'members.employer.id',
    'members.id',
    'carrier',
  ]) {
    const ask = () => time(() => handlers['records:group']({ workspaceId, query: { entity: 'claims' }, by }));
    cold.push(await ask());
    for (let run = 0; run < 3; run += 1) warm.push(await ask());
  }
  report({ what: 'Groups of all claims with their sums by eight columns, first time', ...measured(cold) });
  report({ what: 'Groups of all claims with their sums by eight columns, again', ...measured(warm) });
  const { bytes } = await store.list('measureColumns', null);
  report({
    what: 'Columns, orders and amounts held by then',
    figure: Math.round(bytes / 1e6),
    unit: 'MB',
    how: 'counted',
  });
  report({
    what: 'Store on disk, a claim with its lines',
    figure: Math.round(statSync(filePath).size / claims),
    unit: 'bytes',
    reach: '≤ 1,700',
    how: `file of ${claims.toLocaleString('en-US')} claims and their members`,
  });
} finally {
  plain.close();
  await store.close();
}
