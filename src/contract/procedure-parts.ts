import { z } from 'zod';

// What the inputs and outputs of procedures have in common.

export const nothing = z.object({}).strict();
export const done = z.object({ isDone: z.literal(true) });
export const workspaceRef = z.object({ workspaceId: z.string() });
export const recordRef = workspaceRef.extend({ id: z.number().int() });
export const keyRef = z.object({ keyId: z.string() });

export const inEngine = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) =>
  ({ answeredBy: 'engine', input, output }) as const;
