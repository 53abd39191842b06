import { z } from 'zod';
import { type ContentRest, commitmentOf } from './commitment.ts';
import { type EntryHeader, entryIdSchema, momentSchema, tagLength } from './entry.ts';
import { readOpenHead, writeOpenHead } from './open-head.ts';

// A removal for the team is an entry of kind `removal` by an admin. Its head is not encrypted, so that the server can
// carry it out: the IDs of the entries whose content it deletes. The content of an entry is deleted completely; what it
// says about claims that were not removed is repeated in the parts of the removal, and proven by the commitments in its
// author's header. The chain, over headers and signatures, stays valid. Part 0, the statement, says what is removed and why. It is sealed, so that the server learns neither person,
// day nor claim. Every further part is a list of `RemovalRest`. A large removal has several entries with one `removal`.

/** The largest number of entries that one entry removes. */
export const maxRemovedEntries = 10_000;
/** The largest number of removals that are acknowledged at once. */
export const maxDoneRemovals = 100;
/** The largest length of a removal's head in bytes. */
const maxRemovalBytes = 700_000;

const removalActSchema = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('remove'), entries: z.array(entryIdSchema).max(maxRemovedEntries) }),
  /** The author's computer has removed the content of these entries. */
  z.strictObject({
    act: z.literal('done'),
    removals: z.array(entryIdSchema).min(1).max(maxDoneRemovals),
  }),
]);
export type RemovalAct = z.infer<typeof removalActSchema>;

export const writeRemoval = (act: RemovalAct): { head: Buffer; commitment: string } =>
  writeOpenHead(JSON.stringify(act));

/** Reads the head of a removal; null where it is not the one of this header. */
export function readRemoval(header: EntryHeader, head: Uint8Array): RemovalAct | null {
  if (header.kind !== 'removal') return null;
  const parsed = removalActSchema.safeParse(readOpenHead(header, head, maxRemovalBytes));
  if (!parsed.success) return null;
  // A removal has its statement, an acknowledgement nothing.
  return header.parts.length > 0 === (parsed.data.act === 'remove') ? parsed.data : null;
}

/** The rule of a removal: by member, last day of service, employer (IDs of the service), or everything. */
const removalRuleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('member'), memberId: z.int() }),
  z.strictObject({ kind: z.literal('claimsBefore'), date: z.iso.date() }),
  z.strictObject({ kind: z.literal('employer'), employerId: z.int() }),
  z.strictObject({ kind: z.literal('everything') }),
]);
export type RemovalRule = z.infer<typeof removalRuleSchema>;

export const maxTags = 900_000;

/** Part 0 of a removal. */
export const statementSchema = z.strictObject({
  /** The same in all entries of one removal. */
  removal: z.uuid(),
  rule: removalRuleSchema,
  reason: z.string().min(1).max(500),
  /** When it was decided; the entries of one removal have the same. */
  at: momentSchema,
  /** Tags of removed claims (`tagOf`), one after the other. */
  tags: z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/)
    .max(maxTags * tagLength)
    .refine((text) => text.length % tagLength === 0),
  /** Whether nothing of the removal follows. */
  isLast: z.boolean(),
});
export type RemovalStatement = z.infer<typeof statementSchema>;

const contentRestSchema: z.ZodType<ContentRest> = z.strictObject({
  lines: z.array(z.string()),
  proof: z.array(z.string().max(43)),
});

/**
 * The rest of an event: the header and signature of its author, and the rests of its head and of one of its
 * parts (`commitment.ts`). A head has two lines, of which a removal drops the second, the filter of a list.
 */
export const restSchema = z.strictObject({
  header: z.string(),
  signature: z.base64(),
  head: contentRestSchema,
  part: z.int().min(0),
  claims: contentRestSchema,
});
export type RemovalRest = z.infer<typeof restSchema>;

export const headLines = 2;

/** Whether the author of an event committed to the content that a removal keeps of it. The signature is checked apart. */
export function isRestProven({ head, parts }: EntryHeader, rest: RemovalRest): boolean {
  const [count, commitment] = parts[rest.part] ?? [];
  return (
    count !== undefined &&
    rest.head.lines.length > 0 &&
    commitmentOf(rest.head, headLines) === head &&
    commitmentOf(rest.claims, count) === commitment
  );
}
