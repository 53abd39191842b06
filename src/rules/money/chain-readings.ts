/**
 * The least and the most that the claims of an unclear chain may come to: one of them counts and replaces the others, or
 * all of them count. A reversal alone counts nothing. Null: an amount is not known.
 */
export function readUnclear(
  amounts: readonly (number | null)[],
): { readonly least: number; readonly most: number } | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length < amounts.length) return null;
  const sum = Math.max(
    0,
    known.reduce((all, one) => all + one, 0),
  );
  const alone = known.map((amount) => Math.max(0, amount));
  return { least: Math.min(sum, ...alone), most: Math.max(sum, ...alone) };
}
