import { z } from 'zod';

// Parts that the schemas of several procedures share.

export const nothing = z.object({}).strict();
export const done = z.object({ isDone: z.literal(true) });
export const workspaceRef = z.object({ workspaceId: z.string() });
export const recordRef = workspaceRef.extend({ id: z.int() });
/** A part of a list; `offset` is from 0. */
export const pageRef = z.object({ offset: z.int().min(0), limit: z.int().min(1).max(1000) });
export const keyRef = z.object({ keyId: z.string() });

export const inEngine = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) =>
  ({ answeredBy: 'engine', input, output }) as const;

export const inMain = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) =>
  ({ answeredBy: 'main', input, output }) as const;
