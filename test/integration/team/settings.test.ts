import { expect, test } from 'vitest';
import {
  findLetters,
  letterSettingsSchema,
  lettersOf,
  toStoredLetters,
} from '../../../src/contract/letter-settings.ts';
import { findRules, toStoredRules } from '../../../src/contract/stored-rules.ts';
import { writeEntries } from '../../../src/main/engine/review/write-entries.ts';
import { leave, setRole } from '../../../src/main/engine/team/change-members.ts';
import { listComputers, sendOwnState } from '../../../src/main/engine/team/computer-state.ts';
import { readTeamSettings, withTeamViews } from '../../../src/main/engine/team/hold-team-settings.ts';
import type { DecisionRule } from '../../../src/rules/decide/decision-rule.ts';
import type { TeamChange } from '../../../src/rules/review/team-settings.ts';
import { admit, exchangeAll, openTeam, restoreServer } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { updateStore } from '../../support/update-store.ts';

const runOut = (value: number, employerId: number | null = null): TeamChange => ({
  ...{ setting: 'runOutDays', employerId, value },
});
const ruleOf = (name: string, digit: number): DecisionRule => ({
  ...{
    id: `00000000-0000-4000-8000-00000000000${digit}`,
    version: 1,
    name,
    state: 'watch',
    employers: [],
    most: null,
  },
  conditions: [{ field: 'network', operator: 'is', values: ['IN'] }],
  ...{ act: { kind: 'eligible' }, perDay: { claims: 10, amount: 1_000_000 }, secondLook: 5 },
  ...{ since: '2026-11-01T00:00:00.000Z', by: 'ana@example.com', confirmedBy: null, amountRules: '' },
});
const rulesOf = async (member: Member) =>
  (await member.ports.main.getSettings(workspaceId)).reimbursementRules['https://claims.example.com'];
const historyOf = async ({ ports }: Member) => (await readTeamSettings(ports, workspaceId))?.history;

test('the settings of whoever makes a team become its settings, and apply to everyone who joins', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  await ana.changeSettings(runOut(60));
  const ben = open('ben');
  ben.owned.settings = { ...ben.owned.settings, reviewsFrom: { [workspaceId]: '2031-01-01' } };
  await admit(ana, ben);
  await exchangeAll([ana, ben]);
  const settings = await ben.ports.main.getSettings(workspaceId);
  expect(settings).toEqual(await ana.ports.main.getSettings(workspaceId));
  expect(settings).toMatchObject({ planYearStart: 1, reviewsFrom: { [workspaceId]: '2000-01-01' } });
  expect((await rulesOf(ben))?.runOutDays).toBe(60);
  // Ben's own ones are not lost, and what held stays where he leaves.
  await leave(ben.ports, await ben.sessionOf());
  expect((await rulesOf(ben))?.runOutDays).toBe(60);
  expect(ben.owned.settings.ofTeams).toEqual({});
});

test('a member who leaves keeps own rules that the team never had, together with the team’s', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const own = ['Own', 'Removed', 'Shared'].map(ruleOf);
  const [, removed, shared] = own as [DecisionRule, DecisionRule, DecisionRule];
  const userData = await ben.ports.getUserData(workspaceId);
  const at = '2026-11-01T00:00:00.000Z';
  await userData.call('saveView', {
    ...{ id: 'rules', workspace_id: workspaceId, created_at: at, updated_at: at },
    ...toStoredRules(own, []),
  });
  const ofTeam = ruleOf('Of the team', 4);
  const set = ({ id }: DecisionRule, value?: DecisionRule): TeamChange => ({
    ...{ setting: 'decisionRule', id, ...(value && { value }) },
  });
  await ana.changeSettings(set(ofTeam, ofTeam), set(removed, removed), set(shared, shared));
  await ana.changeSettings(set(removed), set(shared, { ...shared, name: 'Renamed' }));
  await exchangeAll(members);
  await leave(ben.ports, await ben.sessionOf());
  const { rules } = findRules(await userData.call('listViews', { workspaceId }));
  expect(rules.map(({ name }) => name).sort()).toEqual(['Of the team', 'Own', 'Renamed']);
});

