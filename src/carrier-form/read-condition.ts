import { isObject, type Json, namesIn } from './json.ts';
import { types, valueKeywords } from './keywords.ts';
import { findByPointer, type Reading, resolveRef } from './references.ts';

const maxDepth = 12;

/** Keywords about a value that are not tested here. */
const untested: readonly string[] = [
  ...['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['additionalItems', 'prefixItems', 'unevaluatedItems', 'minContains', 'maxContains'],
  ...['dependencies', 'dependentRequired', 'dependentSchemas', '$dynamicRef', '$recursiveRef'],
];

/** Keywords that do not affect whether a value is accepted. */
const annotations: readonly string[] = ['title', 'description', 'default', 'readOnly'];

class Untestable extends Error {}

/**
 * The condition of an `if`, without references and with nothing that the check cannot interpret. Null: whether it is
 * met cannot be determined here.
 */
export function readCondition(given: Json | boolean, reading: Reading): Json | boolean | null {
  try {
    return read(given, reading, 0);
  } catch (thrown) {
    if (thrown instanceof Untestable) return null;
    throw thrown;
  }
}

/** @throws Untestable */
function read(given: unknown, reading: Reading, depth: number): Json | boolean {
  if (typeof given === 'boolean') return given;
  reading.left -= 1;
  if (!isObject(given) || depth > maxDepth || reading.left < 0) throw new Untestable();
  if (given.$ref !== undefined && findByPointer(given.$ref, reading.root) === null) throw new Untestable();
  const schema = resolveRef(given, reading);
  if (untested.some((keyword) => keyword in schema)) throw new Untestable();
  const inner = (subschema: unknown): Json | boolean => read(subschema, reading, depth + 1);
  const list = (value: unknown): (Json | boolean)[] => {
    if (!Array.isArray(value)) throw new Untestable();
    return value.map(inner);
  };
  const condition: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') condition.properties = readProperties(value, inner);
    else if (['allOf', 'anyOf', 'oneOf'].includes(keyword)) condition[keyword] = list(value);
    else if (['not', 'if', 'then', 'else', 'contains', 'items'].includes(keyword))
      condition[keyword] = inner(value);
    else if (keyword === 'type') condition.type = readType(value);
    else if (keyword === 'const' && value === null) condition.const = null;
    else if (!annotations.includes(keyword) && Object.hasOwn(valueKeywords, keyword)) {
      if (valueKeywords[keyword]?.(value) !== true) throw new Untestable();
      condition[keyword] = value;
    }
  }
  const required = [...namesIn(schema.required), ...namesMarkedIn(schema.properties)];
  return required.length === 0 ? condition : { ...condition, required };
}

function readProperties(value: unknown, inner: (subschema: unknown) => Json | boolean): Json {
  if (!isObject(value)) throw new Untestable();
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, inner(property)]));
}

/** Returns the properties that are marked as required themselves, as some forms do. */
function namesMarkedIn(properties: unknown): string[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property.required === true ? [name] : [],
  );
}

function readType(value: unknown): unknown {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isKnown = (typeName: unknown): boolean =>
    typeName === 'null' || types.some((type) => type === typeName);
  if (all.length === 0 || !all.every(isKnown)) throw new Untestable();
  return value;
}
