import { z } from 'zod';

// Parts that the schemas of several procedures share.

export const nothing = z.object({}).strict();
export const done = z.object({ isDone: z.literal(true) });
export const workspaceRef = z.object({ workspaceId: z.string() });
export const recordRef = workspaceRef.extend({ id: z.int() });
/** A part of a list; `offset` is from 0. */
export const pageRef = z.object({ offset: z.int().min(0), limit: z.int().min(1).max(1000) });
export const keyRef = z.object({ keyId: z.string() });

/** The contents of an engine's answer. Each procedure declares them, and the engine acts on them. */
interface AnswerTraits {
  /** It has texts of records, in which SSNs are masked. */
  readonly hasRecords: boolean;
  /**
   * Whether it has, or depends on, values computed from claims and reviews, which are brought up to date first.
   * `byInput`: the engine decides by the input.
   */
  readonly readsFacts: 'never' | 'always' | 'byInput';
}

export const withoutRecords = { hasRecords: false, readsFacts: 'never' } as const;
export const withRecords = { hasRecords: true, readsFacts: 'never' } as const;
export const withFacts = { hasRecords: true, readsFacts: 'always' } as const;

export const inEngine = <I extends z.ZodType, O extends z.ZodType, const T extends AnswerTraits>(
  input: I,
  output: O,
  traits: T,
) => ({ answeredBy: 'engine', input, output, traits }) as const;

export const inMain = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) =>
  ({ answeredBy: 'main', input, output }) as const;
