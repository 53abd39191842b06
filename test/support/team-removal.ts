import { findRemovedClaims } from '../../src/main/engine/team/apply-removals.ts';
import type { RemovalRule } from '../../src/team-protocol/removal.ts';
import { workspaceId } from './review-computer.ts';
import type { Member } from './team-member.ts';

/** Removes for the team, as an admin's computer does after the question was answered. */
export async function removeAs(member: Member, rule: RemovalRule, reason = 'The contract ended.') {
  const session = await member.sessionOf();
  await session.exchange();
  const claimIds = await findRemovedClaims(member.ports, workspaceId, [rule], () => false);
  const removal = await session.removeForTeam({ rule, reason, claimIds, areAll: true });
  await session.exchange();
  return removal;
}

/** Claims of two people, of two employers: 1 and 2 of member 7, 3 of member 8, 4 of both. */
export const claimsOfTwo = [
  [1, [7], '2024-01-10'],
  [2, [7], '2026-01-10'],
  [3, [8], '2026-02-10'],
  [4, [7, 8], '2026-03-10'],
].map(([id, members, day]) => ({
  ...{ id, status: 'Processed', amount_paid: 10, patient_name: `Zqxpatient ${id}` },
  date_of_service: { start: day, end: day, bounds: '[]' },
  members: (members as number[]).map((member) => ({
    ...{ id: member, first_name: 'Zqx', last_name: `Member ${member}` },
    employer: { id: member * 10, name: `Employer ${member}` },
  })),
}));
