import { isReason } from '../../../contract/export.ts';
import type { EngineHandlers } from '../../../contract/procedures.ts';
import type { TeamRemoval } from '../../../contract/store.ts';
import { wordOfRemoval } from '../../../contract/team.ts';
import { findMember, listMembers } from '../../../team-protocol/membership.ts';
import { DeskError } from '../../lib/errors.ts';
import type { EngineState } from '../state/engine-state.ts';
import { hasRules, noRules } from '../store/sync/retention.ts';
import { findRemovedClaims } from './apply-removals.ts';
import type { TeamSession } from './team-ports.ts';

type State = Pick<EngineState, 'main' | 'auditAction' | 'getStore' | 'files' | 'isReadOnly'>;

const detailsOf = (rule: TeamRemoval) => ({
  what: rule.kind,
  ...(rule.kind === 'member' ? { memberId: rule.memberId } : {}),
  ...(rule.kind === 'employer' ? { employerId: rule.employerId } : {}),
  ...(rule.kind === 'claimsBefore' ? { before: rule.date } : {}),
});

/** Each removal of the team, newest first, with the computers that have carried it out. */
async function listRemovals({ log, client, computer: ownComputer }: TeamSession) {
  const { removals, members: state } = log.state;
  const { members } = state;
  if (members === null) return [];
  const isAdmin = findMember(members, ownComputer)?.role === 'admin';
  const byRemoval = new Map<string, (typeof removals.all)[number][]>();
  for (const removalEntry of removals.all)
    if (removalEntry.says !== null)
      byRemoval.set(removalEntry.says.removal, [
        ...(byRemoval.get(removalEntry.says.removal) ?? []),
        removalEntry,
      ]);
  // The times of the last visits are known only to admins, and only from the server.
  const seen = isAdmin && byRemoval.size > 0 ? await client.computers().catch(() => []) : [];
  const seenAt = new Map(seen.map((row) => [row.computer, row.seenAt]));
  const done = new Map<string, Set<string>>();
  for (const knownRemoval of removals.all)
    done.set(
      knownRemoval.computer,
      new Set([...(done.get(knownRemoval.computer) ?? []), ...knownRemoval.done]),
    );
  const listed = [...byRemoval.values()].flatMap((entries) => {
    const [first] = entries;
    if (first === undefined || first.says === null) return [];
    const { removal, rule, reason, at } = first.says;
    return [
      {
        ...{ removal, rule, reason, at },
        by: members.computers.get(first.computer)?.email ?? '',
        entries: entries.reduce((sum, entry) => sum + entry.removedIds.length, 0),
        computers: listMembers(members).map(({ computer, email }) => ({
          ...{ computer, email, isThis: computer === ownComputer, seenAt: seenAt.get(computer) ?? null },
          isDone: entries.every(({ id }) => done.get(computer)?.has(id) === true),
        })),
      },
    ];
  });
  return listed.sort((removal, other) => (removal.at < other.at ? 1 : -1));
}

/** Answers the procedures that remove for the whole team. */
export function createTeamRemovalHandlers(
  state: State,
  sessionOf: (workspaceId: string) => Promise<TeamSession>,
) {
  return {
    'team:planRemoval': async ({ workspaceId, rule }) => {
      const userData = await state.files.getUserData(workspaceId);
      const written = userData.isThere() ? await userData.call('countWritten', { workspaceId }) : [];
      const planned = await state.files.whileOpen(workspaceId, 'records', (maintenance) =>
        maintenance.call('planRemoval', { removal: rule, written }),
      );
      return planned.counts;
    },
    'team:remove': async ({ workspaceId, rule, reason = '', typed }) => {
      if (typed.trim() !== wordOfRemoval(rule)) throw new DeskError('data.notConfirmed');
      if (!isReason(reason)) throw new DeskError('export.reasonMissing');
      if (state.isReadOnly) throw new DeskError('profile.busy');
      const session = await sessionOf(workspaceId);
      const { members } = session.log.state.members;
      if (findMember(members, session.computer)?.role !== 'admin') throw new DeskError('team.notAdmin');
      await state.main.confirmRemoval({ before: null, team: rule });
      await session.exchange();
      const files = { getStore: state.getStore, getUserData: state.files.getUserData };
      const claimIds = await findRemovedClaims(files, workspaceId, [rule], () => false);
      const details = { ...detailsOf(rule), reason };
      // If this entry cannot be written, nothing is removed.
      await state.auditAction(workspaceId, 'team.removalBegun', details);
      // If records were removed only from this computer, some of the team's reviews are missing here.
      const store = await state.getStore(workspaceId);
      const areAll = !hasRules({ ...noRules, ...(await store.read('readRetention', null)) });
      await session.removeForTeam({ rule, reason, claimIds, areAll });
      await state.auditAction(workspaceId, 'team.removed', details);
      await session.exchange();
      return { isDone: true };
    },
    'team:listRemovals': async ({ workspaceId }) => ({
      removals: await listRemovals(await sessionOf(workspaceId)),
    }),
  } satisfies EngineHandlers;
}
