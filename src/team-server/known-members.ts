import { headerOf, isOfOtherVersion } from '../team-protocol/entry.ts';
import type { NumberedEntry } from '../team-protocol/frame.ts';
import { applyMembership, type Members, readMembership } from '../team-protocol/membership.ts';
import { ApiError } from './api-error.ts';
import type { TeamHead } from './store/new-entry.ts';
import type { TeamStore } from './store/team-store.ts';

/** The members of a team after the membership with this number; `hash` is the chain's hash at that number. */
interface KnownMembers {
  readonly membership: number;
  readonly hash: string;
  readonly members: Members | null;
}

type ReadMemberships = (from: number) => Promise<readonly NumberedEntry[]>;

const none: KnownMembers = { membership: 0, hash: '', members: null };

/** Pure: the members after further memberships. @throws where one of them has no effect */
function fold(start: KnownMembers, entries: readonly NumberedEntry[]): KnownMembers {
  let { members, membership, hash } = start;
  for (const entry of entries) {
    const header = headerOf(entry);
    if (header === null && isOfOtherVersion(entry.header)) throw new ApiError('team.oldLog');
    const act = header === null ? null : readMembership(header, entry.head);
    const next =
      header === null || act === null
        ? null
        : applyMembership(members, { number: entry.number, header, act });
    // The membership was accepted by the same rules, so something else changed the database.
    if (next === null || typeof next === 'string')
      throw new Error(`Entry ${entry.number} is no valid membership.`);
    [members, membership, hash] = [next, entry.number, entry.hash];
  }
  return { members, membership, hash };
}

/**
 * Caches the members of each team, so that only new memberships are read and folded. A cached state is valid as long as
 * the chain has its hash: a database that was restored, or a standby that took over, can lose its newest entries and
 * assign their numbers again.
 */
export function createKnownMembers(store: Pick<TeamStore, 'readHead' | 'readMemberships'>) {
  const membersByTeam = new Map<string, KnownMembers>();
  /** Teams whose memberships could not be folded last time. */
  const failing = new Set<string>();

  const foldFrom = async (
    start: KnownMembers,
    head: TeamHead,
    readMemberships: ReadMemberships,
  ): Promise<KnownMembers> => {
    if (start.hash === head.membershipHash) return start;
    const [first, ...next] = start.membership === 0 ? [] : await readMemberships(start.membership);
    const isSame = first?.number === start.membership && first.hash === start.hash;
    return isSame ? fold(start, next) : fold(none, await readMemberships(1));
  };
  /** The members at a head. If folding from the cached state fails, it is tried once from the start. */
  const membersAt = async (
    team: string,
    head: TeamHead,
    readMemberships: ReadMemberships,
  ): Promise<KnownMembers> => {
    const start = membersByTeam.get(team) ?? none;
    try {
      const state = await foldFrom(start, head, readMemberships).catch((thrown: unknown) => {
        if (start === none) throw thrown;
        return foldFrom(none, head, readMemberships);
      });
      failing.delete(team);
      return state;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) failing.add(team);
      throw thrown;
    }
  };

  /** The head of a team with its members at that moment; null where there is no such team. */
  const readState = async (team: string): Promise<{ head: TeamHead; members: Members } | null> => {
    const head = await store.readHead(team);
    if (head === null) return null;
    const state = await membersAt(team, head, (from) => store.readMemberships(team, from));
    membersByTeam.set(team, state);
    return state.members === null ? null : { head, members: state.members };
  };
  return {
    membersAt,
    readState,
    /** The cached members, without a query. */
    recall: (team: string): Members | null => membersByTeam.get(team)?.members ?? null,
    /** @throws where the members of a team can't be computed */
    async check(): Promise<void> {
      for (const team of [...failing]) await readState(team);
    },
  };
}
