import type { EngineHandlers } from '../../../contract/procedures.ts';
import { leaseMs } from '../../../team-protocol/leases.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import type { FollowedLeases } from './follow-leases.ts';
import type { TeamSession } from './team-ports.ts';

/**
 * Tracks which claims pages of this computer show, with or without a team, and which a colleague has open; answers the
 * procedures about that. Without a team, every claim is free.
 */
export function createLeases(
  team: {
    readonly leasesOf: (workspaceId: string) => Pick<FollowedLeases, 'show' | 'next' | 'list'> | null;
    readonly sessionOf: (workspaceId: string) => Promise<TeamSession>;
  },
  now: () => number,
) {
  const pages = new Map<string, { readonly workspaceId: string; readonly claimId: number; at: number }>();
  return {
    /** The claims that are open here, and those among `claimIds` that a colleague has open. */
    findOpened(workspaceId: string, claimIds: readonly number[]): ReadonlySet<number> {
      const opened =
        team
          .leasesOf(workspaceId)
          ?.list(claimIds)
          .map(({ claimId }) => claimId) ?? [];
      for (const [page, shown] of pages)
        if (now() - shown.at > leaseMs) pages.delete(page);
        else if (shown.workspaceId === workspaceId) opened.push(shown.claimId);
      return new Set(opened);
    },
    handlers: {
      'leases:show': async ({ workspaceId, page, claimId }) => {
        if (claimId === null) pages.delete(page);
        else pages.set(page, { workspaceId, claimId, at: now() });
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
    } satisfies EngineHandlers,
  };
}
