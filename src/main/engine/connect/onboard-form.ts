import { isObject, type Json, mergeAllOf, type Reading, resolveRef } from './schema-parts.ts';

/** The login form of a carrier, as JSON Schema 2020-12 for the window, the validator and the command line. */
export type OnboardForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'form'; readonly schema: Json }
  /** There is a form, but it has no field that a person could fill in, or far too many. */
  | { readonly kind: 'unusable' };

const maxSchemas = 3_000;
const maxDepth = 12;
const secretName = /pass(word|wd|code|phrase)|secret|\b(pwd|pin)\b|_pin$/i;
const secretEnding = /[a-z]Pin$/;
const textTypes: readonly string[] = ['string', 'integer', 'number'];
const types: readonly string[] = [...textTypes, 'boolean', 'array', 'object'];

/**
 * A carrier's `onboard_form` (docs/service.md, "Connect calls"): wrapped or bare, `required` as an array or on a
 * property. The result requires only fields that are shown, has no references and no null types, and marks each
 * secret field by `format: "password"`, at any depth.
 *
 * @param hints `onboard_ui_schema`: a field that it hides is not shown
 */
export function readOnboardForm(given: unknown, hints: unknown): OnboardForm {
  if (given === null || given === undefined) return { kind: 'none' };
  const root = unwrap(given);
  if (root === null) return { kind: 'unusable' };
  const reading: Reading = { root, left: maxSchemas };
  const schema = readSchema(root, '', isObject(hints) ? hints : {}, reading, 0);
  const isForm = schema !== null && schema.type === 'object' && reading.left >= 0;
  return isForm ? { kind: 'form', schema } : { kind: 'unusable' };
}

function unwrap(given: unknown): Json | null {
  if (!isObject(given)) return null;
  const { schema } = given;
  if (isObject(given.properties) || !isObject(schema)) return given;
  return { type: 'object', ...schema, required: [...namesIn(schema.required), ...namesIn(given.required)] };
}

/** null: nothing is shown for it. */
function readSchema(given: unknown, name: string, hints: Json, reading: Reading, depth: number): Json | null {
  reading.left -= 1;
  if (!isObject(given) || depth > maxDepth || reading.left < 0) return null;
  const schema = withoutNull(mergeAllOf(resolveRef(given, reading), reading), reading);
  const type = readType(schema);
  if (type === null) return null;
  const read = (inner: unknown, innerName = name, innerHints = hints): Json | null =>
    readSchema(inner, innerName, innerHints, reading, depth + 1);
  const kept = readAnnotations(schema);
  const alternatives = readAlternatives(schema, type === 'object', read);
  if (type === 'object') {
    const { properties, required } = readProperties(schema, hints, read);
    const isEmpty = Object.keys(properties).length === 0 && Object.keys(alternatives).length === 0;
    return isEmpty ? null : { ...kept, type, properties, required, ...alternatives };
  }
  if (type === 'array') {
    const items = read(schema.items, name, isObject(hints.items) ? hints.items : {});
    return items === null ? null : { ...kept, type, items };
  }
  const isSecret = textTypes.includes(type) && !Array.isArray(schema.enum) && saysSecret(schema, name, hints);
  return { ...kept, type, ...alternatives, ...(isSecret ? { format: 'password' } : {}) };
}

function readProperties(
  schema: Json,
  hints: Json,
  read: (inner: unknown, name: string, hints: Json) => Json | null,
) {
  const given = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const asked = new Set(namesIn(schema.required));
  const all = given.flatMap(([name, inner]) => {
    // Not usable as the name of a field: each has a meaning in JSON Schema or JavaScript.
    if (name === '__proto__' || name.startsWith('$')) return [];
    const own = isObject(hints[name]) ? hints[name] : {};
    const property = read(inner, name, own);
    if (property === null) return [];
    const isFilledIn = widgetOf(own) !== 'hidden' && property.readOnly !== true;
    // A field that nobody can fill in is sent only where it has a value of its own.
    if (!isFilledIn && property.default === undefined && property.const === undefined) return [];
    const isRequired = asked.has(name) || (isObject(inner) && inner.required === true);
    return [{ name, property, isRequired: isRequired && isFilledIn, isFilledIn }];
  });
  const drawn = all.some(({ isFilledIn }) => isFilledIn) ? all : [];
  return {
    properties: Object.fromEntries(drawn.map(({ name, property }) => [name, property])),
    required: drawn.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  };
}

