import { isObject, type Json, listIn } from './json.ts';
import { readValueKeywords, types } from './keywords.ts';
import type { Parts } from './schema-parts.ts';

/** A choice with its labels. null stays one of the values where the type allows it, and has a label then. */
export function readEnum(keywords: Json, type: string): Json {
  const values = readValueKeywords(keywords).enum;
  if (!Array.isArray(values)) return {};
  const labels = listIn(keywords.enumNames);
  const isNullable = keywords.type === undefined || listIn(keywords.type).includes('null');
  const options = values
    .map((value: unknown, index) => ({ value, label: labels[index] }))
    .filter(({ value }) => value !== null || isNullable);
  const hasNull = options.some(({ value }) => value === null);
  const enumNames = options.map(({ value, label }) =>
    typeof label === 'string' ? label : value === null ? 'None' : String(value),
  );
  return {
    enum: options.map(({ value }) => value),
    ...(labels.length > 0 || hasNull ? { enumNames } : {}),
    ...(hasNull ? { type: [type, 'null'] } : {}),
  };
}

/** Null: a type that is not shown. A type that JSON Schema does not have is read as text. */
export function readType({ keywords, conditions, choices }: Parts): string | null {
  const given = (Array.isArray(keywords.type) ? keywords.type : [keywords.type]).filter(
    (typeName) => typeName !== 'null',
  );
  if (keywords.type === 'null' || (Array.isArray(keywords.type) && given.length === 0)) return null;
  const choice = listIn(keywords.enum);
  if (choice.length > 0 && choice.every((option) => option === null)) return null;
  if (given.length > 1 && given.includes('string')) return 'string';
  const [type] = given;
  if (typeof type === 'string') return types.includes(type) ? type : 'string';
  if (isObject(keywords.properties)) return 'object';
  if (keywords.items !== undefined) return 'array';
  const values = [...choice, keywords.const, keywords.default];
  const value = values.find((candidate) => candidate !== null && candidate !== undefined);
  if (typeof value === 'boolean' || typeof value === 'number') return typeof value;
  const isOfObjects =
    conditions.some(({ met, unmet }) => hasFields(met) || hasFields(unmet)) ||
    choices.some(({ alternatives }) => alternatives.some(({ properties }) => isObject(properties)));
  return isOfObjects ? 'object' : 'string';
}

const hasFields = (part: Parts | null): boolean =>
  part !== null && (isObject(part.keywords.properties) || Array.isArray(part.keywords.required));
