import { z } from 'zod';
import { localDayOf } from '../rules/days.ts';
import { documentKinds, documentLabels } from '../rules/document-kinds.ts';
import { letterKinds, letterTable } from '../rules/letters/letter-kinds.ts';
import type { Cell } from '../rules/query.ts';

/** Letters and documents are listed of at most so many claims. */
export const papersOfClaims = 10_000;

/** A letter or a document of a claim. `digest`: the SHA-256 of the letter's text or the document's bytes, in hexadecimal. */
export const paperSchema = z.object({
  id: z.string(),
  claimId: z.int(),
  patient: z.string().nullable(),
  at: z.string(),
  author: z.string(),
  /** Null: it is a document. */
  letter: z.enum(letterKinds).nullable(),
  document: z.enum(documentKinds).nullable(),
  /** The name of the document's file. */
  name: z.string().nullable(),
  digest: z.string(),
  /** The letter is no longer true, and no later one replaced it. */
  isUntrue: z.boolean(),
});
export type Paper = z.infer<typeof paperSchema>;

export const dayOfPaper = ({ at }: Paper): string => localDayOf(new Date(at));
export const sayPaper = ({ letter, document, name }: Paper): string =>
  letter !== null
    ? `Letter: ${letterTable[letter].label.toLowerCase()}`
    : `${document === null ? '' : documentLabels[document]}: ${name}`;

/** A row of the log of letters. */
export const toLetterRow = (paper: Paper): Cell[] => {
  const { claimId, patient, author, isUntrue, digest } = paper;
  return [dayOfPaper(paper), sayPaper(paper), claimId, patient, author, isUntrue ? 'Yes' : '', digest];
};
