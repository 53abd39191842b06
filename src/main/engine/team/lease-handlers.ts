import type { EngineHandlers } from '../../../contract/procedures.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import type { FollowedLeases } from './follow-leases.ts';
import type { TeamSession } from './team-ports.ts';

/** Answers the procedures about who of a team has which claim open. Without a team, every claim is free. */
export function createLeaseHandlers(team: {
  readonly leasesOf: (workspaceId: string) => FollowedLeases | null;
  readonly sessionOf: (workspaceId: string) => Promise<TeamSession>;
}) {
  return {
    'leases:show': async ({ workspaceId, page, claimId }) => {
      team.leasesOf(workspaceId)?.show(page, claimId);
      return { isDone: true };
    },
    'leases:next': async ({ workspaceId, page, claimIds, listedAt }) => {
      const leases = team.leasesOf(workspaceId);
      return leases === null
        ? { claimId: claimIds[0] ?? null, open: 0 }
        : leases.next(page, claimIds, listedAt);
    },
    'leases:list': async ({ workspaceId, claimIds }) => {
      const held = team.leasesOf(workspaceId)?.list(claimIds) ?? [];
      if (held.length === 0) return { leases: [] };
      const { members } = (await team.sessionOf(workspaceId)).log.state.members;
      return {
        leases: held.flatMap(({ claimId, computer, isFirst }) => {
          const email = findMember(members, computer)?.email;
          return email === undefined ? [] : [{ claimId, email, isFirst }];
        }),
      };
    },
  } satisfies EngineHandlers;
}
