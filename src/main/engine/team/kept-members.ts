import {
  listMembers,
  type Members,
  type MembershipAct,
  type TeamRole,
} from '../../../team-protocol/membership.ts';
import type { KeptMember } from '../store/user-data/member-rows.ts';
import { sealAll } from './due-memberships.ts';
import type { TeamMembers } from './team-members.ts';

// After a server went back to an earlier log, what this computer has read about the members stays in force: whoever was
// removed or lowered stays so here, and an admin's computer repeats what the log lacks.

/** The kept facts of each computer. */
export type KeptMembers = ReadonlyMap<string, KeptMember>;

const rank: Record<TeamRole, number> = { reader: 1, reviewer: 2, admin: 3 };

/** Whether the log still has a computer's membership as it was read before. */
function agrees(members: Members | null, { computer, role }: KeptMember): boolean {
  const member = members?.computers.get(computer);
  return role === null
    ? member !== undefined && member.until !== null
    : member?.until === null && member.role === role;
}

/** Keeps members read `before` the log went back, and earlier (`kept`), where the log now lacks them. */
export function keepMembers(before: Members | null, kept: KeptMembers, after: Members | null): KeptMembers {
  // An admin's computer does not repeat the admission of a computer that the recovery key admitted.
  const asked = [...(before?.computers.values() ?? [])].filter(({ waitsUntil }) => waitsUntil === null);
  const read = asked.map(
    ({ computer, email, role, until, certificate }): KeptMember => ({
      ...{ computer, email, role: until === null ? role : null },
      ...{ body: certificate.body, signature: certificate.signature },
    }),
  );
  const all = new Map(read.map((member) => [member.computer, member]));
  for (const member of kept.values()) all.set(member.computer, member);
  return leaveOut(all, after);
}

/** Leaves out what the log agrees with by now. */
export const leaveOut = (kept: KeptMembers, members: Members | null): KeptMembers =>
  new Map([...kept].filter(([, member]) => !agrees(members, member)));

/** Whether a computer was removed, or had a lower role than this, as read in the log before it went back. */
export function isLowered(kept: KeptMembers, computer: string, needed: TeamRole): boolean {
  const member = kept.get(computer);
  return member !== undefined && (member.role === null || rank[member.role] < rank[needed]);
}

/** The lowest role that may write an act on the members or a removal, or with null an event. */
export const roleFor = (act: { readonly act: string } | null): TeamRole =>
  act === null ? 'reviewer' : ['leave', 'certify', 'done'].includes(act.act) ? 'reader' : 'admin';

/** The computers of admins by the memberships that were read before. */
export const listAdmins = (members: Members | null, kept: KeptMembers): string[] =>
  (members === null ? [] : listMembers(members))
    .filter(({ computer, role }) => role === 'admin' && !isLowered(kept, computer, 'admin'))
    .map(({ computer }) => computer);

/** The next change of the members to repeat, because the log lacks it; by an admin's computer. */
export function repeatChange(
  state: TeamMembers,
  kept: KeptMembers,
  ownComputer: string,
): MembershipAct | null {
  const { members } = state;
  if (members === null || !listAdmins(members, kept).includes(ownComputer)) return null;
  // Removed members come first.
  const inOrder = [...kept.values()].sort(
    (member, other) => Number(member.role !== null) - Number(other.role !== null),
  );
  for (const { computer, email, role, body, signature } of inOrder) {
    const member = members.computers.get(computer);
    if (role === null && member?.until === null) return { act: 'revoke', of: { computer } };
    if (role === null || (member !== undefined && member.until !== null)) continue;
    if (member !== undefined) return { act: 'role', email, role };
    const { sealingKey } = JSON.parse(body) as { sealingKey: string };
    const grants = sealAll(state, { team: members.team, computer, sealingKey });
    return { act: 'admit', certificate: { body, signature }, role, grants };
  }
  return null;
}