function readAlternatives(schema: Json, isOfObject: boolean, readAny: (inner: unknown) => Json | null): Json {
  const read = (inner: unknown): Json | null => {
    const found = readAny(inner);
    return isOfObject && found?.type !== 'object' ? null : found;
  };
  const lists = (['oneOf', 'anyOf', 'allOf'] as const).flatMap((keyword) => {
    const given = schema[keyword];
    const found = Array.isArray(given) ? given.flatMap((one) => read(one) ?? []) : [];
    return found.length === 0 ? [] : [[keyword, found] as const];
  });
  // A condition is only tested, so it is passed on unchanged; one with references could not be tested.
  if (!isObject(schema.if) || JSON.stringify(schema.if).includes('"$ref"')) return Object.fromEntries(lists);
  const branches = (['then', 'else'] as const).flatMap((keyword) => {
    const found = read(schema[keyword]);
    return found === null ? [] : [[keyword, found] as const];
  });
  const condition = branches.length === 0 ? [] : [['if', schema.if] as const, ...branches];
  return Object.fromEntries([...lists, ...condition]);
}

/** A choice between a schema and null, by which some servers mark optional fields, becomes that schema. */
function withoutNull(schema: Json, reading: Reading): Json {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const given = schema[keyword];
    if (!Array.isArray(given)) continue;
    const left = given.filter((one) => !(isObject(one) && one.type === 'null'));
    const { [keyword]: _alternatives, ...rest } = schema;
    if (left.length !== 1) return { ...schema, [keyword]: left };
    return mergeAllOf(
      { ...rest, allOf: [...(Array.isArray(rest.allOf) ? rest.allOf : []), ...left] },
      reading,
    );
  }
  return schema;
}

/** null: a type that is not shown. An unpublished type counts as text. */
function readType(schema: Json): string | null {
  const given = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((one) => one !== 'null');
  if (schema.type === 'null' || (Array.isArray(schema.type) && given.length === 0)) return null;
  if (given.length > 1 && given.includes('string')) return 'string';
  const [type] = given;
  if (typeof type === 'string') return types.includes(type) ? type : 'string';
  if (isObject(schema.properties)) return 'object';
  if (schema.items !== undefined) return 'array';
  const [value] = [...(Array.isArray(schema.enum) ? schema.enum : []), schema.const, schema.default];
  if (typeof value === 'boolean' || typeof value === 'number') return typeof value;
  const alternatives = [schema.oneOf, schema.anyOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return alternatives.some((one) => isObject(one) && isObject(one.properties)) ? 'object' : 'string';
}

/** The keywords about a value that have the form they should have. */
function readAnnotations(schema: Json): Json {
  const isText = (value: unknown): boolean => typeof value === 'string';
  const isNumber = (value: unknown): boolean => typeof value === 'number';
  const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
  const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
    title: isText,
    description: isText,
    format: isText,
    pattern: isPattern,
    minLength: isNumber,
    maxLength: isNumber,
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: isNumber,
    minItems: isNumber,
    maxItems: isNumber,
    uniqueItems: isBoolean,
    readOnly: isBoolean,
    enum: (value) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
    const: isScalar,
    default: isScalar,
  };
  return Object.fromEntries(
    Object.entries(keywords).flatMap(([keyword, isFit]) =>
      isFit(schema[keyword]) ? [[keyword, schema[keyword]]] : [],
    ),
  );
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** A pattern that does not compile would disable the whole validation. */
function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

function saysSecret(schema: Json, name: string, hints: Json): boolean {
  const title = typeof schema.title === 'string' ? schema.title : '';
  const isMarked = [schema.format, schema.type, widgetOf(hints)].includes('password');
  return isMarked || secretEnding.test(name) || secretName.test(name) || secretName.test(title);
}

function widgetOf(hints: Json): unknown {
  return hints['ui:widget'] ?? (isObject(hints['ui:options']) ? hints['ui:options'].widget : undefined);
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
}
