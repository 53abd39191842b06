import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { revoke } from '../../../src/main/engine/team/change-members.ts';
import { approve, listJoins } from '../../../src/main/engine/team/join-team.ts';
import { forkSample } from '../../../src/main/lib/sample-process.ts';
import { createSampleTeam } from '../../../src/main/lib/sample-service.ts';
import { createColleague, readInvitation } from '../../../src/sandbox/colleague/colleague.ts';
import { makeIdentity } from '../../../src/sandbox/colleague/identity.ts';
import { openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import { openMember, testService } from '../../support/team-member.ts';
import { claimsOfTwo, removeAs } from '../../support/team-removal.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

test('the simulated colleague of the sample is a member like any other: no one refuses what it writes', async () => {
  const { members, clock, team } = await openTeam('ana');
  const [ana] = members;
  const invitation = readInvitation((await ana.invite('colleague@example.com')).invitation);
  const identity = makeIdentity('colleague@example.com', team, testService, () => clock.nowMs);
  const colleague = createColleague(invitation, [2], identity);
  await colleague.join();
  expect(await colleague.look(true)).toBe(false);
  const session = await ana.sessionOf();
  const joins = await listJoins(ana.ports, session);
  expect(joins).toMatchObject([{ computer: colleague.computer, email: 'colleague@example.com', code: null }]);
  await colleague.join();
  await approve(ana.ports, session, { computer: colleague.computer });
  expect(await colleague.look(false)).toBe(true);
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  expect(await colleague.look(true)).toBe(true);
  await colleague.decideNext();
  // It has decided all that it was given.
  await colleague.decideNext();
  await ana.exchange();
  expect(session.log.state.refused).toBe(0);
  const events = await ana.history();
  expect(events.map(({ author, claimId, fact }) => [author, claimId, fact.kind]).sort()).toEqual([
    ['ana@example.com', 1, 'decision'],
    ['colleague@example.com', 1, 'note'],
    ['colleague@example.com', 2, 'decision'],
  ]);
  expect(ana.folds().map(({ claimId, state }) => [claimId, state])).toEqual([
    [1, 'done'],
    [2, 'done'],
  ]);
  await revoke(ana.ports, session, { computer: colleague.computer });
  expect(await colleague.look(true)).toBe(false);
});

test('the simulated colleague decides no removed claim, and acknowledges the removal', async () => {
  const { members, clock, team } = await openTeam('ana');
  const [ana] = members;
  ana.opened.ingest('claims', claimsOfTwo);
  const invitation = readInvitation((await ana.invite('colleague@example.com')).invitation);
  const identity = makeIdentity('colleague@example.com', team, testService, () => clock.nowMs);
  const colleague = createColleague(invitation, [2, 3], identity);
  await colleague.join();
  const session = await ana.sessionOf();
  await listJoins(ana.ports, session);
  await colleague.join();
  await approve(ana.ports, session, { computer: colleague.computer });
  await colleague.look(false);
  await ana.act([2], decisionOf('eligible'));
  await removeAs(ana, { kind: 'member', memberId: 7 });
  expect(await colleague.look(true)).toBe(true);
  // The server refuses the first one: its author has not read the newest entry about removals.
  await colleague.decideNext();
  expect(await colleague.look(true)).toBe(true);
  await colleague.decideNext();
  await ana.exchange();
  const { refused, removals } = session.log.state;
  expect(refused).toBe(0);
  const told = new Set(removals.all.flatMap(({ computer, done }) => (done.length > 0 ? [computer] : [])));
  expect(told).toEqual(new Set([ana.computer, colleague.computer]));
  expect((await ana.history()).map(({ author, claimId }) => [author, claimId])).toEqual([
    ['colleague@example.com', 3],
  ]);
});

test('a server and a colleague are started for the sample, work, and end', async () => {
  const folder = makeTempFolder();
  const launched: string[] = [];
  const team = createSampleTeam((entry, args) => {
    launched.push(...args);
    return forkSample(entry, args);
  });
  onTestFinished(team.endTeam);
  await expect(team.addColleague('claimdesk-team-1.x', [])).rejects.toMatchObject({ code: 'sandbox.failed' });
  const { server, setupCode } = await team.startTeam(folder);
  const ana = openMember(folder, 'ana', { now: Date.now }, { service: 'sample:' });
  await ana.create(server, setupCode);
  await ana.exchange();
  const { invitation } = await ana.invite('colleague@example.com');
  const { computer } = await team.addColleague(invitation, [3]);
  // The list of processes does not show the invitation.
  expect(launched.join(' ')).not.toContain(invitation);
  const session = await ana.sessionOf();
  // It answers by itself.
  while ((await listJoins(ana.ports, session)).every(({ code }) => code === null)) await wait(50);
  await approve(ana.ports, session, { computer });
  await expect
    .poll(
      async () => {
        await ana.exchange();
        return ana.folds().map(({ claimId }) => claimId);
      },
      { timeout: 30_000, interval: 200 },
    )
    .toEqual([3]);
  // A second try has the same server.
  expect((await team.startTeam(folder)).server).toBe(server);
  await team.endTeam();
  await expect(fetch(`${server}/healthz`)).rejects.toThrow();
});

test('the simulated colleague decides another’s claim differently and pays one again, as if it had not seen that', async () => {
  const { members, clock, team } = await openTeam('ana');
  const [ana] = members;
  const invitation = readInvitation((await ana.invite('colleague@example.com')).invitation);
  const identity = makeIdentity('colleague@example.com', team, testService, () => clock.nowMs);
  const colleague = createColleague(invitation, [], identity);
  await colleague.join();
  const session = await ana.sessionOf();
  await listJoins(ana.ports, session);
  await colleague.join();
  await approve(ana.ports, session, { computer: colleague.computer });
  await colleague.look(false);
  expect([await colleague.decideTwice(), await colleague.payTwice()]).toEqual([false, false]);
  await ana.act([1], decisionOf('eligible'));
  const day = new Date(clock.nowMs).toISOString().slice(0, 10);
  await ana.act([2], { kind: 'payment', payment: 'reimbursed', amount: 500_000, day, account: '' });
  await ana.exchange();
  await colleague.look(false);
  expect([await colleague.decideTwice(), await colleague.payTwice()]).toEqual([true, true]);
  await ana.exchange();
  expect(session.log.state.refused).toBe(0);
  expect(
    ana
      .folds()
      .map(({ claimId, decidedTwice, paidTwice }) => [claimId, decidedTwice.length, paidTwice?.stake]),
  ).toEqual([
    [1, 2, undefined],
    [2, 0, 500_000],
  ]);
});
