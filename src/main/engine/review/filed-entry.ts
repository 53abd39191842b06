import { z } from 'zod';
import { maxPayment } from '../../../rules/money/reimbursement.ts';
import { appAuthor, teamFactKinds } from '../../../rules/review/event-kinds.ts';
import { readFact } from '../../../rules/review/fold-review.ts';
import { reviewedReceiptSchema } from '../../../rules/review/review.ts';
import { reviewedValuesSchema } from '../../../rules/review/reviewed-values.ts';
import { ruleMarkSchema } from '../../../rules/review/rule-mark.ts';
import { memo } from '../store/record/memo.ts';
import type { ImportedEntry, ReviewEntry } from '../store/user-data/write-event.ts';

/**
 * A schema of JSON text with this content: a file from another computer is checked before it is stored. Texts that
 * passed are cached: events of one claim have the same values, and decisions the same facts.
 */
function jsonOf(schema: z.ZodType) {
  const cache = new Map<string, boolean>();
  return z.string().refine((text) => {
    try {
      return memo(cache, text, () => schema.safeParse(JSON.parse(text)).success, 500);
    } catch {
      return false;
    }
  });
}
const identitySchema = z.object({
  uuid: z.string().max(200).nullable(),
  number: z.string().max(200).nullable(),
  memberId: z.number().int().nullable(),
});
/** Loose, because a newer version of Claimdesk may have written more fields. */
const detailSchema = z.looseObject({
  otherClaimId: z.number().int().optional(),
  fingerprint: z.string().max(200).optional(),
  payments: z.array(z.object({ amount: z.int().min(1).max(maxPayment), day: z.iso.date() })).optional(),
  fromFile: z.literal(true).optional(),
  amounts: z.object({ eligible: z.number().int(), byRules: z.number().int().nullable() }).optional(),
  owner: z.string().max(200).optional(),
  rule: ruleMarkSchema.optional(),
  since: z.string().max(60).optional(),
  changed: z.array(z.string().max(80)).max(200).optional(),
  responsibility: z.number().int().nullable().optional(),
  after: z.string().max(60).optional(),
  other: z.object({ from: identitySchema, to: identitySchema }).optional(),
});
/** An event from a newer version of Claimdesk: of an unknown kind, or of a known kind in another form. */
const factSchema = z.looseObject({ kind: z.string().max(40) });
const placeSchema = z.object({
  id: z.string().min(1).max(60),
  at: z.iso.datetime(),
  folds_at: z
    .string()
    .regex(/^2\d{3}(-\d\d){2}T\d\d(:\d\d){2}\.\d{3}Z( [\dTZ.: -]*)?$/)
    .max(1000)
    .optional(),
  claims: z.array(
    z.tuple([
      z.number().int(),
      jsonOf(reviewedValuesSchema).nullable(),
      z.string().max(200).nullable(),
      jsonOf(detailSchema).nullable(),
    ]),
  ),
});
const fieldsShape = z.looseObject({
  // Control characters are refused, because the author is shown and recorded.
  author: z.string().regex(/^\P{C}{0,320}$/u),
  kind: z.string().max(40),
  fact: jsonOf(factSchema),
  filter: z.string().max(100_000).nullable(),
  undoes: z.string().max(60).nullable(),
  receipt: jsonOf(reviewedReceiptSchema).nullable(),
});

/**
 * Whether an entry has what Claimdesk writes for its kind: only an undo refers to what it undoes, and only a reopening
 * has Claimdesk itself as its author.
 */
function isOfKind({ author, kind, undoes, fact: text }: z.infer<typeof fieldsShape>): boolean {
  if ((JSON.parse(text) as z.infer<typeof factSchema>).kind !== kind) return false;
  if (readFact(text) === null) return true;
  return (undoes !== null) === (kind === 'undo') && (author !== appAuthor || kind === 'reopened');
}

const fieldsSchema = fieldsShape.refine(isOfKind);

/** Who signed an event: a computer, and the SSH key that signed its certificate. */
export interface Signer {
  readonly certificate: string;
  readonly computer: string;
  readonly fingerprint: string;
}

/** An entry of a file or a log with who signed it; null: it is not signed. */
export type FiledEntry = ImportedEntry & { readonly signer: Signer | null };

/** The line of an unsigned entry. Fields that this version does not know are written as they were received. */
export function toLine(entry: ReviewEntry): object {
  const {
    workspace_id: _workspaceId,
    is_imported: _isImported,
    proof: _proof,
    seen: _seen,
    folds_at,
    more,
    ...fields
  } = entry;
  const beside = more === null ? {} : (JSON.parse(more) as object);
  return { ...beside, ...fields, ...(folds_at === null ? {} : { folds_at }) };
}

/** The content of an entry, without its claims. */
export type EntryFields = Pick<
  FiledEntry,
  'author' | 'kind' | 'fact' | 'filter' | 'undoes' | 'receipt' | 'more'
>;

/** Reads the fields of a line, or of the head of a signed entry. Throws zod's error. */
export function readFields(read: unknown): EntryFields {
  const { author, kind, fact, filter, undoes, receipt, ...others } = fieldsSchema.parse(read);
  const { id: _id, at: _at, folds_at: _foldsAt, claims: _claims, ...beside } = others;
  const more = Object.keys(beside).length === 0 ? null : JSON.stringify(beside);
  return { author, kind, fact, filter, undoes, receipt, more };
}

type Signature = Pick<FiledEntry, 'proof' | 'signer'>;

/**
 * The entry with these fields, and with the ID, times and claims of `read`: a reopening is about one claim, a team's
 * fact about none. Throws an error.
 */
export function withClaims(
  fields: EntryFields,
  read: unknown,
  { proof, signer }: Signature = { proof: null, signer: null },
): FiledEntry {
  const { id, at, folds_at = null, claims } = placeSchema.parse(read);
  const { kind, fact, author } = fields;
  const isRight = teamFactKinds.includes(kind)
    ? claims.length === 0
    : kind !== 'reopened' || author === appAuthor || claims.length === 1;
  if (!isRight && readFact(fact) !== null) throw new Error('Its kind is of other claims.');
  return { id, at, folds_at, ...fields, proof, signer, claims };
}

/** Reads a line, or the content of a signed entry. Throws an error. */
export const fromLine = (read: unknown, signature?: Signature): FiledEntry =>
  withClaims(readFields(read), read, signature);
