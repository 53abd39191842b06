import { z } from 'zod';
import { notices } from './notices.ts';
import { policySchema } from './policy.ts';

/** Where secrets are kept, and whether they can be had right now. */
export const secretsStateSchema = z.object({
  kind: z.enum(['keychain', 'vault', 'ephemeral']),
  state: z.enum(['ready', 'locked', 'missing']),
});

export const appInfoSchema = z.object({
  version: z.string(),
  shell: z.enum(['electron', 'browser', 'cli']),
  /** Whether this copy fetches new versions of itself, where settings and policy allow it. */
  canUpdate: z.boolean(),
  platform: z.string(),
  secrets: secretsStateSchema,
  isReadOnly: z.boolean(),
  isLocked: z.boolean(),
  /** What an administrator prescribes on this computer. */
  policy: policySchema,
  notices: z.array(z.enum(notices)),
});
export type AppInfo = z.infer<typeof appInfoSchema>;
