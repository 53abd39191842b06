import { expect, test } from 'vitest';
import { revoke } from '../../../src/main/engine/team/change-members.ts';
import { findEarlier } from '../../../src/main/engine/team/read-behind.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { removeAs } from '../../support/team-removal.ts';

const dayMs = 86_400_000;
const outcomes = ['eligible', 'notEligible', 'disputed'] as const;

/** Everything that lists show of reviews; who decided earlier is history. */
const shownOf = (member: Member) =>
  member.folds().map(({ decisions: _decisions, checks: _checks, ...shown }) => shown);

test('after two years of a department, a computer that joins has what counts immediately, and then all of it', async () => {
  const team = await openTeam('ana', 'ben', 'cleo', 'dan');
  const { clock, members, open } = team;
  const [ana, ben, cleo, dan] = members as [Member, Member, Member, Member];
  let present: Member[] = [...members];
  const tendAll = async (): Promise<void> => {
    for (const one of present) {
      await one.exchange();
      await (await one.sessionOf()).tendCheckpoints(30);
    }
  };
  for (let month = 0; month < 24; month += 1) {
    for (const [index, one] of present.entries()) {
      clock.nowMs += 7 * dayMs;
      // Claim 1 is decided in the first months, and nothing happens to it after that.
      const claimId = month < 6 ? 1 + ((month + index) % 4) : 2 + ((month + index) % 3);
      await one.act([claimId], decisionOf(outcomes[(month + index) % 3] ?? 'eligible'));
      if (index === 0) await one.act([claimId], { kind: 'note', text: `Month ${month}` });
      if (index === 1)
        await one.act([2], {
          ...{ kind: 'payment', payment: 'reimbursed', amount: 10_000 },
          ...{ day: new Date(clock.nowMs).toISOString().slice(0, 10), account: '' },
        });
      // Not every member exchanges each time.
      if ((month + index) % 3 > 0) await one.exchange();
    }
    if (month === 9) await removeAs(ana, { kind: 'member', memberId: 404 });
    if (month === 14) {
      await exchangeAll(present);
      await revoke(ana.ports, await ana.sessionOf(), { computer: dan.computer });
      present = [ana, ben, cleo];
    }
    if (month % 4 === 3) await tendAll();
  }
  await tendAll();
  await tendAll();
  await exchangeAll(present);
  const made = (await ana.sessionOf()).log.state.checkpoints.filter(({ act }) => act.includes('"make"'));
  expect(made.length).toBeGreaterThan(2);
  const eve = open('eve');
  await admit(ana, eve);
  await exchangeAll([...present, eve]);
  const session = await eve.sessionOf();
  expect(findEarlier(session.log.state)).toBe('checking');
  expect(shownOf(eve)).toEqual(shownOf(ana));
  while (await session.readBehind());
  expect(findEarlier(session.log.state)).toBeNull();
  expect(eve.folds()).toEqual(ana.folds());
  expect((await eve.history()).map(({ id }) => id)).toEqual((await ana.history()).map(({ id }) => id));
  const numberOf = async (member: Member) => (await member.sessionOf()).log.state.position.number;
  expect(await numberOf(eve)).toBe(await numberOf(ana));
  expect([...present, eve].flatMap(({ failures }) => failures)).toEqual([]);
});
