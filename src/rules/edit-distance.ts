/** The letters of a text as bits; some share one. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

function hasMoreThan(limit: number, letters: number): boolean {
  let rest = letters;
  for (let count = 0; count < limit; count += 1) rest &= rest - 1;
  return rest !== 0;
}

/**
 * How many letters are wrong between two texts: added, left out, changed, or swapped with the next one. Above `limit`
 * the result is `limit + 1`.
 */
export function editDistance(text: string, other: string, limit: number): number {
  if (Math.abs(text.length - other.length) > limit) return limit + 1;
  // One wrong letter causes at most one letter that only this text has, and one that only the other has.
  const [letters, others] = [lettersOf(text), lettersOf(other)];
  if (hasMoreThan(limit, letters & ~others) || hasMoreThan(limit, others & ~letters)) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_none, at) => at);
  for (let row = 1; row <= text.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = text[row - 1] === other[column - 1];
      const isSwapped = text[row - 1] === other[column - 2] && text[row - 2] === other[column - 1];
      now[column] = Math.min(
        (last[column] as number) + 1,
        (now[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (beforeLast[column - 2] as number) + 1 : limit + 1,
      );
    }
    if (Math.min(...now) > limit) return limit + 1;
    beforeLast = last;
    last = now;
  }
  return Math.min(last[other.length] as number, limit + 1);
}
