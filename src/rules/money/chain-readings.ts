/**
 * The least and the most that the claims of an unclear chain may come to: one of them counts and replaces the others,
 * or all of them count. A reversal alone counts nothing. Null: an amount is unknown.
 */
export function readUnclear(
  amounts: readonly (number | null)[],
): { readonly least: number; readonly most: number } | null {
  const knownAmounts = amounts.filter((amount) => amount !== null);
  if (knownAmounts.length < amounts.length) return null;
  const sum = Math.max(
    0,
    knownAmounts.reduce((all, amount) => all + amount, 0),
  );
  const alone = knownAmounts.map((amount) => Math.max(0, amount));
  return { least: Math.min(sum, ...alone), most: Math.max(sum, ...alone) };
}
