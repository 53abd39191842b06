import { findMember } from '../../../team-protocol/membership.ts';
import { maxDoneRemovals, type RemovalRule } from '../../../team-protocol/removal.ts';
import { isRemovedByValues, type RemovedForTeam } from '../review/removed-reviews.ts';
import type { ReviewPorts } from '../review/review-ports.ts';
import { addRemoval, noRules } from '../store/sync/retention.ts';
import type { ReviewClaimRow } from '../store/user-data/write-event.ts';
import { findRemovedBy, type KnownRemoval } from './known-removals.ts';
import type { TeamLog } from './pull-log.ts';
import { postRemovalEntry, type RemovalAuthor } from './write-removal.ts';

type Files = Pick<ReviewPorts, 'getStore' | 'getUserData'>;

/** The ports needed to remove from this computer. */
export interface RemovingPorts extends Files {
  /**
   * Removes the records of a rule from this computer with their backups, and the reviews of these records and of
   * `claimIds`. Later syncs leave such records out. Repeating it has no effect.
   */
  readonly removeHere: (request: {
    workspaceId: string;
    removal: RemovalRule;
    claimIds: readonly number[];
  }) => Promise<void>;
}

/** How many claims are looked up in the records at once. */
const claimsAtOnce = 5_000;

/**
 * Finds the removed claims that have reviews on this computer: by their tags, the values stored with the reviews, and
 * the records that are here.
 */
export async function findRemovedClaims(
  { getStore, getUserData }: Files,
  workspaceId: string,
  rules: readonly RemovalRule[],
  isRemoved: RemovedForTeam,
): Promise<number[]> {
  const userData = await getUserData(workspaceId);
  const store = await getStore(workspaceId);
  const removedIds = new Set<number>();
  const others = new Set<number>();
  const merged = rules.reduce((all, rule) => addRemoval(all, rule), noRules);
  for (let after: number | null = null; ; ) {
    const claims: ReviewClaimRow[] = await userData.call('readKeptClaims', { workspaceId, after });
    for (const claim of claims) {
      const [claimId, reviewed] = claim;
      if (removedIds.has(claimId)) continue;
      if (isRemoved(claim) || (reviewed !== null && isRemovedByValues(merged, reviewed))) {
        removedIds.add(claimId);
        others.delete(claimId);
      } else others.add(claimId);
    }
    const last = claims.at(-1);
    if (last === undefined) break;
    after = last[0];
  }
  const left = [...others];
  for (const removal of rules)
    for (let at = 0; at < left.length; at += claimsAtOnce) {
      const claimIds = left.slice(at, at + claimsAtOnce);
      for (const claimId of await store.read('findRemovedClaims', { removal, claimIds }))
        removedIds.add(claimId);
    }
  return [...removedIds].sort((claimId, other) => claimId - other);
}

const rulesOf = (removals: readonly KnownRemoval[]): RemovalRule[] => [
  ...new Map(
    removals.flatMap(({ says }) => (says === null ? [] : [[JSON.stringify(says.rule), says.rule] as const])),
  ).values(),
];

/** Removals whose rule the records file lacks, for example after the file was lost and created again. */
async function findForgotten(ports: RemovingPorts, workspaceId: string, all: readonly KnownRemoval[]) {
  const store = await ports.getStore(workspaceId);
  const teamRules = await store.read('readTeamRules', null);
  return all.filter(
    ({ says, isApplied }) =>
      says !== null &&
      isApplied &&
      JSON.stringify(addRemoval(teamRules, says.rule)) !== JSON.stringify(teamRules),
  );
}

/**
 * Removes from this computer what was removed for the team and is still here: records, reviews, what was not sent, and
 * backups. It runs before anything is sent, and again if it did not end. Returns whether anything was removed.
 * @throws DeskError `store.*`, `data.noSpace`
 */
export async function applyRemovals(
  ports: RemovingPorts,
  { workspaceId, team, computer, log }: { workspaceId: string; team: string; computer: string; log: TeamLog },
  isStart: boolean,
): Promise<boolean> {
  const { removals, members } = log.state;
  const forgotten = isStart ? await findForgotten(ports, workspaceId, removals.all) : [];
  const open = [...removals.all.filter(({ isApplied }) => !isApplied), ...forgotten];
  if (open.length === 0) return false;
  const userData = await ports.getUserData(workspaceId);
  const isTagged = findRemovedBy(
    { tags: removals.tags, rules: { ...noRules, isEverything: removals.rules.isEverything } },
    ...([team, members.keys] as const),
  );
  const claimIds = await findRemovedClaims(ports, workspaceId, rulesOf(open), isTagged);
  // Claims of which the remover did not know that the rule matches them: an admin's computer removes them from the log
  // as well.
  const isAdmin = findMember(members.members, computer)?.role === 'admin';
  const isDue = isAdmin && claimIds.some((claimId) => !isTagged([claimId, null, null, null]));
  if (isDue) await userData.call('markDue', { workspaceId, ids: open.map(({ id }) => id) });
  for (const [index, removal] of rulesOf(open).entries())
    await ports.removeHere({ workspaceId, removal, claimIds: index === 0 ? claimIds : [] });
  await userData.call('markApplied', { workspaceId, ids: open.map(({ id }) => id) });
  await log.readRemovals();
  return true;
}

/** Acknowledges removals that were carried out here. Returns whether there were any. @throws DeskError `team.*` */
export async function acknowledge(author: RemovalAuthor): Promise<boolean> {
  const { all } = author.log.state.removals;
  const acknowledgedIds = new Set(
    all.flatMap(({ computer, done }) => (computer === author.computer ? done : [])),
  );
  const due = all.filter(({ id, says, isApplied }) => says !== null && isApplied && !acknowledgedIds.has(id));
  if (due.length === 0) return false;
  const ids = due.map(({ id }) => id).slice(0, maxDoneRemovals);
  await postRemovalEntry(author, { act: 'done', removals: ids }, []);
  return true;
}