test('letter texts are the team’s: those of its maker, then the newest, also after leaving', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const lettersBy = (contact: string) =>
    toStoredLetters('5', letterSettingsSchema.parse({ contact, templates: {} }));
  const at = '2026-11-01T00:00:00.000Z';
  const keepOwn = async ({ ports }: Member, contact: string) =>
    (await ports.getUserData(workspaceId)).call('saveView', {
      ...{ id: `own ${contact}`, workspace_id: workspaceId, created_at: at, updated_at: at },
      ...lettersBy(contact),
    });
  const contactOf = async ({ ports }: Member) => {
    const views = await (await ports.getUserData(workspaceId)).call('listViews', { workspaceId });
    const shown = withTeamViews(views, await readTeamSettings(ports, workspaceId));
    return lettersOf(findLetters(shown), '5').settings.contact;
  };
  await keepOwn(ana, 'Ana');
  await ana.changeSettings(runOut(60));
  const ben = open('ben');
  await keepOwn(ben, 'Ben');
  await admit(ana, ben);
  await exchangeAll([ana, ben]);
  expect(await contactOf(ben)).toBe('Ana');
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'reviewer' });
  await exchangeAll([ana, ben]);
  const { name, query } = lettersBy('Both');
  await ben.changeSettings({ setting: 'view', name, value: query });
  await exchangeAll([ana, ben]);
  expect(await contactOf(ana)).toBe('Both');
  // Own ones are replaced, so that there are not two of one employer.
  await leave(ben.ports, await ben.sessionOf());
  expect(await contactOf(ben)).toBe('Both');
  const views = await (await ben.ports.getUserData(workspaceId)).call('listViews', { workspaceId });
  expect(views.filter((view) => view.name === name)).toHaveLength(1);
});

test('the order of rules is the team’s: a reviewer changes it, and a confirmed rule stays confirmed', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const own = ['Second', 'First', 'New'].map(ruleOf) as [DecisionRule, DecisionRule, DecisionRule];
  const [second, first, added] = own;
  const userData = await ana.ports.getUserData(workspaceId);
  const at = '2026-11-01T00:00:00.000Z';
  await userData.call('saveView', {
    ...{ id: 'rules', workspace_id: workspaceId, created_at: at, updated_at: at },
    ...toStoredRules([first, second], []),
  });
  const set = (value: DecisionRule): TeamChange => ({ setting: 'decisionRule', id: value.id, value });
  const deciding: DecisionRule = { ...second, state: 'do', by: ana.email };
  await ana.changeSettings(set(deciding));
  await exchangeAll(members);
  await ben.changeSettings(set({ ...deciding, confirmedBy: ben.email }));
  const namesOf = async (member: Member) =>
    (await readTeamSettings(member.ports, workspaceId))?.decisionRules.map(({ name }) => name);
  expect(await namesOf(ben)).toEqual(['First', 'Second']);
  await ben.changeSettings({ setting: 'decisionRuleOrder', value: [second.id, first.id] });
  await ana.changeSettings(set(added));
  await exchangeAll(members);
  const cleo = open('cleo');
  await admit(ana, cleo);
  await exchangeAll([ana, ben, cleo]);
  for (const member of [ana, ben, cleo]) {
    // One that no order has yet is the last.
    expect(await namesOf(member)).toEqual(['Second', 'First', 'New']);
    const [rule] = (await readTeamSettings(member.ports, workspaceId))?.decisionRules ?? [];
    expect(rule).toMatchObject({ state: 'do', confirmedBy: ben.email });
  }
  await leave(ben.ports, await ben.sessionOf());
  const { rules } = findRules(
    await (await ben.ports.getUserData(workspaceId)).call('listViews', { workspaceId }),
  );
  expect(rules.map(({ name }) => name)).toEqual(['Second', 'First', 'New']);
});

test('the audit log of each computer lists the team’s settings that changed, once, and not who changed them', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.changeSettings(runOut(90));
  await exchangeAll(members);
  for (const member of members) member.audited.length = 0;
  const view: TeamChange = { setting: 'view', name: 'Back pain of Ada Byron', value: '{}' };
  await ana.changeSettings(runOut(60), { setting: 'twoPeopleAbove', value: 5_000_000 }, view);
  await exchangeAll(members);
  ben.restart();
  await exchangeAll(members);
  const entry = (by: string) => ({
    action: 'team.settingsChanged',
    details: { names: 'runOutDays twoPeopleAbove view', by },
  });
  expect(ana.audited).toEqual([entry('here')]);
  expect(ben.audited).toEqual([entry('team')]);
});

