import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { toReviewRow } from '../../src/main/engine/store/record/review-facts.ts';
import { createWriteOperations } from '../../src/main/engine/store/threads/operations.ts';
import { openStore, type Store } from '../../src/main/engine/store/threads/store.ts';
import { foldReview } from '../../src/rules/review/fold-review.ts';
import { report } from './support/figures.ts';

/**
 * Claims that are equal but for their numbers, and others of one person, provider and day: comparing and settling all of
 * them, one that a sync changed, and one decision, each count in a process of its own, in the threads of the app.
 */
const key = Buffer.alloc(32, 7);
const today = '2026-11-20';
const rules = {
  service: 'bench',
  settings: { planYearStart: 1, planYearStarts: {}, reimbursementRules: {}, planRules: {} },
  today,
  at: `${today}T12:00:00.000Z`,
};

const kinds: Readonly<Record<string, (id: number) => Record<string, unknown>>> = {
  'equal claims': () => ({}),
  'claims of one day with other amounts': (id) => ({ amount_billed: 80 + id / 100 }),
  'claims of a person whose ranges have no start': () => ({
    date_of_service: { bounds: '[]', start: null, end: '2026-03-03' },
  }),
  'claims of as many people': (id) => ({ members: [{ id: 1_000 + id }] }),
};

const claimOf = (id: number, more: Record<string, unknown>): Record<string, unknown> => ({
  id,
  type: { name: 'medical', type_id: 1 },
  vendor_system_id: `N${id}000000`,
  status: 'Processed',
  patient_name: 'Margaret Edwards',
  service_provider: 'Lakeside Clinic',
  members: [{ id: 7, first_name: 'Margaret', last_name: 'Edwards' }],
  date_of_service: { bounds: '[)', start: '2026-03-02', end: '2026-03-03' },
  amount_billed: 80,
  patient_responsibility: 20,
  claim_medical_lines: [{ id: id * 10, procedure_code: 'G0439', amount_billed: 80, quantity: 1 }],
  ...more,
});

async function update(store: Store): Promise<void> {
  let findings = await store.read('lookForDuplicates', null);
  if (findings === 'firstRead') throw new Error('no indexes');
  while (await store.write('updateFacts', { ...rules, findings })) findings = null;
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return Math.round(performance.now() - began);
}

interface Measured {
  readonly allMs: number;
  /** Covers all threads; on a busy machine it is more reliable than the duration. */
  readonly processorMs: number;
  readonly memoryMb: number;
  readonly pairs: number;
  readonly inGroups: number;
  readonly decisionMs: number;
  readonly syncMs: number;
}

async function measure(kind: string, count: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-equal-'));
  const filePath = join(folder, 'records.db');
  const make = kinds[kind] ?? (() => ({}));
  const connection = openRecords(filePath, key);
  migrate(connection);
  const { ingestPage } = createWriteOperations(connection);
  const ingest = (claims: readonly unknown[]): void =>
    void ingestPage({
      kind: 'claims',
      body: Buffer.from(JSON.stringify({ data: claims })),
      pass: 1,
      page: 1,
      seenAt: '2026-01-02T03:04:05.000Z',
      requestId: null,
      isPartOfPass: false,
    });
  const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: false, readers: 1 });
  // The threads load and compile some code once, which is not measured.
  ingest([claimOf(1_000_001, {}), claimOf(1_000_002, {})]);
  await update(store);
  for (let from = 1; from <= count; from += 500)
    ingest(
      Array.from({ length: Math.min(500, count - from + 1) }, (_none, at) =>
        claimOf(from + at, make(from + at)),
      ),
    );
  const before = process.resourceUsage().maxRSS;
  const usedBefore = process.cpuUsage();
  const allMs = await time(() => update(store));
  const used = process.cpuUsage(usedBefore);
  const processorMs = Math.round((used.user + used.system) / 1000);
  const memoryMb = Math.round((process.resourceUsage().maxRSS - before) / 1024);
  const countRows = (table: string): number =>
    connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  const [pairs, inGroups] = [countRows('duplicate_pairs'), countRows('equal_claims')];
  const decisions: number[] = [];
  for (const claimId of [1, 2, 3, Math.floor(count / 2), count]) {
    const row = {
      ...toReviewRow(foldReview(claimId, []), { today, paidValues: null, blankChange: null }),
      state: 'done',
      outcome: 'duplicate',
    };
    decisions.push(
      await time(async () => {
        await store.write('applyReviews', { rows: [row], mark: null, isFirst: false });
        await update(store);
      }),
    );
  }
  ingest([claimOf(count + 1, make(count + 1))]);
  const syncMs = await time(() => update(store));
  await store.close();
  connection.close();
  rmSync(folder, { recursive: true, force: true });
  return { allMs, processorMs, memoryMb, pairs, inGroups, decisionMs: Math.max(...decisions), syncMs };
}

const [kind, count] = process.argv.slice(2);
if (kind !== undefined) process.stdout.write(JSON.stringify(await measure(kind, Number(count))));
else {
  const cases: readonly [string, number][] = [
    ['claims of as many people', 10_000],
    ...[500, 1_000, 4_000, 10_000].map((size): [string, number] => ['equal claims', size]),
    ['claims of one day with other amounts', 1_500],
    ['claims of a person whose ranges have no start', 1_500],
  ];
  for (const [what, size] of cases) {
    const own = fileURLToPath(import.meta.url);
    const text = execFileSync(process.execPath, [own, what, String(size)], {
      encoding: 'utf8',
    });
    const { allMs, processorMs, memoryMb, pairs, inGroups, decisionMs, syncMs } = JSON.parse(
      text,
    ) as Measured;
    const name = `${size.toLocaleString('en-US')} ${what}`;
    const how = `${processorMs / 1000} s of processor time; ${pairs.toLocaleString('en-US')} pairs, ${inGroups.toLocaleString('en-US')} claims in groups`;
    const isReach = what === 'equal claims' && size === 10_000;
    const reach = (text: string): { reach?: string } => (isReach ? { reach: text } : {});
    report({ what: `${name}, compared and settled`, figure: allMs / 1000, unit: 's', how, ...reach('≤ 2') });
    report({
      what: `${name}, peak memory for it`,
      figure: memoryMb,
      unit: 'MB',
      how: 'once',
      ...reach('≤ 50'),
    });
    report({
      what: `${name}, one decision settled`,
      figure: decisionMs,
      unit: 'ms',
      how: 'longest of 5',
      ...(size === 1_000 ? { reach: '≤ 100' } : {}),
    });
    report({ what: `${name}, one more claim of a sync settled`, figure: syncMs, unit: 'ms', how: 'once' });
  }
}
