import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import {
  createErrorHandler,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils';

import { patternFormat, withLinearPatterns } from './linear-patterns.ts';

type Fields = Record<string, unknown>;

/** Keywords that only report that something below them is wrong. */
const wrappers = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
  'then',
  'else',
  '$ref',
]);

/** `#/a~1b/0` as the names of its path, unescaped. */
export function readPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function schemaAt(schema: RJSFSchema, path: readonly string[]): RJSFSchema {
  return path.reduce<RJSFSchema>((found, name) => {
    const inner = (found.properties?.[name] ?? found.items ?? {}) as RJSFSchema | boolean;
    return typeof inner === 'object' ? inner : {};
  }, schema);
}

const formats: Readonly<Record<string, string>> = {
  email: 'Enter an email address.',
  date: 'Enter a date, such as 1985-04-12.',
  uri: 'Enter a web address.',
};

/** What is wrong with a field, as a sentence for the person who fills it in. */
export function sayWhatIsWrong(keyword: string, field: RJSFSchema): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'Fill this in.';
    case 'minLength':
      return field.minLength === 1 ? 'Fill this in.' : `At least ${field.minLength} characters.`;
    case 'maxLength':
      return `At most ${field.maxLength} characters.`;
    case 'pattern':
      return 'The carrier expects this in another form.';
    case 'format':
      return formats[field.format ?? ''] ?? 'The carrier expects this in another form.';
    case 'enum':
    case 'const':
      return 'Choose one of those listed.';
    default:
      return 'The carrier expects something else here.';
  }
}

function toFormError(unit: OutputUnit, schema: RJSFSchema): RJSFValidationError[] {
  if (wrappers.has(unit.keyword)) return [];
  const path = readPointer(unit.instanceLocation);
  const missing = unit.keyword === 'required' ? /"(.+)"\.$/.exec(unit.error)?.[1] : undefined;
  if (missing !== undefined) path.push(missing);
  const keyword = unit.error.includes(patternFormat) ? 'pattern' : unit.keyword;
  const message = sayWhatIsWrong(keyword, schemaAt(schema, path));
  return [{ name: keyword, property: `.${path.join('.')}`, message, stack: message }];
}

/**
 * All faults of the entered values, at most one a field. A form that is not valid JSON Schema has none: the carrier
 * decides.
 */
export function findFaults(schema: RJSFSchema, fields: unknown): RJSFValidationError[] {
  let units: OutputUnit[];
  try {
    // Without fields that have no value, like the JSON that is sent.
    const given: unknown = JSON.parse(JSON.stringify(fields ?? {}));
    units = new Validator(withLinearPatterns(schema) as Schema, '2020-12', false).validate(given).errors;
  } catch {
    return [];
  }
  const faults = units.flatMap((unit) => toFormError(unit, schema));
  return faults.filter(
    (fault, index) => faults.findIndex(({ property }) => property === fault.property) === index,
  );
}

/**
 * A validator for react-jsonschema-form that interprets the schema. The default one compiles it with `new Function`,
 * which the content security policy forbids, so every submit would fail.
 */
export const carrierValidator: ValidatorType<Fields> = {
  validateFormData(formData, schema, customValidate, transformErrors, uiSchema) {
    const found = findFaults(schema, formData);
    const errors = transformErrors === undefined ? found : transformErrors(found, uiSchema);
    const data = { errors, errorSchema: toErrorSchema<Fields>(errors) };
    if (customValidate === undefined) return data;
    const handler = customValidate(formData, createErrorHandler<Fields>(formData ?? {}), uiSchema);
    return validationDataMerge<Fields>(data, unwrapErrorHandler<Fields>(handler));
  },
  isValid(schema, formData, rootSchema) {
    try {
      const rooted = { ...schema, $defs: rootSchema.$defs, definitions: rootSchema.definitions };
      const given: unknown = JSON.parse(JSON.stringify(formData ?? null));
      return new Validator(
        withLinearPatterns(JSON.parse(JSON.stringify(rooted)) as Schema),
        '2020-12',
      ).validate(given).valid;
    } catch {
      return false;
    }
  },
  rawValidation: (schema, formData) => ({ errors: findFaults(schema, formData) as never[] }),
};
