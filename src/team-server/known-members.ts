import { headerOf } from '../team-protocol/entry.ts';
import type { NumberedEntry } from '../team-protocol/frame.ts';
import { applyMembership, type Members, readMembership } from '../team-protocol/membership.ts';
import type { TeamHead } from './store/entry-store.ts';
import type { TeamStore } from './store/team-store.ts';

/** The members of a team after the membership with this number. */
interface KnownMembers {
  readonly membership: number;
  readonly members: Members | null;
}

/** Keeps the members of each team, so that only memberships that are new are read and folded. */
export function createKnownMembers(store: TeamStore) {
  const known = new Map<string, KnownMembers>();
  const knownOf = (team: string): KnownMembers => known.get(team) ?? { membership: 0, members: null };

  const fold = (start: KnownMembers, entries: readonly NumberedEntry[]): KnownMembers => {
    let { members, membership } = start;
    for (const entry of entries) {
      const { number, head } = entry;
      const header = headerOf(entry);
      const act = header === null ? null : readMembership(header, head);
      const next = header === null || act === null ? null : applyMembership(members, { number, header, act });
      // It was accepted by the same rules, so the database was changed by something else.
      if (next === null || typeof next === 'string')
        throw new Error(`Entry ${number} is no valid membership.`);
      [members, membership] = [next, number];
    }
    return { members, membership };
  };
  const remember = (team: string, one: KnownMembers): void => {
    if (one.membership > knownOf(team).membership) known.set(team, one);
  };

  /** The head of a team with its members at that moment; null where there is no such team. */
  const readState = async (team: string): Promise<{ head: TeamHead; members: Members } | null> => {
    const head = await store.readHead(team);
    if (head === null) return null;
    // A database can lose its newest entries: a standby that takes over, or one that was restored.
    if (knownOf(team).membership > head.membership) known.delete(team);
    let state = knownOf(team);
    if (state.membership < head.membership) {
      state = fold(state, await store.readMemberships(team, state.membership));
      remember(team, state);
    }
    return state.members === null ? null : { head, members: state.members };
  };
  return { knownOf, fold, remember, readState };
}
