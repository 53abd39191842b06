import { editDistance } from '../edit-distance.ts';

/** The spelling in which each name that claims wait on is shown, by the text that was written. */
export type Spellings = ReadonlyMap<string, string>;

/** Roles that claims usually wait on. */
export const usualWhom: readonly string[] = ['Carrier', 'Member', 'Provider', 'Employer'];

/** Capitals, spaces, and punctuation are ignored; in an address or with a number, punctuation counts. */
const plainOf = (name: string): string => {
  const folded = name.trim().toLowerCase();
  return /[@\p{N}]/u.test(folded) ? folded : folded.replaceAll(/[^\p{L}]+/gu, '');
};

/** The spelling that is already used for what was typed, or what was typed. */
export function chooseSpelling(typed: string, used: readonly string[]): string {
  const name = typed.trim().replaceAll(/\s+/g, ' ');
  return used.includes(name) ? name : (used.find((spelling) => plainOf(spelling) === plainOf(name)) ?? name);
}

function isAlike(name: string, other: string): boolean {
  const [plain, second] = [plainOf(name), plainOf(other)];
  if (plain === second) return true;
  // Two addresses or two numbers that differ by a character are different.
  if (/[@\p{N}]/u.test(plain + second)) return false;
  const limit =
    Math.min(plain.length, second.length) < 5 ? 0 : Math.min(plain.length, second.length) < 9 ? 1 : 2;
  return editDistance(plain, second, limit) <= limit;
}

/** Two spellings of what may be one name; `shown` is a usual role, or the spelling that more claims have. */
export interface SpellingPair {
  readonly written: string;
  readonly shown: string;
}

/**
 * Returns pairs of names in use that look like the same name, each name as `written` at most once. Names that were
 * decided before are not proposed again.
 */
export function proposeSpellings(
  used: readonly { readonly name: string; readonly count: number }[],
  decided: Spellings,
): SpellingPair[] {
  const rank = (name: string): number => (usualWhom.includes(name) ? 1 : 0);
  const names = [...used].sort(
    (a, b) => rank(b.name) - rank(a.name) || b.count - a.count || (a.name < b.name ? -1 : 1),
  );
  return names.flatMap(({ name: written }, at) => {
    // An address identifies one person, who has a separate list of waiting claims.
    if (decided.has(written) || written.includes('@')) return [];
    const shown = names.slice(0, at).find(({ name }) => isAlike(name, written))?.name;
    return shown === undefined ? [] : [{ written, shown }];
  });
}
