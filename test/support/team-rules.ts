import { listProposing } from '../../src/main/engine/review/decide-by-rules.ts';
import { readDecidingRules, readRules } from '../../src/main/engine/review/rule-handlers.ts';
import { factRulesOf } from '../../src/main/engine/store/worklists/claim-facts.ts';
import { localDayOf } from '../../src/rules/days.ts';
import type { DecisionRule } from '../../src/rules/decide/decision-rule.ts';
import { toMarkedAct } from '../../src/rules/decide/rule-act.ts';
import type { RuleMark } from '../../src/rules/review/rule-mark.ts';
import { workspaceId } from './review-computer.ts';
import { settleStore } from './settle-store.ts';
import type { Member } from './team-member.ts';

export const claimIds = [1, 2, 3, 4];
/** A claim of the service that the rule of these tests is for. */
export const toRecord = (id: number, copay: number, version: number) => ({
  ...{ id, status: 'Processed', is_incomplete: false, network: 'IN', vendor_system_id: `N${id}000000` },
  ...{ type: { name: 'medical', type_id: 1 }, patient_name: 'Pat Edwards', service_provider: `Clinic ${id}` },
  members: [{ id, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[)', start: `2026-01-0${id}`, end: `2026-01-0${id + 1}` },
  ...{ createddate: '2026-01-05T10:00:00Z', processed_on: '2026-01-06' },
  modifieddate: `2026-01-10T10:00:${String(version).padStart(2, '0')}Z`,
  ...{ amount_billed: 100 + id, amount_allowed: 100 + id, amount_paid: 100 + id - copay },
  ...{ amount_not_covered: 0, reduction: 0, copayment: copay, coinsurance_patient: 0 },
  patient_responsibility: copay,
  claim_medical_lines: [{ id: id * 10, procedure_code: `G04${id}9`, amount_billed: 100 + id }],
});

/** A member whose computer decides by the team's rules, and settles what others decided by them. */
export function openRules(member: Member) {
  const storage = { host: member.ports.host, files: { getUserData: member.ports.getUserData } } as never;
  const of = {
    readRules: (id: string) => readRules(storage, id),
    readDecidingRules: (id: string) => readDecidingRules(storage, id),
  };
  const settleFacts = async () => {
    const settings = await member.ports.host.getSettings(workspaceId);
    const proposing = await listProposing(of, workspaceId);
    const today = localDayOf(new Date(member.ports.clock.now()));
    settleStore(member.opened, today, { ...factRulesOf(settings), proposing });
  };
  const told: object[] = [];
  const opened = new Set<number>();
  const reviews = member.start({
    ...of,
    getUserData: member.ports.getUserData,
    updateFacts: settleFacts,
    findOpened: () => opened,
    auditRule: async (_workspaceId, _action, details) => void told.push(details),
  });
  return {
    ...{ member, reviews, told, opened, settleFacts, readRules: () => of.readRules(workspaceId) },
    /** What is stored with each claim that the rule decides. */
    async markOf(): Promise<RuleMark> {
      const [rule] = (await of.readRules(workspaceId)) as [DecisionRule];
      const { id, version, name, by, confirmedBy, since, conditions, secondLook, act } = rule;
      const mark = { id, version, name, by, confirmedBy, since, conditions, secondLook };
      return { ...mark, act: toMarkedAct(act, '2026-11-20'), open: 20_0000 };
    },
    /** What a sync reads, without what it decides. */
    async read(
      version = 0,
      copay = 20,
      records: Iterable<object> = claimIds.map((id) => toRecord(id, copay, version)),
    ): Promise<void> {
      member.opened.ingest('claims', [...records]);
      member.opened.write.markClaimsRead(new Date(member.ports.clock.now()).toISOString());
      await reviews.settleAfterSync(workspaceId);
      await settleFacts();
    },
    decide: (signal?: AbortSignal) => reviews.decideByRules(workspaceId, signal),
    decided: () =>
      member
        .folds()
        .filter(({ rule }) => rule?.how === 'done')
        .map(({ claimId }) => claimId),
    foundBy: () => member.folds().filter(({ foundBy }) => foundBy !== null).length,
  };
}
export type MemberWithRules = ReturnType<typeof openRules>;
