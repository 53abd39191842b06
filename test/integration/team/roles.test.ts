import { expect, test } from 'vitest';
import { setRole } from '../../../src/main/engine/team/change-members.ts';
import { approve, listJoins } from '../../../src/main/engine/team/join-team.ts';
import { listHeld, requireWriter } from '../../../src/main/engine/team/require-writer.ts';
import { undoHeld } from '../../../src/main/engine/team/undo-held.ts';
import { findMember } from '../../../src/team-protocol/membership.ts';
import { admit, exchangeAll, exchangeNonces, openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

test('a reader’s act is refused before it is written, and a reviewer’s is not', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const isRefused = async (member: Member): Promise<void> => {
    const session = await member.sessionOf();
    expect(() => requireWriter(session)).toThrow(expect.objectContaining({ code: 'team.readOnly' }));
  };
  requireWriter(await ben.sessionOf());
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'reader' });
  await exchangeAll([ben]).catch(() => undefined);
  await isRefused(ben);
  // Also without the server, after a start.
  ben.restart();
  await isRefused(ben);
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'reviewer' });
  await exchangeAll([ben]);
  requireWriter(await ben.sessionOf());
  // Who waits to be admitted keeps what is done meanwhile.
  const cleo = open('cleo');
  await cleo.join((await ana.invite(cleo.email)).invitation);
  requireWriter(await cleo.sessionOf());
});

test('what was done and not sent before the role became reader is held, and can be undone here; the team stays live', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ben.act([1], decisionOf('eligible'));
  const sent = await ben.act([2], { kind: 'flag', isFlagged: true });
  await exchangeAll([ben, ana]);
  const before = ana.folds();
  const offline = [
    await ben.act([1], decisionOf('notEligible')),
    await ben.act([2, 3], { kind: 'note', text: 'Asked' }),
    (await ben.reviews.undo('w', sent)).eventId,
  ];
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'reader' });
  await ben.exchange();
  await ana.act([3], decisionOf('eligible'));
  await exchangeAll([ana, ben]);
  const userData = await ben.ports.getUserData('w');
  const session = await ben.sessionOf();
  expect(await listHeld(session, userData)).toEqual(offline.toReversed());
  expect(ana.folds().map(({ claimId }) => claimId)).toEqual([1, 2, 3]);

  expect(await undoHeld(session, userData, ben.reviews.undo)).toEqual({ undone: 3, left: 0 });
  expect(await listHeld(session, userData)).toEqual([]);
  const state = (folds: typeof before) =>
    folds.map(({ claimId, outcome, isFlagged, notes }) => ({ claimId, outcome, isFlagged, notes }));
  expect(state(ben.folds())).toEqual(state(ana.folds()));
  await ben.exchange();
  expect(ana.folds().slice(0, 2)).toEqual(before);
  // Another role sends what was undone with its undo, without effect; a member who may write holds nothing.
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'reviewer' });
  await exchangeAll([ben, ana]);
  expect(ben.unsent()).toBe(0);
  expect(state(ana.folds())).toEqual(state(ben.folds()));
  expect(await undoHeld(await ben.sessionOf(), userData, ben.reviews.undo)).toEqual({ undone: 0, left: 0 });
});

test('another computer of a person gets the person’s role, whatever the invitation says', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const second = open('ana-2', { email: ana.email });
  await second.join((await ana.invite(ana.email, 'reviewer')).invitation);
  const session = await ana.sessionOf();
  await exchangeNonces(ana, second);
  expect(await listJoins(ana.ports, session)).toMatchObject([{ computer: second.computer, role: 'admin' }]);
  await approve(ana.ports, session, { computer: second.computer, acceptsOtherKey: true });
  await exchangeAll([second, ben]);
  expect(findMember((await ben.sessionOf()).log.state.members.members, second.computer)?.role).toBe('admin');
});

test.each([[true], [false]])(
  'a person can undo what they did from their other computer, on all computers alike; with the same SSH key: %s',
  async (isSameKey) => {
    const { members, open } = await openTeam('ana', 'ben');
    const [ana, ben] = members as [Member, Member];
    const decision = await ana.act([1, 3], decisionOf('eligible'));
    const note = await ana.act([2], { kind: 'note', text: 'Asked' });
    await exchangeAll(members);
    const second = open('ana-2', { email: ana.email, ...(isSameKey ? { ssh: ana.ssh } : {}) });
    await admit(ana, second);
    for (const eventId of [decision, note]) await second.reviews.undo('w', eventId);
    await exchangeAll([second, ...members]);
    for (const one of [second, ...members]) {
      expect(one.folds().map(({ state, notes }) => [state, notes])).toEqual([
        [null, []],
        [null, []],
        [null, []],
      ]);
      const { refused, waiting } = (await one.sessionOf()).log.state;
      expect([refused, waiting.size, one.failures]).toEqual([0, 0, []]);
    }
    // A colleague can't, whatever the person's computer.
    const again = await second.act([1], decisionOf('eligible'));
    await exchangeAll([second, ...members]);
    await expect(ben.reviews.undo('w', again)).rejects.toMatchObject({ code: 'review.notYours' });
  },
);
