/** The minimum for the vault and for a backup; main checks it again. */
export const minLength = 8;

export interface TypedTwice {
  readonly first: string;
  readonly second: string;
}

/** The passphrase, once it is long enough and typed the same twice; blanks count. */
export function agreedPassphrase({ first, second }: TypedTwice): string | null {
  return first.length >= minLength && first === second ? first : null;
}
