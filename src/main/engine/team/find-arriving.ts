import { countClaims, headerOf } from '../../../team-protocol/entry.ts';
import type { LogState } from './log-state.ts';

/** The largest act on many claims whose parts are still arriving: its author and number of claims; null: none. */
export function findArriving({
  waiting,
  members: { members },
}: Pick<LogState, 'waiting' | 'members'>): { email: string; claims: number } | null {
  let largest: { email: string; claims: number } | null = null;
  for (const entry of waiting.values()) {
    const header = entry.parts.includes(null) ? headerOf(entry) : null;
    const email = members?.computers.get(header?.computer ?? '')?.email;
    if (header === null || email === undefined) continue;
    const claims = countClaims(header);
    if (claims > (largest?.claims ?? 0)) largest = { email, claims };
  }
  return largest;
}
