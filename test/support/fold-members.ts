import {
  applyMembership,
  type MemberCode,
  type Members,
  type NumberedAct,
} from '../../src/team-protocol/membership.ts';

/** The members of a team over time. */
export interface MembersHistory {
  /** The members after the entry with this number; null before the first. */
  readonly at: (number: number) => Members | null;
  /** The numbers of entries that have no effect, and why. */
  readonly refused: ReadonlyMap<number, MemberCode>;
}

/** Pure: computes the members over time from the memberships of a team, in the order of their numbers. */
export function foldMembers(entries: readonly NumberedAct[]): MembersHistory {
  const states: { number: number; members: Members }[] = [];
  const refused = new Map<number, MemberCode>();
  for (const entry of entries) {
    const next = applyMembership(states.at(-1)?.members ?? null, entry);
    if (typeof next === 'string') refused.set(entry.number, next);
    else states.push({ number: entry.number, members: next });
  }
  return {
    at: (number) => states.findLast((state) => state.number <= number)?.members ?? null,
    refused,
  };
}
