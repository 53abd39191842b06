import { z } from 'zod';
import { documentKinds, documentTypes } from '../document-kinds.ts';
import { letterKinds } from '../letters/letter-kinds.ts';
import { saidSchema } from '../letters/letter-said.ts';
import { paymentKinds } from '../money/reimbursement.ts';
import { amount, day, decisionSchema } from './decision.ts';

/** A note on a claim, or a call with a member, in its latest version. */
export const reviewNoteSchema = z.object({
  id: z.string(),
  text: z.string(),
  at: z.string(),
  author: z.string(),
  editedAt: z.string().nullable(),
  /** For a call: the claims of the family that were open then. */
  claimIds: z.array(z.int()).optional(),
  /** For a call among the notes of a claim: the member. */
  memberId: z.int().optional(),
});
export type ReviewNote = z.infer<typeof reviewNoteSchema>;

/** A document of a claim or a member, as last attached. */
export const reviewDocumentSchema = z.object({
  /** ID of the event that attached it, to be undone. */
  id: z.string(),
  /** IDs of the author's earlier events that attached the same bytes; they are undone with it. */
  earlierIds: z.array(z.string()),
  document: z.enum(documentKinds),
  name: z.string(),
  type: z.enum(documentTypes),
  bytes: z.int(),
  sha256: z.string(),
  day,
  at: z.string(),
  author: z.string(),
  /** Who marked it as sufficient for what the record lacks, by the event with this ID; null: it is not marked. */
  sufficient: z.object({ id: z.string(), at: z.string(), author: z.string() }).nullable(),
});
export type ReviewDocument = z.infer<typeof reviewDocumentSchema>;

/** A payment of a claim that counts. */
export const claimPaymentSchema = z.object({
  /** ID of the event that recorded it, to be undone. */
  id: z.string(),
  payment: z.enum(paymentKinds),
  amount,
  day,
  account: z.string(),
  author: z.string(),
  at: z.string(),
  run: z.string().optional(),
  /** Others who imported a file with the same payment; it counts once. */
  alsoBy: z.array(z.object({ author: z.string(), at: z.string() })),
});

export type ClaimPayment = z.infer<typeof claimPaymentSchema>;

/** One of several decisions on a claim whose authors had not seen each other's. */
export const madeDecisionSchema = z.object({
  id: z.string(),
  author: z.string(),
  at: z.string(),
  decision: decisionSchema,
  /** The amount that it makes eligible; null: unknown, or the amount that the rules give. */
  eligible: z.int().nullable(),
});

export type MadeDecision = z.infer<typeof madeDecisionSchema>;

/** A letter, as stored in its event. */
export const madeLetterSchema = z.object({
  id: z.string(),
  at: z.string(),
  author: z.string(),
  letter: z.enum(letterKinds),
  digest: z.string(),
  said: saidSchema,
});
export type MadeLetter = z.infer<typeof madeLetterSchema>;
