import { teamFactKinds } from '../../../rules/review/event-kinds.ts';
import { readFact } from '../../../rules/review/fold-review.ts';
import { mayChange } from '../../../rules/review/team-settings.ts';
import { type EntryHeader, headerOf } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { countAdmins, findMember, type Members } from '../../../team-protocol/membership.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import type { KeptFact } from '../store/user-data/kept-facts.ts';

/**
 * Whether only an admin may have written an event, by its content and the members before it. The server can't read it,
 * so every computer checks the changes of settings that it knows.
 */
export function needsAdmin([entry]: readonly FiledEntry[], members: Members | null): boolean {
  const fact = entry?.kind === 'teamSettings' ? readFact(entry.fact) : null;
  if (fact?.kind !== 'teamSettings') return false;
  return !fact.changes.every((change) => mayChange('reviewer', change, countAdmins(members)));
}

/** Whether an event changes settings of the team, so that its position in the log matters. */
export const isSettings = ([entry]: readonly FiledEntry[]): boolean => entry?.kind === 'teamSettings';

/** The facts to store of an accepted entry: none where it is about a claim. `members`: those before it. */
export function toKeptFacts(
  numbered: NumberedEntry,
  [entry]: readonly Pick<FiledEntry, 'id' | 'at' | 'author' | 'kind' | 'fact'>[],
  members: Members | null,
  ownComputer: string,
): KeptFact[] {
  if (entry === undefined || !teamFactKinds.includes(entry.kind)) return [];
  const { computer = '' }: Partial<EntryHeader> = headerOf(numbered) ?? {};
  const role = findMember(members, computer)?.role;
  if (role === undefined) return [];
  const { id, at, author, kind, fact } = entry;
  return [
    {
      number: numbered.number,
      id,
      at,
      author,
      computer,
      role,
      kind,
      is_own: computer === ownComputer ? 1 : 0,
      fact,
    },
  ];
}
