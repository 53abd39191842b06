import { z } from 'zod';

/** The purposes of saved files, with their extensions. A save target is valid for its purpose only. */
export const saveExtensions = {
  records: '.csv',
  workbook: '.xlsx',
  statement: '.pdf',
  text: '.txt',
  view: '.json',
  auditLog: '.jsonl',
  calendar: '.ics',
  teamLog: '.jsonl',
  reviews: '.claimdesk-reviews',
  /** A document keeps the extension of its type. */
  document: '',
  publicKey: '.pub',
  keyBackup: '.key',
} as const;

export type SavePurpose = keyof typeof saveExtensions;

/**
 * The suggested name, which a shell without a dialog uses unchanged: no path, not hidden, with the extension.
 */
export const saveTargetRequestSchema = z
  .object({
    purpose: z.enum(Object.keys(saveExtensions) as [SavePurpose, ...SavePurpose[]]),
    suggestedName: z.string().regex(/^[A-Za-z0-9_][\w. -]{1,119}$/),
  })
  .refine(({ purpose, suggestedName }) => suggestedName.endsWith(saveExtensions[purpose]));

/** The path that means the standard output. */
export const standardOutput = '-';
