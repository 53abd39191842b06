/** The problems that keep a claim out of the other worklists: each kind is a part of *Exceptions*. */
const exceptionKinds = [
  'Could not be computed',
  'Adjustment to judge',
  'Gone',
  'Odd payment',
  'Another claim under its ID',
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

/** One problem of a claim; `why` is a phrase without a period. */
export interface ClaimException {
  readonly kind: ExceptionKind;
  readonly why: string;
}

/** The kinds and reasons as stored in the columns of a claim; null: no problem. */
export const joinExceptions = (
  exceptions: readonly ClaimException[],
): { readonly kinds: string | null; readonly why: string | null } => ({
  kinds: [...new Set(exceptions.map(({ kind }) => kind))].join(', ') || null,
  why: exceptions.map(({ why }) => why).join('; ') || null,
});
