import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecords, openRecordsFile } from '../../src/main/engine/store/record/open-records.ts';
import type { ClaimReviewRow } from '../../src/main/engine/store/record/review-facts.ts';
import { toReviewRow } from '../../src/main/engine/store/record/review-facts.ts';
import { openStore, type Store } from '../../src/main/engine/store/threads/store.ts';
import { findDuplicates } from '../../src/main/engine/store/worklists/find-duplicates.ts';
import { foldReview } from '../../src/rules/review/fold-review.ts';
import { worklistQuery, worklistTable } from '../../src/rules/worklists/worklist-table.ts';
import { report, spread, time } from './support/figures.ts';
import { prepareBenchStore } from './support/million-store.ts';

/**
 * Duplicates, facts and worklists over a big store with reviews of every tenth claim: all at once, after a sync of 1,000
 * changes, after one decision; and the first rows of each worklist, by SQLite alone. On a copy of the shared store.
 */
const shared = prepareBenchStore();
const { key, claims } = shared;
const folder = join(tmpdir(), `claimdesk-bench-${claims}-worklists`);
const filePath = join(folder, 'records.db');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
cpSync(shared.filePath, filePath);
openRecordsFile(filePath, key).close();

const plain = openRecords(filePath, key, { isReadOnly: true });
const finds: number[] = [];
let pairs = 0;
for (let run = 0; run < 3; run += 1)
  finds.push(
    await time(() => {
      pairs = findDuplicates(plain, null).pairs.length;
    }),
  );
report({ what: `Duplicates of all claims, ${pairs} pairs`, ...spread(finds) });
const ids = plain.prepare('SELECT id FROM claims ORDER BY id').pluck().all() as number[];
plain.close();

const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: false, readers: 2 });
const rules = {
  service: 'bench',
  settings: { planYearStart: 1, planYearStarts: {}, reimbursementRules: {}, planRules: {} },
  today: '2026-11-20',
};
async function update(of: Store): Promise<number> {
  const found = await of.read('lookForDuplicates', null);
  if (found === 'firstRead') throw new Error('no indexes');
  let findings = found;
  let steps = 1;
  while (await of.write('updateFacts', { ...rules, at: '2026-11-20T12:00:00.000Z', findings })) {
    findings = null;
    steps += 1;
  }
  return steps;
}

const noReview = toReviewRow(foldReview(0, []), { today: rules.today, paidValues: null, blankChange: null });
const reviewOf = (claimId: number, state: string): ClaimReviewRow => ({
  ...noReview,
  claimId,
  state,
  outcome: state === 'done' ? 'eligible' : null,
  reviewedAt: '2026-10-01T10:00:00.000Z',
  reviewedBy: 'bench@example.com',
  changedAt: claimId % 50 === 0 ? '2026-11-01T10:00:00.000Z' : null,
  changedResponsibility: claimId % 50 === 0 ? claimId : null,
  changeSize: claimId % 50 === 0 ? claimId : null,
  reimbursed: state === 'done' ? 10_000 : null,
});
const states = ['done', 'done', 'done', 'waiting', 'escalated', 'inReview'];
const reviewed = ids.filter((_id, at) => at % 10 === 0);
await store.write('writeReviewPeriod', { from: '2026-01-01', on: null });
for (let at = 0; at < reviewed.length; at += 2_000)
  await store.write('applyReviews', {
    rows: reviewed
      .slice(at, at + 2_000)
      .map((id, index) => reviewOf(id, states[index % states.length] as string)),
    mark: null,
    isFirst: false,
  });

try {
  report({ what: 'All worklists, for the first time', ...spread([await time(() => update(store))]) });

  // The file is changed as by a sync; the pages themselves are measured elsewhere.
  const writer = openRecords(filePath, key);
  const change = writer.prepare(
    'UPDATE claims SET copayment=?, digest=randomblob(16) WHERE id IN (SELECT value FROM json_each(?))',
  );
  const syncs: number[] = [];
  for (let run = 0; run < 10; run += 1) {
    const from = Math.floor((run * claims) / 10);
    change.run(100_000 + run, JSON.stringify(ids.slice(from, from + 1_000)));
    syncs.push(
      await time(async () => {
        await update(store);
        await store.read('readWorklistCounts', {});
      }),
    );
  }
  writer.close();
  report({ what: 'Worklists after a sync of 1,000 changes', ...spread(syncs) });

  const decisions: number[] = [];
  for (let run = 0; run < 100; run += 1) {
    const row = reviewOf(ids[(run * 7919) % ids.length] as number, 'done');
    await store.write('applyReviews', { rows: [row], mark: null, isFirst: false });
    decisions.push(
      await time(async () => {
        await update(store);
        await store.read('readWorklistCounts', {});
      }),
    );
  }
  report({ what: 'Worklists after a decision', ...spread(decisions) });

  const fields = [
    'id',
    'status',
    'patient_name',
    'service_provider',
    'patient_responsibility',
    'review.state',
    'facts.open',
  ];
  const firsts: number[] = [];
  for (let run = 0; run < 5; run += 1)
    for (const { id } of worklistTable)
      firsts.push(
        await time(() => store.read('readFirst', { query: worklistQuery(id), limit: 100, fields })),
      );
  report({ what: 'First rows of each worklist', ...spread(firsts) });
  const filtered: number[] = [];
  for (const { id } of worklistTable) {
    const query = worklistQuery(id);
    const conditions = [
      ...(query.conditions ?? []),
      { field: 'type.name', operator: 'is' as const, values: ['facility'] },
    ];
    filtered.push(
      await time(() => store.read('readFirst', { query: { ...query, conditions }, limit: 100, fields })),
    );
  }
  report({ what: 'The same with a filter', ...spread(filtered) });
  const days: number[] = [];
  for (const today of ['2026-11-21', '2026-11-22'])
    days.push(
      await time(async () => {
        while (
          await store.write('updateFacts', {
            ...rules,
            today,
            at: '2026-11-20T12:00:00.000Z',
            findings: null,
          })
        );
      }),
    );
  report({ what: 'Worklists on the next day', ...spread(days) });
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
