/**
 * How many letters have to be added, removed, replaced or swapped with the next one to turn one word into the other.
 */
function countEdits(word: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_none, at) => at)];
  for (let row = 1; row <= word.length; row += 1) {
    const before = rows[row - 1] as number[];
    const current = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = word[row - 1] === other[at - 1];
      const changed = (before[at - 1] as number) + (isSame ? 0 : 1);
      let fewest = Math.min(changed, (before[at] as number) + 1, (current[at - 1] as number) + 1);
      if (row > 1 && at > 1 && word[row - 1] === other[at - 2] && word[row - 2] === other[at - 1])
        fewest = Math.min(fewest, (rows[row - 2]?.[at - 2] as number) + 1);
      current.push(fewest);
    }
    rows.push(current);
  }
  return rows[word.length]?.[other.length] as number;
}

/** The name that was probably meant: at most two edits away, or one for a short word; null if there is none. */
function findNearest(typed: string, names: Iterable<string>): string | null {
  const most = typed.length <= 4 ? 1 : 2;
  const [nearest] = [...new Set(names)]
    .map((name) => ({ name, edits: countEdits(typed, name) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name ?? null;
}

/** A question to append to a sentence about an unknown name; empty if no name is close. */
export function askNearest(typed: string, names: Iterable<string>, before = ''): string {
  const nearest = findNearest(typed, names);
  return nearest === null ? '' : `; did you mean ${before}${nearest}?`;
}