test('the newest change of each setting counts, including changes made at the same time', async () => {
  const { members, clock } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'admin' });
  await ana.changeSettings(runOut(90));
  await exchangeAll(members);
  // Offline, one after the other, and sent in the other order.
  clock.nowMs += 60_000;
  await ana.changeSettings(runOut(30), { setting: 'twoPeopleAbove', value: 5_000_000 });
  clock.nowMs += 60_000;
  await ben.changeSettings(runOut(45), runOut(10, 7));
  await ben.exchange();
  await ana.exchange();
  await exchangeAll(members);
  expect((await rulesOf(ana))?.runOutDays).toBe(45);
  expect((await ana.ports.main.getSettings(workspaceId)).team?.twoPeopleAbove).toBe(5_000_000);
  expect(await historyOf(ana)).toEqual(await historyOf(ben));
  expect((await historyOf(ben))?.at(-2)).toMatchObject({
    ...{ author: 'ben@example.com', change: { value: 45 }, before: { value: 30 } },
  });
  const current = (await readTeamSettings(ana.ports, workspaceId))?.current ?? [];
  const ofRunOut = current.flatMap(({ author, change }) =>
    change.setting === 'runOutDays' ? [[change.employerId, change.value, author]] : [],
  );
  expect(ofRunOut).toEqual([
    [7, 10, 'ben@example.com'],
    [null, 45, 'ben@example.com'],
  ]);
});

test('only an admin can change what is counted, by their own computer and by those of others', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.changeSettings(runOut(60));
  await exchangeAll(members);
  await expect(ben.changeSettings(runOut(1))).rejects.toMatchObject({ code: 'team.notAdmin' });
  await ben.changeSettings({ setting: 'noteTemplates', value: ['Called the carrier: '] });
  // A program of Ben's that sends it all the same.
  await ben.ports.appendTeamFact(workspaceId, { kind: 'teamSettings', changes: [runOut(1)] });
  await exchangeAll(members);
  for (const member of members) {
    expect((await rulesOf(member))?.runOutDays, member.name).toBe(60);
    expect((await readTeamSettings(member.ports, workspaceId))?.noteTemplates).toEqual([
      'Called the carrier: ',
    ]);
    expect(member.unsent()).toBe(0);
  }
  expect((await ana.sessionOf()).log.state.refused).toBe(1);
});

test('a change of a role takes effect by the order of the log, on every computer alike', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'admin' });
  await ana.changeSettings(runOut(60));
  await exchangeAll(members);
  // Made offline as an admin, sent as a reviewer.
  await ben.changeSettings(runOut(5));
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'reviewer' });
  await exchangeAll(members);
  for (const member of members) expect((await rulesOf(member))?.runOutDays, member.name).toBe(60);
});

test('a setting that only a newer version has is stored and passed on, and hides no other', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.changeSettings(runOut(60));
  await ana.ports.appendTeamFact(workspaceId, {
    kind: 'teamSettings',
    changes: [{ setting: 'ofTomorrow', value: 3 } as never, runOut(61)],
  });
  await exchangeAll(members);
  expect((await rulesOf(ben))?.runOutDays).toBe(61);
  const { kept } = ben.operations.readTeamFacts({ workspaceId, kind: 'teamSettings' });
  expect(kept.at(-1)?.fact).toContain('ofTomorrow');
});

test('worklists are the same on two computers with the same records and different settings of their own', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  for (const member of members)
    member.opened.ingest(
      'claims',
      [1, 2, 3, 4].map((id) => ({
        ...{ id, status: 'Processed', date_of_service: { start: `202${id}-05-01`, end: null, bounds: '[]' } },
        patient_responsibility: 100,
      })),
    );
  ben.owned.settings = { ...ben.owned.settings, reviewsFrom: { [workspaceId]: '2024-01-01' } };
  await ana.changeSettings({ setting: 'reviewsFrom', value: '2022-01-01' });
  await ana.act([3], decisionOf('eligible'));
  await exchangeAll(members);
  const listOf = (member: Member) => {
    updateStore(member.opened, '2026-03-02');
    return [
      ...member.opened.list({
        entity: 'claims',
        conditions: [{ field: 'review.state', operator: 'isOneOf', values: ['todo'] }],
      }),
    ].sort();
  };
  for (const member of members) await member.reviews.updateAfterSync(workspaceId);
  expect(listOf(ben)).toEqual(listOf(ana));
});

test('settings that a restored server lost are returned', async () => {
  const team = await openTeam('ana', 'ben');
  const [ana, ben] = team.members as [Member, Member];
  await exchangeAll(team.members);
  const before = (await ana.sessionOf()).log.state.position.number;
  await ana.changeSettings(runOut(60));
  await exchangeAll(team.members);
  await restoreServer(team, before);
  for (const member of team.members) member.restart();
  await ben.exchange();
  expect((await rulesOf(ben))?.runOutDays).toBe(60);
  await exchangeAll(team.members);
  for (const member of team.members) {
    expect((await rulesOf(member))?.runOutDays).toBe(60);
    expect(member.operations.readTeamFacts({ workspaceId, kind: 'teamSettings' }).kept).toMatchObject([
      { number: before + 1 },
    ]);
  }
});

