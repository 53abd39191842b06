import { z } from 'zod';
import { type ChainRole, chainRoles, doesCount, isStanding } from './chains.ts';

/** A claim of a chain with its own amounts as decided, in ten-thousandths of a dollar; null: unknown. */
export interface ChainMember {
  readonly id: number;
  readonly role: ChainRole;
  /** The claim that replaces, reverses or corrects it, or that it reverses, corrects or adds to. */
  readonly by: number | null;
  readonly eligible: number | null;
  readonly disputed: number | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
  /** The day of its last payment; null: none. */
  readonly paidOn: string | null;
}

/** The position of a claim in its chain: its role, and what the other claims add to the chain's one balance. */
export const chainRestSchema = z.object({
  role: z.enum(chainRoles),
  by: z.int().nullable(),
  /** Whether this claim shows the balance of the chain. */
  isShown: z.boolean(),
  /** Whether it is a correction that replaces another claim. */
  replaces: z.boolean(),
  /** Null: unknown. */
  eligible: z.int().nullable(),
  disputed: z.int().nullable(),
  reimbursed: z.int(),
  writtenOff: z.int(),
});
export type ChainRest = z.infer<typeof chainRestSchema>;

const addUp = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((all, amount) => (all === null || amount === null ? null : all + amount), 0);

/** Returns the claim that counts or, if none does, the one that was paid last. */
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

/** Returns the position of each claim in its chain; `members` are all claims of the chain. */
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
          eligible: addUp(counted.map((other) => other.eligible)),
          disputed: addUp(counted.map((other) => other.disputed)),
          reimbursed: others.reduce((all, other) => all + other.reimbursed, 0),
          writtenOff: others.reduce((all, other) => all + other.writtenOff, 0),
        },
      ];
    }),
  );
}
