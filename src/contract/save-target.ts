import { z } from 'zod';

/** What a file is saved for, with the extension that such a file has. A target is good for its purpose only. */
export const saveExtensions = {
  records: '.csv',
  workbook: '.xlsx',
  view: '.json',
  auditLog: '.jsonl',
  reviews: '.claimdesk-reviews',
  publicKey: '.pub',
  keyBackup: '.key',
} as const;

export type SavePurpose = keyof typeof saveExtensions;

/** The name is a suggestion that a shell without a dialog follows: plain, visible, of the purpose's extension. */
export const saveTargetRequestSchema = z
  .object({
    purpose: z.enum(Object.keys(saveExtensions) as [SavePurpose, ...SavePurpose[]]),
    suggestedName: z.string().regex(/^[A-Za-z0-9_][\w. -]{1,119}$/),
  })
  .refine(({ purpose, suggestedName }) => suggestedName.endsWith(saveExtensions[purpose]));
