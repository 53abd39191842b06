export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const namesIn = (value: unknown): string[] =>
  listIn(value).filter((name): name is string => typeof name === 'string');

/**
 * Equal as JSON, with the keys of objects in the same order. The contract has the same function, which must not be
 * imported here.
 */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
