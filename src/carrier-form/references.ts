import { isObject, type Json } from './json.ts';

/** State of reading a form: the target of its references, and how many schemas may still be read. */
export interface Reading {
  readonly root: Json;
  left: number;
}

const maxHops = 10;

/** A schema with its `$ref` inside the form resolved; a reference without a target is removed. */
export function resolveRef(schema: Json, { root }: Reading): Json {
  let resolved = schema;
  for (let hop = 0; resolved.$ref !== undefined; hop += 1) {
    const { $ref, ...rest } = resolved;
    const target = hop < maxHops ? findByPointer($ref, root) : null;
    resolved = { ...target, ...rest };
  }
  return resolved;
}

/** Null: the reference has no target. */
export function findByPointer(ref: unknown, root: Json): Json | null {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return null;
  const names = ref.slice(2).split('/');
  const target = names.reduce<unknown>((at, name) => {
    const key = decodePart(name);
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
  return isObject(target) ? target : null;
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
