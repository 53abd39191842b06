import { statSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sideFilesOf } from '../../../src/main/engine/store/file/side-files.ts';
import { repairUserData } from '../../../src/main/engine/store/user-data/repair-user-data.ts';
import { leave, revoke, setRole } from '../../../src/main/engine/team/change-members.ts';
import { admit, exchangeAll, openTeam, restoreServer } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

test('a server that was restored from a backup is detected, and gets back what it lost', async () => {
  const opened = await openTeam('ana', 'ben');
  const { members, open } = opened;
  const [ana, ben] = members as [Member, Member];
  await ana.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  await ben.act([2], decisionOf('disputed'));
  await exchangeAll(members);
  await admit(ana, open('cleo'));
  await ana.act([3], decisionOf('notEligible'));
  await exchangeAll(members);
  const before = ana.folds();
  await restoreServer(opened, 3);
  await exchangeAll(members);
  expect(ana.failures).toMatchObject([{ code: 'team.serverDiffers', details: { common: 3 } }]);
  expect(ana.folds()).toEqual(before);
  expect([ana.unsent(), ben.unsent()]).toEqual([0, 0]);
  const { members: after } = (await ben.sessionOf()).log.state.members;
  expect(after?.computers.size).toBe(3);
  const dora = open('dora');
  await admit(ana, dora);
  expect(dora.folds()).toEqual(before);
});

test('anyone returns what a person wrote who never comes back, with the author’s signature', async () => {
  const opened = await openTeam('ana', 'ben', 'cleo');
  const { members, open } = opened;
  const [ana, ben, cleo] = members as [Member, Member, Member];
  await ben.act([1], decisionOf('disputed'));
  await ben.exchange();
  await cleo.exchange();
  await restoreServer(opened, 3);
  // Cleo is a reviewer; Ana had not read it before.
  await cleo.exchange();
  await ana.exchange();
  expect(ana.folds()).toEqual(cleo.folds());
  expect(await ana.history()).toMatchObject([
    { author: ben.email, signedBy: expect.stringMatching(/^SHA256:/) },
  ]);
  const dora = open('dora');
  await admit(ana, dora);
  expect(dora.folds()).toEqual(cleo.folds());
  expect((await dora.reviews.get(workspaceId, 1)).outcome).toBe('disputed');
  // Its author finds it there.
  await ben.exchange();
  expect([ben.unsent(), cleo.unsent()]).toEqual([0, 0]);
  expect(ben.folds()).toEqual(dora.folds());
});

test('what was lost is returned in its order, including what its author wrote before they were revoked', async () => {
  const opened = await openTeam('ana', 'ben', 'cleo');
  const { members, open } = opened;
  const [ana, ben, cleo] = members as [Member, Member, Member];
  await ben.act([1], decisionOf('disputed'));
  await exchangeAll(members);
  await revoke(ana.ports, await ana.sessionOf(), { email: ben.email });
  await ana.act([2], decisionOf('eligible'));
  await exchangeAll([ana, cleo]);
  await setRole(ana.ports, await ana.sessionOf(), { email: cleo.email, role: 'admin' });
  await exchangeAll([ana, cleo]);
  const before = cleo.folds();
  await restoreServer(opened, 3);
  // Cut in the middle, and continued after a start.
  let posts = 0;
  cleo.network.before = async (method) => {
    posts += method === 'POST' ? 1 : 0;
    if (posts === 3) throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
  };
  await expect(cleo.exchange()).rejects.toMatchObject({ code: 'team.unreachable' });
  delete cleo.network.before;
  cleo.restart();
  await cleo.exchange();
  const dora = open('dora');
  await admit(cleo, dora);
  expect(dora.folds()).toEqual(before);
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.notMember' });
  const { members: after } = (await dora.sessionOf()).log.state.members;
  expect([after?.generation, after?.computers.size]).toEqual([2, 4]);
});

test('the parts of an act on thousands of claims are given back too', async () => {
  const claimIds = Array.from({ length: 3_000 }, (_none, index) => index + 1);
  const opened = await openTeam('ana');
  const { members, open } = opened;
  const [ana] = members;
  const [ben, cleo] = [open('ben', { claimIds }), open('cleo')];
  await admit(ana, ben);
  await admit(ana, cleo);
  await ben.act(claimIds, { kind: 'flag', isFlagged: true });
  await exchangeAll([ben, cleo]);
  await restoreServer(opened, 3);
  await cleo.exchange();
  await cleo.exchange();
  await ana.exchange();
  expect(ana.folds()).toEqual(ben.folds());
  expect(ana.folds()).toHaveLength(3_000);
});

test('a wrong part that another member sent for its author blocks no one once the right one arrives', async () => {
  const claimIds = Array.from({ length: 3_000 }, (_none, index) => index + 1);
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const [ben, mallory] = [open('ben', { claimIds }), open('mallory')];
  await admit(ana, ben);
  await admit(ana, mallory);
  const id = await ben.act(claimIds, { kind: 'flag', isFlagged: true });
  ben.network.before = async (method) => {
    if (method === 'PUT') throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
  };
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.unreachable' });
  const { client } = await mallory.sessionOf();
  const junk = Buffer.alloc(100);
  junk.writeUInt32BE(1);
  await client.putPart(id, 1, junk);
  await ana.act([1], { kind: 'note', text: 'seen meanwhile' });
  await exchangeAll([ana, mallory]);
  expect(mallory.folds()).toEqual(ana.folds());
  delete ben.network.before;
  await exchangeAll([ben, ana, mallory]);
  for (const member of [ana, mallory]) expect(member.folds()).toEqual(ben.folds());
  expect(ana.folds()).toHaveLength(3_000);
});

test('the journal lacks what colleagues did: it is read again after a repair, and backed up when the team is left', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ben.act([2], decisionOf('disputed'));
  await exchangeAll(members);
  const { journal } = sideFilesOf(ben.path);
  const before = statSync(journal).size;
  for (const claimId of [1, 2, 3]) await ana.act([claimId], decisionOf('eligible'));
  await exchangeAll(members);
  expect(statSync(journal).size).toBe(before);
  const folds = ben.folds();
  ben.close();
  const damage = (): void => truncateSync(ben.path, 5_000);
  const repair = () => repairUserData({ filePath: ben.path, key: ben.key, mayLose: false });
  damage();
  expect(repair()).toMatchObject({ outcome: 'repaired', lost: [] });
  const repaired = open('ben', { owned: ben.owned });
  expect(repaired.folds()).not.toEqual(folds);
  await repaired.exchange();
  expect(repaired.folds()).toEqual(folds);
  await leave(repaired.ports, await repaired.sessionOf());
  const history = await repaired.history();
  repaired.close();
  damage();
  expect(repair()).toMatchObject({ outcome: 'repaired', lost: [] });
  expect(await open('ben', { owned: ben.owned }).history()).toEqual(history);
});
