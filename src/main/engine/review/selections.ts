import { randomUUID } from 'node:crypto';
import type { Totals } from '../../../contract/query.ts';
import { DeskError } from '../../lib/errors.ts';
import type { FrozenClaim } from '../store/record/reviewed-claims.ts';

/** How many selections stay open; the oldest is dropped first. */
const maxSelections = 10;
/** A whole event is one entry of the journal: this many claims are about 50 MB. */
export const maxSelected = 50_000;

/** Claims as they were when an act on them was asked for. */
export interface Selection {
  readonly workspaceId: string;
  readonly claims: readonly FrozenClaim[];
  /** The last event of then. */
  readonly end: { readonly seq: number; readonly id: string };
  /** What the list was filtered by, as JSON text; null where the claims come from elsewhere. */
  readonly filter: string | null;
}

/** Keeps what a person was shown until they confirm it. */
export function createSelections<T extends { readonly workspaceId: string }>() {
  const open = new Map<string, T>();
  return {
    add(selection: T): string {
      const id = randomUUID();
      open.set(id, selection);
      const [oldest] = open.keys();
      if (open.size > maxSelections && oldest !== undefined) open.delete(oldest);
      return id;
    },
    /** @throws DeskError `review.noSelection` */
    get(workspaceId: string, id: string): T {
      const selection = open.get(id);
      if (selection === undefined || selection.workspaceId !== workspaceId)
        throw new DeskError('review.noSelection');
      return selection;
    },
    /** It was acted on: doing it twice takes another selection. */
    remove: (id: string): void => void open.delete(id),
  };
}

/** Count and exact sums of frozen claims. */
export function totalsOf(claims: readonly FrozenClaim[]): Totals {
  const sum = (index: number) => {
    let total: bigint | null = null;
    for (const { amounts } of claims) {
      const amount = amounts[index] ?? null;
      if (amount !== null) total = (total ?? 0n) + BigInt(amount);
    }
    if (total === null) return null;
    return Number.isSafeInteger(Number(total)) ? Number(total) : String(total);
  };
  return {
    count: claims.length,
    billed: sum(0),
    allowed: sum(1),
    paid: sum(2),
    patientResponsibility: sum(3),
  };
}
