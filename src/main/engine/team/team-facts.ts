import { teamFactKinds } from '../../../contract/review.ts';
import { mayChange } from '../../../contract/team-settings.ts';
import { type EntryHeader, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { findMember, type Members, type TeamRole } from '../../../team-protocol/membership.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import { readFact } from '../store/user-data/fold-review.ts';
import type { KeptFact } from '../store/user-data/team-facts.ts';

/**
 * Whether a member of this role may have written an event, by its content. The server cannot read it, so every computer
 * judges the changes of settings that it knows.
 */
export function mayWrite(role: TeamRole, [entry]: readonly FiledEntry[]): boolean {
  if (entry?.kind !== 'teamSettings') return true;
  const fact = readFact(entry.fact);
  return fact?.kind !== 'teamSettings' || fact.changes.every((change) => mayChange(role, change));
}

/** The facts to store of an accepted entry: none where it is about a claim. `members`: those before it. */
export function toKeptFacts(
  { number, header: text }: NumberedEntry,
  [entry]: readonly FiledEntry[],
  members: Members | null,
  ownComputer: string,
): KeptFact[] {
  const { computer = '' }: Partial<EntryHeader> = readHeader(text) ?? {};
  const role = findMember(members, computer)?.role;
  if (entry === undefined || role === undefined || !teamFactKinds.includes(entry.kind)) return [];
  const { id, at, author, kind, fact } = entry;
  return [{ number, id, at, author, computer, role, kind, is_own: computer === ownComputer ? 1 : 0, fact }];
}
