export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** State of reading a form: the target of its references, and how many schemas may still be read. */
export interface Reading {
  readonly root: Json;
  left: number;
}

const maxHops = 10;

/** A schema with its `$ref` inside the form resolved; one that leads nowhere is removed. */
export function resolveRef(schema: Json, { root }: Reading): Json {
  let found = schema;
  for (let hop = 0; found.$ref !== undefined; hop += 1) {
    const { $ref, ...rest } = found;
    const target = hop < maxHops ? findByPointer($ref, root) : null;
    found = { ...target, ...rest };
  }
  return found;
}

function findByPointer(ref: unknown, root: Json): Json | null {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return null;
  const names = ref.slice(2).split('/');
  const found = names.reduce<unknown>((at, name) => {
    const key = decodePart(name);
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
  return isObject(found) ? found : null;
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/**
 * A schema with the parts of its `allOf` merged into it: all properties and required names, and of any other keyword
 * the first one. A part with a choice or a condition stays in `allOf`.
 */
export function mergeAllOf(schema: Json, reading: Reading, depth = 0): Json {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...rest } = schema;
  const parts = (allOf as unknown[]).filter(isObject).flatMap((part) => {
    reading.left -= 1;
    if (reading.left < 0 || depth > maxHops) return [];
    return [mergeAllOf(resolveRef(part, reading), reading, depth + 1)];
  });
  const isChoice = (part: Json): boolean =>
    ['oneOf', 'anyOf', 'allOf', 'if'].some((keyword) => keyword in part);
  const merged = parts.filter((part) => !isChoice(part)).reduce<Json>(mergeTwo, rest);
  const left = parts.filter(isChoice);
  return left.length === 0 ? merged : { ...merged, allOf: left };
}

function mergeTwo(first: Json, second: Json): Json {
  const properties = [first.properties, second.properties].filter(isObject);
  const required = [first.required, second.required].filter((one) => Array.isArray(one)).flat();
  return {
    ...second,
    ...first,
    ...(properties.length === 0 ? {} : { properties: mergeProperties(properties) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function mergeProperties(all: readonly Json[]): Json {
  const merged = new Map<string, unknown>();
  for (const [name, property] of all.flatMap(Object.entries) as [string, unknown][]) {
    const known = merged.get(name);
    merged.set(name, isObject(known) && isObject(property) ? { ...property, ...known } : property);
  }
  return Object.fromEntries(merged);
}
