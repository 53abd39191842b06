import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { fieldIn, typeOf } from './form-fields.ts';
import { isObject, type Json, listIn } from './json.ts';
import { patternFormat, withLinearPatterns } from './linear-patterns.ts';

export interface Fault {
  /** From the form to the field; empty: the form as a whole. */
  readonly path: readonly string[];
  /** The keyword of JSON Schema that is violated. */
  readonly keyword: string;
  /** A sentence for the person who fills in the form; never contains the value. */
  readonly message: string;
}

/** Keywords that only report that something below them is wrong. */
const wrappers = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
  'if',
  'then',
  'else',
  '$ref',
]);

/**
 * All faults of the entered values, at most one a field. A form that is not valid JSON Schema has none: the carrier
 * decides. Interprets the schema, since the window may compile none, in time that grows with the values alone.
 */
export function findFaults(form: Json, fields: unknown): Fault[] {
  let units: OutputUnit[];
  try {
    units = validatorOf(form).validate(withoutUndefined(fields ?? {})).errors;
  } catch {
    return [];
  }
  const faults = new Map<string, Fault>();
  for (const unit of units) {
    const fault = toFault(unit, form);
    const key = JSON.stringify(fault?.path);
    if (fault !== null && !faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}

/** Whether the values match a schema; null where it has a pattern that cannot be run here. */
export function isAccepted(schema: Json | boolean, fields: unknown): boolean | null {
  if (typeof schema === 'boolean') return schema;
  if (withLinearPatterns(schema).isRefused) return null;
  try {
    return validatorOf(schema).validate(withoutUndefined(fields ?? null)).valid;
  } catch {
    return null;
  }
}

/** Makes a validator that finds all faults, not only the first. It changes its schema, so it gets a copy. */
const validatorOf = (schema: Json): Validator =>
  new Validator(withLinearPatterns(schema).schema as Schema, '2020-12', false);

/** Fields without a value are left out, like in the JSON that is sent. */
const withoutUndefined = (fields: unknown): unknown => JSON.parse(JSON.stringify(fields));

function toFault(unit: OutputUnit, form: Json): Fault | null {
  if (wrappers.has(unit.keyword)) return null;
  const path = readPointer(unit.instanceLocation);
  const missing = unit.keyword === 'required' ? /"(.+)"\.$/.exec(unit.error)?.[1] : undefined;
  if (missing !== undefined) path.push(missing);
  const keyword = unit.error.includes(patternFormat) ? 'pattern' : unit.keyword;
  return { path, keyword, message: sayWhatIsWrong(keyword, fieldAt(form, path)) };
}

/** `#/a~1b/0` as the names of its path, unescaped. */
export const readPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));

/** The schema of the field at a path; empty where none is known. */
export const fieldAt = (form: Json, path: readonly string[]): Json =>
  path.reduce<Json>((field, name) => {
    const isOwnProperty = isObject(field.properties) && Object.hasOwn(field.properties, name);
    const inner = isOwnProperty ? (field.properties as Json)[name] : (fieldIn(field, name) ?? field.items);
    return isObject(inner) ? inner : {};
  }, form);

const formats: Readonly<Record<string, string>> = {
  email: 'Enter an email address.',
  date: 'Enter a date, such as 1985-04-12.',
  uri: 'Enter a web address.',
  url: 'Enter a web address, such as https://www.example.com.',
};
const otherForm = 'The carrier expects this in another form.';
const ofThose = 'Choose one of those listed.';
const consent = 'The carrier requires this box to be checked.';

/** The fault of a field, as a sentence for the person who fills in the form. */
function sayWhatIsWrong(keyword: string, field: Json): string {
  const isConsent = typeOf(field) === 'boolean' && field.const === true;
  switch (keyword) {
    case 'required':
      return isConsent ? consent : 'Fill this in.';
    case 'minLength':
      return field.minLength === 1 ? 'Fill this in.' : `At least ${field.minLength} characters.`;
    case 'maxLength':
      return `At most ${field.maxLength} characters.`;
    case 'minimum':
      return `At least ${field.minimum}.`;
    case 'maximum':
      return `At most ${field.maximum}.`;
    case 'type':
      return ['integer', 'number'].includes(typeOf(field)) ? 'Enter a number.' : otherForm;
    case 'pattern':
      return otherForm;
    case 'format':
      return formats[String(field.format)] ?? otherForm;
    case 'const':
      return isConsent ? consent : ofThose;
    case 'enum':
      return ofThose;
    case 'oneOf':
    case 'anyOf':
      return listIn(field[keyword]).every(
        (alternative) => isObject(alternative) && alternative.const !== undefined,
      )
        ? ofThose
        : 'The carrier expects something else here.';
    default:
      return 'The carrier expects something else here.';
  }
}
