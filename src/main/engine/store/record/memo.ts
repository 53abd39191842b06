/** Returns the cached value of a key, or makes it; a cache of `max` values is emptied before another is added. */
export function memo<K, V>(known: Map<K, V>, key: K, make: () => V, max = Number.POSITIVE_INFINITY): V {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    if (known.size >= max) known.clear();
    known.set(key, value);
  }
  return value;
}
