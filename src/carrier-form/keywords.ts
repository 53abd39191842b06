import type { Json } from './json.ts';

/** Types that are drawn; any other counts as text. */
export const textTypes: readonly string[] = ['string', 'integer', 'number'];
export const types: readonly string[] = [...textTypes, 'boolean', 'array', 'object'];

/** The most entries of a list: a carrier's form may not ask for more. */
const maxEntries = 50;

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isScalar = (value: unknown): boolean => isText(value) || isNumber(value) || isBoolean(value);

/** Keywords about a value, each with a check that its own value has the right form. */
export const valueKeywords: Readonly<Record<string, (value: unknown) => boolean>> = {
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
  minItems: (value) => isNumber(value) && (value as number) <= maxEntries,
  maxItems: isNumber,
  uniqueItems: isBoolean,
  readOnly: isBoolean,
  enum: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((choice) => choice === null || isScalar(choice)),
  const: isScalar,
  default: isScalar,
};

/** The keywords about a value that have the form they should have. */
export const readValueKeywords = (schema: Json): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(valueKeywords).flatMap(([keyword, isRight]) =>
      isRight(schema[keyword]) ? [[keyword, schema[keyword]]] : [],
    ),
  );

/** A pattern that does not compile would disable the whole check. */
function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
