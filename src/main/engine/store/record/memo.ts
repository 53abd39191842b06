/** Returns the cached value of a key, or computes it. A cache with `max` values is emptied before the next. */
export function memo<K, V>(cache: Map<K, V>, key: K, make: () => V, max = Number.POSITIVE_INFINITY): V {
  let value = cache.get(key);
  if (value === undefined) {
    value = make();
    if (cache.size >= max) cache.clear();
    cache.set(key, value);
  }
  return value;
}
