import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '../../src/contract/settings.ts';
import { digestAmountRules } from '../../src/main/engine/review/digest-amount-rules.ts';
import type { ReviewPorts } from '../../src/main/engine/review/review-ports.ts';
import { createReviews } from '../../src/main/engine/review/reviews.ts';
import { createRuleHandlers } from '../../src/main/engine/review/rule-handlers.ts';
import { createWorklists } from '../../src/main/engine/review/worklists.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { openStore } from '../../src/main/engine/store/threads/store.ts';
import { createUserDataStore } from '../../src/main/engine/store/threads/user-data-store.ts';
import { type DecisionRule, ruleDraftSchema } from '../../src/rules/decide/decision-rule.ts';
import { copayRule } from '../support/decision-rules.ts';
import { makeEntrySigner } from '../support/entry-signer.ts';
import { at, report, spread, time } from './support/figures.ts';
import { prepareBenchStore } from './support/million-store.ts';

/**
 * A rule over a big store, half of whose claims people decided: its trial, what it decides at once, and what it adds to a sync of
 * 1,000 changes, while it proposes most of the open claims. On a copy of the shared store.
 */
const { filePath: shared, key, claims } = prepareBenchStore();
const [bulk, changed] = [Math.min(10_000, claims / 10), 1_000];
const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-rules-'));
const filePath = join(folder, 'records.db');
copyFileSync(shared, filePath);
const workspaceId = 'bench';
const today = '2026-11-20';

const writer = openRecords(filePath, key);
const ids = Float64Array.from(writer.prepare('SELECT id FROM claims ORDER BY id').pluck().all() as number[]);
const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: false, readers: 2 });
const userData = createUserDataStore({
  filePath: join(folder, 'ours.db'),
  readKey: async () => Buffer.from(key),
});
const settings = {
  ...{ ...defaultSettings, service: 'https://claims.example.com', team: null },
  reviewsFrom: { [workspaceId]: '2000-01-01' },
};
const rule: DecisionRule = {
  ...{ ...copayRule, most: null, perDay: { claims: bulk, amount: 1e11 } },
  conditions: [{ field: 'patient_responsibility', operator: 'moreThan', values: ['0'] }],
  amountRules: digestAmountRules(settings),
};
let rules: readonly DecisionRule[] = [];
let keys = ids;
const clock = { now: () => Date.parse(`${today}T12:00:00Z`) };
const ports: ReviewPorts = {
  ...{ clock, now: clock.now, isReadOnly: false, emit: () => undefined },
  getStore: async () => store,
  getUserData: async () => userData,
  findAuthor: async () => 'bench@example.com',
  signer: makeEntrySigner('bench@example.com'),
  getSettings: async () => settings,
  readRules: async () => rules,
  updateFacts: () => worklists.update(workspaceId),
  readSnapshot: async () => ({ query: { entity: 'claims' as const }, keys, shown: keys }),
};
const reviews = createReviews(ports);
const worklists = createWorklists({
  ...ports,
  updateReviews: reviews.updateOnce,
  onFailed: (thrown) => {
    throw thrown;
  },
});
const handlers = createRuleHandlers({
  state: { ...ports, host: { findWorkspace: async () => ({ workspace: {} }) } } as never,
  reviewPorts: ports,
  reviews,
  changeTeam: async () => undefined,
});

/** What follows a sync that changed some of the open claims, until what is computed of them is up to date. */
const change = writer.prepare(
  'UPDATE claims SET modifieddate=?, digest=randomblob(16) WHERE id IN (SELECT value FROM json_each(?))',
);
let turn = 0;
async function timeSyncs(before: () => void = () => undefined) {
  const [taken, processor]: [number[], number[]] = [[], []];
  for (let run = 0; run < 7; run += 1) {
    before();
    turn += 1;
    const from = Math.floor(claims / 2) + ((turn * changed) % Math.floor(claims / 2));
    change.run(`2026-11-20T11:00:${turn}Z`, JSON.stringify([...ids.subarray(from, from + changed)]));
    const began = process.cpuUsage();
    taken.push(
      await time(async () => {
        await reviews.updateAfterSync(workspaceId);
        await worklists.update(workspaceId);
        await reviews.decideByRules(workspaceId);
        await worklists.update(workspaceId);
      }),
    );
    const { user, system } = process.cpuUsage(began);
    processor.push((user + system) / 1000);
  }
  return { taken: at(taken, 0.5), processor: at(processor, 0.5) };
}

try {
  await worklists.update(workspaceId);
  for (let from = 0; from < claims / 2; from += bulk) {
    keys = ids.slice(from, from + bulk);
    const { selectionId } = await reviews.freezeList(workspaceId, 'list', null);
    const done = { kind: 'decision', state: 'done', onWhom: null, reason: null, reminder: null } as const;
    await reviews.act(workspaceId, { selectionId }, { ...done, outcome: 'eligible' });
  }
  await worklists.update(workspaceId);

  const tried: number[] = [];
  const began = process.cpuUsage();
  let how = '';
  for (let run = 0; run < 3; run += 1)
    tried.push(
      await time(async () => {
        const trial = await handlers['rules:try']({ workspaceId, draft: ruleDraftSchema.parse(rule) });
        how = `${trial.decisions} decisions compared, ${trial.open.claims} open claims`;
      }),
    );
  const ofTrial = spread(tried);
  const { user, system } = process.cpuUsage(began);
  how = `${Math.round((user + system) / 3_000)} ms of processor time each, in two threads; ${how}`;
  const reach = claims > 100_000 ? '≤ 30,000' : '≤ 3,000';
  report({ what: 'The trial of a rule', ...ofTrial, reach, how: `${ofTrial.how}; ${how}` });

  const without = await timeSyncs();
  const what = 'After a sync of 1,000 changes';
  const tell = (of: string, { processor, taken }: typeof without, less = 0, reach?: string): void => {
    const how = `processor time, median of 7; ${processor} ms in all, ${taken} ms by the clock`;
    report({ what: `${what}, ${of}`, figure: Math.round(processor - less), unit: 'ms', reach, how });
  };
  tell('without rules', without);
  rules = [rule];
  await worklists.update(workspaceId);
  const tellMore = (does: string, synced: typeof without): void =>
    tell(`more with a rule that ${does}`, synced, without.processor, '≤ 300');
  tellMore('proposes', await timeSyncs());
  rules = [{ ...rule, state: 'do' }];
  const decided = await time(() => reviews.decideByRules(workspaceId));
  await worklists.update(workspaceId);
  const { rules: all } = await handlers['rules:list']({ workspaceId });
  const ofRule = `${all[0]?.decided} of ${(all[0]?.decided ?? 0) + (all[0]?.proposed.claims ?? 0)} claims`;
  report({ what: 'A rule decides', figure: Math.round(decided), unit: 'ms', how: `once; ${ofRule}` });
  tellMore('decided all it may on this day', await timeSyncs());
  const decide = (): void => {
    const [{ perDay, ...own }] = rules as [DecisionRule];
    rules = [{ ...own, perDay: { ...perDay, claims: perDay.claims + changed / 10 } }];
  };
  tellMore('decides 100 claims', await timeSyncs(decide));
} finally {
  writer.close();
  await userData.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
