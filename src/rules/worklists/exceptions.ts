/** The oddities that keep a claim from being worked on like others: each kind is a part of *Exceptions*. */
export const exceptionKinds = [
  'Could not be computed',
  'Adjustment to judge',
  'Gone',
  'Odd payment',
  'Another claim under its ID',
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

/** One thing that is odd about a claim; `why` is a phrase without its period. */
export interface ClaimException {
  readonly kind: ExceptionKind;
  readonly why: string;
}

/** The kinds and reasons as the columns of a claim have them; null: nothing is odd. */
export const joinExceptions = (
  exceptions: readonly ClaimException[],
): { readonly kinds: string | null; readonly why: string | null } => ({
  kinds: [...new Set(exceptions.map(({ kind }) => kind))].join(', ') || null,
  why: exceptions.map(({ why }) => why).join('; ') || null,
});
