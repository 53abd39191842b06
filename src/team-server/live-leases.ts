import { hash } from 'node:crypto';
import { type Leases, leaseMs, type NewLeases, type TakenLeases } from '../team-protocol/leases.ts';
import { findMember, type Members } from '../team-protocol/membership.ts';
import type { TeamStore } from './store/team-store.ts';

const versionBytes = 16;

/** The leases of a team's claims: who has which claim open. Each function throws `StoreError`. */
export function createLeases(store: Pick<TeamStore, 'readLeases' | 'takeLeases'>, now: () => number) {
  /** Readers decide nothing, so they take no leases. */
  const mayHave = (members: Members) => (computer: string) => {
    const role = findMember(members, computer)?.role;
    return role === 'admin' || role === 'reviewer';
  };
  const read = async (team: string, members: Members): Promise<Leases> => {
    const isMember = mayHave(members);
    const leases = (await store.readLeases(team, now())).filter(({ computer }) => isMember(computer));
    const text = leases.map(({ tag, computer }) => `${tag} ${computer}`).join('\n');
    const version = hash('sha256', text, 'buffer').subarray(0, versionBytes).toString('base64url');
    return { version, leases };
  };
  return {
    read,
    async take(
      { team, computer, members }: { team: string; computer: string; members: Members },
      newLeases: NewLeases,
    ): Promise<{ reply: TakenLeases; isChanged: boolean }> {
      const times = { now: now(), until: now() + leaseMs };
      const { isChanged, ...taken } = await store.takeLeases(
        team,
        computer,
        newLeases,
        times,
        mayHave(members),
      );
      return { reply: taken, isChanged };
    },
  };
}

export type TeamLeases = ReturnType<typeof createLeases>;
