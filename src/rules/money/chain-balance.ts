import { type ChainRole, doesCount, isStanding } from './chains.ts';

/** A claim of a chain with its own amounts as decided, in ten-thousandths of a dollar; null: not known. */
export interface ChainMember {
  readonly id: number;
  readonly role: ChainRole;
  /** The claim that replaces it, takes it back, or is its correction; the one that it takes back, corrects or adds to. */
  readonly by: number | null;
  readonly eligible: number | null;
  readonly disputed: number | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
  /** The day of its last payment; null: none. */
  readonly paidOn: string | null;
}

/** What a claim has of its chain: its role, and what the other claims bring to the one balance of the chain. */
export interface ChainRest {
  readonly role: ChainRole;
  readonly by: number | null;
  /** The balance of the chain is shown on this claim. */
  readonly isShown: boolean;
  /** It is a correction that replaces another claim. */
  readonly replaces: boolean;
  /** Null: not known. */
  readonly eligible: number | null;
  readonly disputed: number | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
}

const addUp = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);

/** The claim that stands or, where none does, the last one that was paid. */
function findShown(members: readonly ChainMember[]): ChainMember | undefined {
  const dayOf = ({ paidOn }: ChainMember): string => paidOn ?? '';
  const byDay = members.toSorted(
    (a, b) => Number(dayOf(a) > dayOf(b)) - Number(dayOf(a) < dayOf(b)) || a.id - b.id,
  );
  return (
    members.find(({ role }) => isStanding(role)) ??
    byDay.findLast(({ paidOn }) => paidOn !== null) ??
    byDay[0]
  );
}

/** What each of these claims, which are all of a chain, has of it. */
export function shareChain(members: readonly ChainMember[]): Map<number, ChainRest> {
  const shown = findShown(members);
  return new Map(
    members.map((member) => {
      const others = members.filter(({ id }) => id !== member.id);
      const counted = others.filter(({ role }) => doesCount(role));
      return [
        member.id,
        {
          role: member.role,
          by: member.by,
          isShown: member.id === shown?.id,
          replaces: isStanding(member.role) && others.some(({ role }) => role === 'replaced'),
          eligible: addUp(counted.map((one) => one.eligible)),
          disputed: addUp(counted.map((one) => one.disputed)),
          reimbursed: others.reduce((all, one) => all + one.reimbursed, 0),
          writtenOff: others.reduce((all, one) => all + one.writtenOff, 0),
        },
      ];
    }),
  );
}
