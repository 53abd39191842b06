import { bindProcedures } from '../../src/main/engine/ipc/bind-procedures.ts';
import { createOpenLists } from '../../src/main/engine/lists/open-lists.ts';
import { recordHandlers } from '../../src/main/engine/lists/record-handlers.ts';
import { createSearchAudit } from '../../src/main/engine/lists/search-audit.ts';
import type { EngineState } from '../../src/main/engine/state/engine-state.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { openStore } from '../../src/main/engine/store/threads/store.ts';
import type { Condition } from '../../src/rules/query.ts';
import { report, spread } from './support/figures.ts';
import { prepareBenchStore } from './support/million-store.ts';

/**
 * This bench runs the queries of the member, employer and insight pages and the palette over a big store like
 * the window: by the engine's handlers and the store's threads. The first run finds nothing in memory.
 */
const { filePath, key } = prepareBenchStore();
const workspaceId = 'bench';
const runs = 15;
const plain = openRecords(filePath, key, { isReadOnly: true });
const pick = (sql: string): number => plain.prepare(sql).pluck().get() as number;
const memberId = pick('SELECT member_id FROM claim_members WHERE member_id IS NOT NULL LIMIT 1');
const employerId = pick(
  'SELECT e.id FROM members m JOIN employers e ON e.ref=m.employer_ref GROUP BY e.id ORDER BY count(*) DESC LIMIT 1',
);
plain.close();

const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: true, readers: 3 });
const state = {
  getStore: async () => store,
  clock: { now: () => Date.now() },
  auditAction: async () => undefined,
  auditLater: () => undefined,
  auditOpened: () => undefined,
} as unknown as EngineState;
const lists = createOpenLists(state, createSearchAudit(state));
const records = bindProcedures(recordHandlers, () => lists);

const is = (field: string, value: number): Condition => ({ field, operator: 'is', values: [value] });
const group = (by: string, conditions: Condition[], order: 'value' | 'paid' = 'value', limit = 1000) =>
  records['records:group']({ workspaceId, query: { entity: 'claims', conditions }, by, order, limit });
const begin = (entity: 'members' | 'dependents' | 'claims', search: string) =>
  records['records:begin']({ workspaceId, query: { entity, search }, limit: 5, fields: ['id'] });

const ofMember = [is('members.id', memberId)];
const ofEmployer = [is('members.employer.id', employerId)];
const words = ['ga', 'gar', 'garc', 'mri', 'smith', 'an'];
let turn = 0;
const asked: Readonly<Record<string, () => Promise<unknown>>> = {
  'A member with claims': () =>
    Promise.all([
      records['records:getMember']({ workspaceId, id: memberId }),
      group('date_of_service.month', ofMember),
      group('policy_holder.id', ofMember),
    ]),
  Employers: async () => records['records:listEmployers']({ workspaceId }),
  Tenants: async () => records['records:listTenants']({ workspaceId }),
  'An employer': () =>
    Promise.all([
      records['records:getEmployer']({ workspaceId, id: employerId }),
      group('date_of_service.month', ofEmployer),
    ]),
  'Insights, six charts': () =>
    Promise.all([
      group('date_of_service.month', [], 'value', 24),
      group('service_provider', [], 'paid', 10),
      group('status', [], 'paid', 12),
      group('type.name', [], 'paid', 12),
      group('network', [], 'paid', 12),
      group('members.employer.id', [], 'paid', 10),
    ]),
  'Members and claims in the palette': () => {
    turn += 1;
    const word = words[turn % words.length] ?? 'ga';
    return Promise.all([begin('members', word), begin('claims', word)]);
  },
  'Dependents in the palette': async () => {
    turn += 1;
    return begin('dependents', words[turn % words.length] ?? 'ga');
  },
};

for (const [name, ask] of Object.entries(asked)) {
  const taken: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const began = performance.now();
    await ask();
    taken.push(performance.now() - began);
  }
  const [first = 0, ...warm] = taken;
  report({ what: `${name}, first time`, figure: Math.round(first), unit: 'ms', how: 'once' });
  report({ what: `${name}, again`, ...spread(warm) });
}
await store.close();
