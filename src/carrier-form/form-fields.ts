import { isObject, type Json, listIn } from './json.ts';

/** Every field of the form, including those that only a condition or a choice adds; a name may occur several times. */
export function fieldsIn(form: Json): [string, Json][] {
  const properties = isObject(form.properties) ? Object.entries(form.properties) : [];
  const others = [form.oneOf, form.anyOf, form.allOf, [form.then, form.else]]
    .flatMap(listIn)
    .filter(isObject);
  return [
    ...properties.filter((entry): entry is [string, Json] => isObject(entry[1])),
    ...others.flatMap(fieldsIn),
  ];
}

/** The same by name; the schemas of a name that occurs several times are combined into one. */
export function fieldsByName(form: Json): ReadonlyMap<string, Json> {
  const propertiesByName = new Map<string, Json[]>();
  for (const [name, property] of fieldsIn(form)) {
    const sameNamed = propertiesByName.get(name);
    if (sameNamed === undefined) propertiesByName.set(name, [property]);
    else sameNamed.push(property);
  }
  return new Map([...propertiesByName].map(([name, all]) => [name, asOne(all)]));
}

function asOne(all: readonly Json[]): Json {
  const [first = {}, ...others] = all;
  if (others.length === 0) return first;
  return { ...first, ...(all.some(isSecret) ? { format: 'password' } : {}), anyOf: all };
}

/** null: there is no such field. */
export const fieldIn = (form: Json, name: string): Json | null => fieldsByName(form).get(name) ?? null;

/** The type of a field without null, which a choice may have in addition. */
export const typeOf = ({ type }: Json): string =>
  String(Array.isArray(type) ? type.find((typeName) => typeName !== 'null') : type);

export const isSecret = (property: Json): boolean => property.format === 'password';

/** The values that fields of the form have, and no others. */
export const keepFields = (form: Json, filled: unknown): unknown =>
  pick(form, filled, (property) => property !== null);

/** The entered values without those of secret fields, at any depth; values without a field are kept. */
export const withoutSecrets = (form: Json, filled: unknown): unknown =>
  pick(form, filled, (property) => property === null || !isSecret(property));

function pick(form: Json, filled: unknown, isKept: (property: Json | null) => boolean): unknown {
  if (Array.isArray(filled)) {
    const { items } = form;
    if (!isObject(items)) return filled;
    return isKept(items) ? filled.map((entry) => pick(items, entry, isKept)) : [];
  }
  if (!isObject(filled)) return filled;
  const fields = fieldsByName(form);
  return Object.fromEntries(
    Object.entries(filled).flatMap(([name, value]) => {
      const property = fields.get(name) ?? null;
      if (!isKept(property)) return [];
      return [[name, property === null ? value : pick(property, value, isKept)]];
    }),
  );
}

/** The paths of secret fields, apart from those in lists; each once. */
export const secretPaths = (form: Json, above: readonly string[] = []): string[][] =>
  [...fieldsByName(form)].flatMap(([name, property]) =>
    isSecret(property) ? [[...above, name]] : secretPaths(property, [...above, name]),
  );
