import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecords, openRecordsFile } from '../../src/main/engine/store/record/open-records.ts';
import { openStore, type Store } from '../../src/main/engine/store/threads/store.ts';
import type { FactRules } from '../../src/main/engine/store/worklists/claim-facts.ts';
import { type PlanYearRules, startPlanYear } from '../../src/rules/plans/plan-rules.ts';
import { accountOf, layersOf, limitOf, meterOf } from '../support/plan-rules.ts';
import { report, spread, time } from './support/figures.ts';
import { prepareBenchStore } from './support/million-store.ts';

/**
 * Families in their plan years over a big store: facts and worklists of all claims without plan rules, with a deductible
 * and an out-of-pocket maximum, and with an account in layers as well; after 1,000 changed claims; one family's meter; and
 * what other rules would change for one employer. On a copy of the shared store.
 */
const shared = prepareBenchStore();
const { key, claims } = shared;
const folder = join(tmpdir(), `claimdesk-bench-${claims}-families`);
const filePath = join(folder, 'records.db');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
cpSync(shared.filePath, filePath);
openRecordsFile(filePath, key).close();

const dollar = 10_000;
const today = '2026-11-20';
const meters: Partial<PlanYearRules> = {
  deductible: meterOf('embedded', 1_500, 3_000, { outOfNetwork: limitOf(3_000, 6_000) }),
  outOfPocket: meterOf('embedded', 5_000, 10_000),
};
const account: PlanYearRules['account'] = {
  ...accountOf(layersOf(['member', 900], ['account', 1_100]), { limit: limitOf(1_100, 2_200) }),
  carryOver: { most: 500 * dollar },
};
const rulesOf = (of: Partial<PlanYearRules> | null): FactRules => ({
  service: 'bench',
  settings: {
    planYearStart: 1,
    planYearStarts: {},
    reimbursementRules: {},
    planRules: of === null ? {} : { bench: { years: [{ ...startPlanYear('2020-01-01'), ...of }] } },
  },
});

const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: false, readers: 2 });
const writer = openRecords(filePath, key);
async function update(of: Store, rules: FactRules): Promise<void> {
  const found = await of.read('lookForDuplicates', null);
  if (found === 'firstRead') throw new Error('no indexes');
  let findings = found;
  while (await of.write('updateFacts', { ...rules, today, at: `${today}T12:00:00.000Z`, findings }))
    findings = null;
}
await store.write('writeReviewPeriod', { from: '2026-01-01', on: null });
const ids = writer.prepare('SELECT id FROM claims ORDER BY id').pluck().all() as number[];
const change = writer.prepare(
  'UPDATE claims SET copayment=?, digest=randomblob(16) WHERE id IN (SELECT value FROM json_each(?))',
);

async function measureAll(name: string, rules: FactRules): Promise<void> {
  writer.exec('DELETE FROM claim_facts; DELETE FROM claim_worklists');
  writer.exec("DELETE FROM sync_state WHERE name='worklists.settled'");
  const all = await time(() => update(store, rules));
  report({ what: `Facts and worklists of all claims, ${name}`, ...spread([all]), reach: '≤ 10,000' });
  const changes: number[] = [];
  for (let run = 0; run < 10; run += 1) {
    const from = Math.floor((run * claims) / 10);
    change.run(100_000 + run * 7, JSON.stringify(ids.slice(from, from + 1_000)));
    changes.push(await time(() => update(store, rules)));
  }
  report({ what: `The same after 1,000 changes, ${name}`, ...spread(changes), reach: '≤ 500' });
}

try {
  await measureAll('without plan rules', rulesOf(null));
  await measureAll('with meters', rulesOf(meters));
  await measureAll('with an account in layers', rulesOf({ ...meters, account }));
  const rules = rulesOf({ ...meters, account });
  const members = writer
    .prepare(
      'SELECT family FROM claim_facts WHERE family IS NOT NULL GROUP BY 1 ORDER BY count(carrier_difference) DESC LIMIT 200',
    )
    .pluck()
    .all() as number[];
  const families: number[] = [];
  for (const memberId of members)
    families.push(await time(() => store.read('readFamily', { memberId, planYear: null, today, rules })));
  report({ what: 'Where one family stands', ...spread(families) });
  const employerId = writer.prepare('SELECT id FROM employers ORDER BY id LIMIT 1').pluck().get() as number;
  const tries: number[] = [];
  for (let run = 0; run < 3; run += 1)
    tries.push(
      await time(() =>
        store.read('tryPlanRules', {
          employerId,
          tried: { years: [{ ...startPlanYear('2020-01-01'), account }] },
          rules,
        }),
      ),
    );
  report({ what: 'What other rules would change for one employer', ...spread(tries) });
} finally {
  writer.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
