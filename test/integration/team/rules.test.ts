import { expect, test } from 'vitest';
import { findRules, toStoredRules } from '../../../src/contract/stored-rules.ts';
import { listProposing } from '../../../src/main/engine/review/decide-by-rules.ts';
import { digestAmountRules } from '../../../src/main/engine/review/digest-amount-rules.ts';
import {
  createRuleHandlers,
  readDecidingRules,
  readRules,
} from '../../../src/main/engine/review/rule-handlers.ts';
import { factRulesOf } from '../../../src/main/engine/store/worklists/claim-facts.ts';
import { setRole } from '../../../src/main/engine/team/change-members.ts';
import { readTeamSettings } from '../../../src/main/engine/team/hold-team-settings.ts';
import { localDayOf } from '../../../src/rules/days.ts';
import { type DecisionRule, ruleDraftSchema } from '../../../src/rules/decide/decision-rule.ts';
import { toMarkedAct } from '../../../src/rules/decide/rule-act.ts';
import type { ReviewFact } from '../../../src/rules/review/event-kinds.ts';
import type { ReviewDetail } from '../../../src/rules/review/folded-review.ts';
import { decidingRuleField, proposingRuleField, writeIdFilter } from '../../../src/rules/review/id-filter.ts';
import type { RuleMark } from '../../../src/rules/review/rule-mark.ts';
import { exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { updateStore } from '../../support/update-store.ts';

const claimIds = [1, 2, 3, 4];
const ruleId = '00000000-0000-4000-8000-000000000001';

const toRecord = (id: number, copay: number, version: number) => ({
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

/** A member whose computer decides by the team's rules, and updates what others decided by them. */
function withRules(member: Member) {
  const storage = { main: member.ports.main, files: { getUserData: member.ports.getUserData } } as never;
  const of = {
    readRules: (id: string) => readRules(storage, id),
    readDecidingRules: (id: string) => readDecidingRules(storage, id),
  };
  const updateFacts = async () => {
    const settings = await member.ports.main.getSettings(workspaceId);
    const proposing = await listProposing(of, workspaceId);
    const today = localDayOf(new Date(member.ports.clock.now()));
    updateStore(member.opened, today, { ...factRulesOf(settings), proposing });
  };
  const told: object[] = [];
  const opened = new Set<number>();
  const reviews = member.start({
    ...of,
    updateFacts,
    findOpened: () => opened,
    auditRule: async (_workspaceId, _action, details) => void told.push(details),
  });
  /** `main`: with another one, of a workspace without a team. */
  const handlersOn = (main: object = member.ports.main) =>
    createRuleHandlers({
      state: {
        ...{ main, files: { getUserData: member.ports.getUserData }, clock: member.ports.clock },
        ...{ emit: () => undefined, auditAction: async () => undefined },
      } as never,
      reviewPorts: {
        ...member.ports,
        findAuthor: async () => member.email,
        getSettings: member.ports.main.getSettings,
      } as never,
      reviews,
      changeTeam: (_workspaceId, changes) => member.changeSettings(...changes),
    });
  return {
    ...{ member, reviews, told, opened, updateFacts, handlersOn, readRules: () => of.readRules(workspaceId) },
    /** What is stored with each claim that the rule decides. */
    async markOf(): Promise<RuleMark> {
      const [rule] = (await of.readRules(workspaceId)) as [DecisionRule];
      const { id, version, name, by, confirmedBy, since, conditions, secondLook, act } = rule;
      const mark = { id, version, name, by, confirmedBy, since, conditions, secondLook };
      return { ...mark, act: toMarkedAct(act, '2026-11-20'), open: 20_0000 };
    },
    /** What a sync reads, without what it decides. */
    async read(version = 0, copay = 20): Promise<void> {
      member.opened.ingest(
        'claims',
        claimIds.map((id) => toRecord(id, copay, version)),
      );
      member.opened.write.markClaimsRead(new Date(member.ports.clock.now()).toISOString());
      await reviews.updateAfterSync(workspaceId);
      await updateFacts();
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
type WithRules = ReturnType<typeof withRules>;

/** A team where Ada switched a rule on and Ben confirmed it. */
async function openWithRule(more: Partial<DecisionRule> = {}) {
  const team = await openTeam('ada', 'ben', 'cleo');
  const members = team.members.map(withRules) as [WithRules, WithRules, WithRules];
  const [ada, ben, cleo] = members;
  await ada.member.changeSettings({ setting: 'reviewsFrom', value: '2000-01-01' });
  const amountRules = digestAmountRules(await ada.member.ports.main.getSettings(workspaceId));
  const rule: DecisionRule = {
    ...{ id: ruleId, version: 1, name: 'Copays', state: 'do', employers: [], most: 50_0000 },
    conditions: [{ field: 'network', operator: 'is', values: ['IN'] }],
    act: { kind: 'eligible' },
    perDay: { claims: 100, amount: 1_000_000_000 },
    ...{
      secondLook: 5,
      since: '2026-01-01T00:00:00.000Z',
      by: ada.member.email,
      confirmedBy: null,
      amountRules,
    },
    ...more,
  };
  await ada.member.changeSettings({ setting: 'decisionRule', id: rule.id, value: rule });
  await exchangeAll(team.members);
  const confirmed = { ...rule, confirmedBy: ben.member.email };
  await ben.member.changeSettings({ setting: 'decisionRule', id: rule.id, value: confirmed });
  await exchangeAll(team.members);
  for (const one of members) await one.read();
  return { ...team, members, ada, ben, cleo, rule: confirmed };
}
const exchange = async (members: readonly WithRules[]): Promise<void> => {
  await exchangeAll(members.map(({ member }) => member));
  for (const { reviews } of members) await reviews.updateAfterSync(workspaceId);
};

test('if a team has another admin, a reviewer confirms no rule, not even with an altered client', async () => {
  const { ada, ben, cleo, rule, close } = await openWithRule();
  await setRole(ada.member.ports, await ada.member.sessionOf(), { email: cleo.member.email, role: 'admin' });
  await exchangeAll([ada.member, ben.member, cleo.member]);
  const asked = { ...rule, version: 2, confirmedBy: null };
  const change = (value: DecisionRule) => ({ setting: 'decisionRule', id: rule.id, value }) as const;
  const confirmation = (by: WithRules) => change({ ...asked, confirmedBy: by.member.email });
  await ada.member.changeSettings(change(asked));
  await exchangeAll([ada.member, ben.member, cleo.member]);
  await expect(ben.member.changeSettings(confirmation(ben))).rejects.toMatchObject({ code: 'team.notAdmin' });
  await ben.member.ports.appendTeamFact(workspaceId, { kind: 'teamSettings', changes: [confirmation(ben)] });
  await exchangeAll([ben.member, ada.member, cleo.member]);
  for (const one of [ada, cleo]) expect(await one.readRules()).toEqual([asked]);
  await cleo.member.changeSettings(confirmation(cleo));
  await exchangeAll([cleo.member, ada.member]);
  expect(await ada.readRules()).toEqual([{ ...asked, confirmedBy: cleo.member.email }]);
  await close();
});

test('another member undoes for everyone what a rule decided on one computer', async () => {
  const { members, ada, ben, close } = await openWithRule();
  await ben.decide();
  await exchange(members);
  for (const one of members) expect(one.decided()).toEqual(claimIds);
  expect(await ada.reviews.undoRule(workspaceId, ruleId, null)).toBe(4);
  await exchange(members);
  for (const { member, decided } of members) {
    expect(decided()).toEqual([]);
    expect(member.failures).toEqual([]);
    expect(member.folds()).toEqual(ada.member.folds());
  }
  await close();
});

test('a rule leaves out claims that were decided, or changed by a newer version, since its proposals were made', async () => {
  const { ada, close } = await openWithRule();
  // As while the sync runs: the copy for lists does not have them yet.
  const write = (id: string, claimId: number, fact: object) =>
    ada.member.operations.appendReview({
      ...{ workspaceId, id, nowMs: ada.member.ports.clock.now(), author: ada.member.email, receipt: null },
      ...{ filter: null, undoes: null, isStaged: false, fact: fact as ReviewFact },
      claims: [{ claimId, reviewed: null, digest: null }],
    });
  write('decided', 1, decisionOf('notEligible'));
  write('newer', 2, { kind: 'ofNewer' });
  write('owned', 3, { kind: 'owner', owner: 'Ben' });
  await ada.decide();
  expect(ada.decided()).toEqual([4]);
  expect(ada.member.folds()[0]).toMatchObject({ claimId: 1, outcome: 'notEligible' });
  expect(ada.told).toMatchObject([{ claims: 1, amount: 20_0000 }]);
  await close();
});

test('claims that a rule may not decide use up nothing of its daily limit', async () => {
  const { ada, close } = await openWithRule({ perDay: { claims: 1, amount: 1e9 } });
  const { operations, ports, email, opened } = ada.member;
  for (const claimId of [1, 2])
    operations.appendReview({
      ...{ workspaceId, id: `newer-${claimId}`, nowMs: ports.clock.now(), author: email, receipt: null },
      ...{ filter: null, undoes: null, isStaged: false, fact: { kind: 'ofNewer' } as never },
      claims: [{ claimId, reviewed: null, digest: null }],
    });
  // While claims are listed, the record of one changes: the rule proposes nothing of it any more.
  ada.opened.has = () => {
    opened.ingest('claims', [{ ...toRecord(3, 20, 1), network: 'OUT' }]);
    return false;
  };
  await ada.decide();
  expect(ada.decided()).toEqual([4]);
  await close();
});

test('a claim that lost the tag of a rule uses up nothing of its daily limit', async () => {
  const act = { kind: 'tag' as const, tag: 'seen' };
  const { ada, clock, close } = await openWithRule({ act, perDay: { claims: 1, amount: 1e9 } });
  await ada.decide();
  ada.member.operations.appendReview({
    ...{ workspaceId, id: 'untagged', nowMs: clock.nowMs, author: ada.member.email, receipt: null },
    ...{ filter: null, undoes: null, isStaged: false, fact: { kind: 'tag', add: [], remove: ['seen'] } },
    claims: [{ claimId: 1, reviewed: null, digest: null }],
  });
  clock.nowMs += 24 * 3_600_000;
  await ada.reviews.updateAfterSync(workspaceId);
  await ada.decide();
  expect(ada.member.folds().map(({ tags }) => tags)).toEqual([[], ['seen']]);
  await close();
});

test('claims are listed by the ID of a rule, whatever its name was, and not with those of another with its name', async () => {
  const { ada, rule, close } = await openWithRule({ perDay: { claims: 2, amount: 1e9 } });
  const listOf = (field: string, id: string, name: string) => [
    ...ada.member.opened.list({
      entity: 'claims',
      conditions: [{ field, operator: 'is', values: [writeIdFilter(id, name)] }],
    }),
  ];
  expect(listOf(proposingRuleField, rule.id, 'Earlier name')).toEqual(claimIds);
  await ada.decide();
  await ada.updateFacts();
  expect(listOf(decidingRuleField, rule.id, 'Earlier name')).toEqual([1, 2]);
  expect(listOf(proposingRuleField, rule.id, 'Earlier name')).toEqual([3, 4]);
  for (const field of [decidingRuleField, proposingRuleField])
    expect(listOf(field, rule.id.replace(/1$/, '2'), rule.name)).toEqual([]);
  await close();
});

test('a claim that someone has open is decided after it was closed, by the next sync', async () => {
  const { ada, close } = await openWithRule();
  ada.opened.add(2);
  await ada.decide();
  expect(ada.decided()).toEqual([1, 3, 4]);
  ada.opened.clear();
  await ada.decide();
  expect(ada.decided()).toEqual(claimIds);
  await close();
});

/** An altered client says what the rule did, in another way. */
async function forge(
  of: WithRules,
  claimId: number,
  change: (rule: RuleMark) => ReviewDetail,
  changeValues = (text: string): string => text,
) {
  const { operations, ports, email } = of.member;
  const [known] = of.member.opened.read.readReviewedClaims({ claimIds: [claimId] });
  const { digest = '', reviewed = '' } = known ?? {};
  operations.appendReview({
    ...{ workspaceId, id: `forged-${claimId}`, nowMs: ports.clock.now(), author: email, receipt: null },
    ...{ filter: null, undoes: null, isStaged: false, fact: { kind: 'byRule', how: 'done' } },
    claims: [{ claimId, reviewed: changeValues(reviewed), digest, detail: change(await of.markOf()) }],
  });
}

const draftOf = (rule: DecisionRule, name: string) => ruleDraftSchema.parse({ ...rule, name });

test('adding or moving a rule does not change the order that a colleague or a newer version made', async () => {
  const { members, ada, ben, rule, close } = await openWithRule();
  const save = async (of: WithRules, name: string) =>
    (await of.handlersOn()['rules:save']({ workspaceId, draft: draftOf(rule, name) })).id;
  const namesOf = async (of: WithRules) => (await of.readRules()).map(({ name }) => name);
  const second = await save(ada, 'Second');
  await exchange(members);
  await ben.handlersOn()['rules:move']({ workspaceId, id: second, to: 'up' });
  // Ada has not read that.
  await save(ada, 'Third');
  const removed = await save(ada, 'Removed');
  await save(ada, 'Last');
  await exchange(members);
  for (const one of members)
    expect(await namesOf(one)).toEqual(['Second', 'Copays', 'Third', 'Removed', 'Last']);
  const ofNewer = '00000000-0000-4000-8000-000000000009';
  await ben.member.changeSettings({ setting: 'decisionRuleOrder', value: [second, ofNewer, rule.id] });
  await ben.handlersOn()['rules:remove']({ workspaceId, id: removed });
  await ben.handlersOn()['rules:move']({ workspaceId, id: rule.id, to: 'up' });
  await exchange(members);
  const settings = await readTeamSettings(ada.member.ports, workspaceId);
  expect(settings?.ruleOrder.slice(0, 3)).toEqual([rule.id, ofNewer, second]);
  expect(settings?.ruleOrder).toHaveLength(5);
  for (const one of members) expect(await namesOf(one)).toEqual(['Copays', 'Second', 'Third', 'Last']);
  await expect(
    ada.member.changeSettings({ setting: 'decisionRuleOrder', value: Array(501).fill(ofNewer) }),
  ).rejects.toMatchObject({ code: 'usage.invalid' });
  await close();
});

test('without a team, a rule that can’t be read here keeps its position when others are moved', async () => {
  const { ada, rule, close } = await openWithRule();
  const named = ['First', 'Unread', 'Second'].map((name, at) => ({
    ...{ ...rule, name, id: `00000000-0000-4000-8000-00000000000${at + 2}` },
    ...(name === 'Unread' && { conditions: [{ field: 'ofNewer', operator: 'is' as const, values: [1] }] }),
  }));
  const userData = await ada.member.ports.getUserData(workspaceId);
  const at = '2026-11-01T00:00:00.000Z';
  await userData.call('saveView', {
    ...{ id: 'rules', workspace_id: workspaceId, created_at: at, updated_at: at },
    ...toStoredRules(named, []),
  });
  const handlers = ada.handlersOn({
    ...ada.member.ports.main,
    findWorkspace: async () => ({ workspace: {} }),
  });
  await handlers['rules:save']({ workspaceId, draft: draftOf(rule, 'Last') });
  await handlers['rules:move']({ workspaceId, id: named[2]?.id ?? '', to: 'up' });
  const { rules } = findRules(await userData.call('listViews', { workspaceId }));
  expect(rules.map(({ name }) => name)).toEqual(['Second', 'Unread', 'First', 'Last']);
  await close();
});

test('what a colleague reports a rule did counts only if the rule does the same here', async () => {
  const { members, ada, cleo, close } = await openWithRule();
  const amounts = { eligible: 20_0000, byRules: 20_0000 };
  const act = {
    ...{ ...decisionOf('eligible'), outcome: 'partlyEligible' as const },
    partly: { by: 'share' as const, percent: 99 },
  };
  await forge(cleo, 1, (rule) => ({ rule: { ...rule, act }, amounts }));
  await forge(cleo, 2, (rule) => ({ rule: { ...rule, secondLook: 0 } }));
  await forge(cleo, 3, (rule) => ({ rule }));
  await exchangeAll(members.map(({ member }) => member));
  await ada.decide();
  expect(ada.decided()).toEqual(claimIds);
  for (const { outcome, rule } of ada.member.folds())
    expect([outcome, rule?.secondLook]).toEqual(['eligible', 5]);
  // Of the third one, the colleague's event is the one that counts.
  const byRule = (await ada.member.history()).filter(({ fact }) => fact.kind === 'byRule');
  expect(byRule.filter(({ author }) => author === ada.member.email)).toHaveLength(3);
  await close();
});

test('a claim that two computers decided is undone once for all, and then only proposed', async () => {
  const { members, ada, ben, clock, close } = await openWithRule();
  await ada.decide();
  clock.nowMs += 60_000;
  await ben.decide();
  await exchange(members);
  for (const one of members) expect(one.decided()).toEqual(claimIds);
  expect(await ada.reviews.undoRule(workspaceId, ruleId, null)).toBe(4);
  await exchange(members);
  for (const one of members) expect(one.decided()).toEqual([]);
  await close();
});

test('a claim whose decision by a rule was undone is only proposed, and uses up nothing of a daily limit', async () => {
  const { ada, clock, close } = await openWithRule({ perDay: { claims: 2, amount: 1e9 } });
  await ada.decide();
  expect(ada.decided()).toEqual([1, 2]);
  const undoable = ada.member.operations.listUndoableByRule({ workspaceId, ruleId });
  const [{ eventId, claimId }] = undoable as [(typeof undoable)[number]];
  ada.member.operations.appendEach({
    ...{ workspaceId, nowMs: clock.nowMs, author: ada.member.email, receipt: null },
    acts: [{ fact: { kind: 'undo' }, undoes: eventId, claim: { claimId, reviewed: null, digest: null } }],
  });
  clock.nowMs += 24 * 3_600_000;
  for (const copay of [20, 30]) {
    // By a changed record too.
    await ada.read(copay, copay);
    await ada.decide();
    expect(ada.decided()).toEqual([2, 3, 4]);
  }
  await close();
});

test('the sender of a rule’s act is reported if the record or the rule here gives a different result', async () => {
  const isOut = { field: 'network', operator: 'is' as const, values: ['OUT'] };
  const { members, ada, cleo, close } = await openWithRule({ conditions: [isOut], most: 30_0000 });
  const toOut = (text: string): string => text.replace('"IN"', '"OUT"');
  await forge(cleo, 1, (rule) => ({ rule }), toOut);
  await exchange(members);
  expect([ada.decided(), ada.foundBy()]).toEqual([[], 1]);
  // A newer record than the one here waits for the next sync.
  await cleo.read(1, 30);
  cleo.member.opened.ingest('claims', [{ ...toRecord(2, 30, 2), network: 'OUT' }]);
  await cleo.reviews.updateAfterSync(workspaceId);
  await cleo.updateFacts();
  await cleo.decide();
  expect(cleo.decided()).toEqual([1, 2]);
  await exchange(members);
  expect(ada.decided()).toEqual([]);
  ada.member.opened.ingest('claims', [{ ...toRecord(2, 30, 2), network: 'OUT' }]);
  ada.member.opened.write.markClaimsRead(new Date(ada.member.ports.clock.now()).toISOString());
  await ada.reviews.updateAfterSync(workspaceId);
  expect(ada.decided()).toEqual([2]);
  await close();
});

test('an act that differs from the rule’s mark, or exceeds its amount, never counts', async () => {
  const { members, ada, cleo, close } = await openWithRule({ most: 10_0000 });
  await forge(cleo, 1, (rule) => ({ rule: { ...rule, secondLook: 0 } }));
  await forge(cleo, 2, (rule) => ({ rule: { ...rule, open: 5_0000 } }));
  await forge(cleo, 3, (rule) => ({ rule: { ...rule, conditions: [] } }));
  await exchange(members);
  expect([ada.decided(), ada.foundBy()]).toEqual([[], 3]);
  await close();
});

test('fractions of a cent, and rules about amounts that changed since, do not reject colleagues’ decisions', async () => {
  const share = { by: 'share' as const, percent: 50 };
  const { members, ada, ben, close } = await openWithRule({
    act: { kind: 'partly', partly: share },
    most: 20_0000,
  });
  for (const one of members) await one.read(1, 20.005);
  await ada.decide();
  await ada.member.exchange();
  await ben.member.exchange();
  await ben.reviews.updateAfterSync(workspaceId);
  expect(ben.decided()).toEqual(claimIds);
  await ada.member.changeSettings({ setting: 'parts', employerId: null, value: ['deductible'] });
  await exchange(members);
  for (const one of members) expect(one.decided()).toEqual(claimIds);
  await close();
});

test('decisions before a failure are in lists and the audit log, and a canceled sync decides nothing', async () => {
  const { ada, close } = await openWithRule();
  await ada.decide(AbortSignal.abort());
  expect(ada.decided()).toEqual([]);
  ada.told.push = () => {
    throw new Error('The disk is full.');
  };
  await expect(ada.decide()).rejects.toThrow('The disk is full.');
  const listed = ada.member.opened.database.prepare("SELECT claim_id FROM claim_reviews WHERE state='done'");
  expect(listed.pluck().all()).toEqual(claimIds);
  await close();
});
