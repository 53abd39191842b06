/** The value of a key, made where the map has none; a map of `max` values is emptied first. */
export function memo<K, V>(known: Map<K, V>, key: K, make: () => V, max = Number.POSITIVE_INFINITY): V {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    if (known.size >= max) known.clear();
    known.set(key, value);
  }
  return value;
}
