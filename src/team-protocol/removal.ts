import { z } from 'zod';
import { type EntryHeader, entryIdSchema } from './entry.ts';
import { readOpenHead } from './open-head.ts';

// A removal for the team is an entry of kind `removal` by an admin. Its head is not encrypted, so that the server can
// carry it out: the IDs of the entries whose content it deletes. An entry is deleted completely, because a commitment
// is to a whole part; what it says about claims that were not removed is repeated in the parts of the removal, which
// the remover signs. The chain, over headers and signatures, stays valid; of the author's own text only the commitments
// remain. Part 0, the statement, says what is removed and why. It is sealed, so that the server learns neither person,
// day nor claim. Every further part is a list of `Rest`. A large removal has several entries with one `removal`.

/** The largest number of entries that one entry removes. */
const maxRemovedEntries = 10_000;
/** The largest number of removals that are acknowledged at once. */
const maxDoneRemovals = 100;
/** The largest length of a removal's head in bytes. */
const maxRemovalBytes = 700_000;

const removalActSchema = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('remove'), entries: z.array(entryIdSchema).max(maxRemovedEntries) }),
  /** The author's computer has removed what these entries say. */
  z.strictObject({
    act: z.literal('done'),
    removals: z.array(entryIdSchema).min(1).max(maxDoneRemovals),
  }),
]);
export type RemovalAct = z.infer<typeof removalActSchema>;

/** Reads the head of a removal; null where it is not the one of this header. */
export function readRemoval(header: EntryHeader, head: Uint8Array): RemovalAct | null {
  if (header.kind !== 'removal') return null;
  const parsed = removalActSchema.safeParse(readOpenHead(header, head, maxRemovalBytes));
  if (!parsed.success) return null;
  // A removal has its statement, an acknowledgement nothing.
  return header.parts.length > 0 === (parsed.data.act === 'remove') ? parsed.data : null;
}
