import { z } from 'zod';
import { notices } from './notices.ts';
import { policySchema, policySourcesSchema } from './policy.ts';

/** Where secrets are stored, and whether they can be read right now. */
const secretsStateSchema = z.object({
  kind: z.enum(['keychain', 'vault', 'ephemeral']),
  state: z.enum(['ready', 'locked', 'missing']),
});

export const appInfoSchema = z.object({
  version: z.string(),
  shell: z.enum(['electron', 'browser', 'cli']),
  /** Whether this copy downloads its own updates, where settings and policy allow it. */
  canUpdate: z.boolean(),
  platform: z.string(),
  secrets: secretsStateSchema,
  isReadOnly: z.boolean(),
  isLocked: z.boolean(),
  /** The rules that an administrator has set for this computer. */
  policy: policySchema,
  /** Where each of these rules was set. */
  policySources: policySourcesSchema.optional(),
  notices: z.array(z.enum(notices)),
});
export type AppInfo = z.infer<typeof appInfoSchema>;
