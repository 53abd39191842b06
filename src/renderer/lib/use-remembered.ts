import { useState } from 'react';

const kept = new Map<string, unknown>();

/** Keeps state while the user visits another page: in memory only, dropped with the window and at a lock. */
export function useRemembered<T>(key: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => (kept.has(key) ? (kept.get(key) as T) : initial));
  const change = (next: T): void => {
    kept.set(key, next);
    setValue(next);
  };
  return [value, change];
}