test('a computer whose records have fewer employers says so, and its audit log is witnessed once an hour', async () => {
  const { members, clock } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  // Before its first sync a computer has no employers to compare.
  expect(await sendOwnState(ben.ports, await ben.sessionOf())).toBe(true);
  await exchangeAll(members);
  expect((await listComputers(ana.ports, await ana.sessionOf()))[1]).toMatchObject({
    ...{ email: 'ben@example.com', employers: null },
    hasSameEmployers: true,
  });
  clock.nowMs += 60_000;
  ana.opened.ingest(
    'members',
    [1, 2, 3].map((id) => ({ id, employer: { id: 10 + id, name: `Employer ${id}` } })),
  );
  ben.opened.ingest('members', [{ id: 1, employer: { id: 11, name: 'Employer 1' } }]);
  ana.owned.auditEnd = { seq: 5, hash: 'hmac:5' };
  for (const member of members) expect(await sendOwnState(member.ports, await member.sessionOf())).toBe(true);
  await exchangeAll(members);
  expect(await listComputers(ben.ports, await ben.sessionOf())).toMatchObject([
    { email: 'ana@example.com', isThis: false, employers: 3, hasSameEmployers: false },
    { email: 'ben@example.com', isThis: true, employers: 1, hasSameEmployers: true },
  ]);
  // Nothing new is told twice, and the audit log again after an hour at the earliest.
  ana.owned.auditEnd = { seq: 6, hash: 'hmac:6' };
  expect(await sendOwnState(ana.ports, await ana.sessionOf())).toBe(false);
  clock.nowMs += 3_600_000;
  expect(await sendOwnState(ana.ports, await ana.sessionOf())).toBe(true);
  await exchangeAll(members);
  expect(ana.operations.readWitnessed(null)).toEqual([
    { seq: 5, hash: 'hmac:5' },
    { seq: 6, hash: 'hmac:6' },
  ]);
  expect(ben.operations.readWitnessed(null)).toEqual([]);
  // All members see that a log was cut back, and its own check fails.
  ana.owned.auditEnd = { seq: 4, hash: 'hmac:4' };
  clock.nowMs += 3_600_000;
  expect(await sendOwnState(ana.ports, await ana.sessionOf())).toBe(true);
  await exchangeAll(members);
  expect(await listComputers(ben.ports, await ben.sessionOf())).toMatchObject([
    { email: 'ana@example.com', auditMissingFrom: 5 },
    { email: 'ben@example.com', auditMissingFrom: null },
  ]);
  const filed = [];
  for await (const line of writeEntries(ana.userData, workspaceId, ana.ports.main, () => undefined))
    filed.push(line);
  expect(filed).toEqual([]);
  // They are no reviews, and nothing that could be undone.
  expect(await ana.history()).toEqual([]);
  expect(await ana.reviews.findUndoable(workspaceId)).toBeNull();
});

test('a computer below its team’s minimum version reads but sends nothing until it is updated', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  ben.ports.main.getVersion = async () => '0.2.9';
  expect(await sendOwnState(ben.ports, await ben.sessionOf())).toBe(true);
  await exchangeAll(members);
  expect(await listComputers(ana.ports, await ana.sessionOf())).toMatchObject([
    { email: ana.email, version: '0.3.0' },
    { email: ben.email, version: '0.2.9' },
  ]);
  const least: TeamChange = { setting: 'minVersion', value: '0.3.0' };
  await expect(ben.changeSettings(least)).rejects.toMatchObject({ code: 'team.notAdmin' });
  await ana.changeSettings(least);
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  await ben.act([2], decisionOf('disputed'));
  await expect(ben.exchange()).rejects.toMatchObject({
    ...{ code: 'team.updateNeeded', details: { minVersion: '0.3.0' } },
  });
  expect(ben.folds().map(({ claimId }) => claimId)).toEqual([1, 2]);
  expect(ben.unsent()).toBe(1);
  ben.ports.main.getVersion = async () => '0.3.0';
  await exchangeAll([ben, ana]);
  expect(ben.unsent()).toBe(0);
  expect(ana.folds()).toEqual(ben.folds());
});
