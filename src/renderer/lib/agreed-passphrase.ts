/** The least that the file of a backed-up key takes, and an unlock passphrase; main checks them again. */
export const minLengthOf = { backup: 8, unlock: 12 } as const;

export interface TypedTwice {
  readonly first: string;
  readonly second: string;
}

/** The passphrase, once it is long enough and typed the same twice; blanks count. */
export function agreedPassphrase({ first, second }: TypedTwice, minLength: number): string | null {
  return first.length >= minLength && first === second ? first : null;
}
