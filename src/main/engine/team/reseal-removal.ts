import { type Entry, type EntryHeader, headerOf } from '../../../team-protocol/entry.ts';
import { readNumbered } from '../../../team-protocol/frame.ts';
import { type SealingKey, seal } from '../../../team-protocol/seal.ts';
import { toInline } from './entry-parts.ts';
import type { KnownRemoval } from './known-removals.ts';
import { openContent } from './read-event.ts';
import type { TeamMembers } from './team-members.ts';

/** The parts of a removal that is here, sealed with the newest team key; none for another entry. */
export function resealParts(
  { id }: Pick<EntryHeader, 'id'>,
  removals: readonly KnownRemoval[],
  keys: TeamMembers['keys'],
  key: SealingKey,
): (Buffer | null)[] {
  const [kept] = readNumbered(removals.find((removal) => removal.id === id)?.frame ?? new Uint8Array()) ?? [];
  const header = kept === undefined ? null : headerOf(kept);
  if (kept === undefined || header === null) return [];
  return kept.parts.map((sealed, part) => {
    const content = sealed === null ? null : openContent(header, sealed, part, keys);
    return content === null ? null : seal(content, { team: header.team, entryId: id, part }, key);
  });
}

/** Rebuilds a removal that is here for a server that lost it. Large parts are sent by `pushMissing`. */
export function rebuildRemoval(
  id: string,
  removals: readonly KnownRemoval[],
  keys: TeamMembers['keys'],
  key: SealingKey,
): Entry | null {
  const [kept] = readNumbered(removals.find((removal) => removal.id === id)?.frame ?? new Uint8Array()) ?? [];
  if (kept === undefined) return null;
  const parts = resealParts({ id }, removals, keys, key);
  const { header, signature, head } = kept;
  return { header, signature, head, parts: toInline(parts) };
}
