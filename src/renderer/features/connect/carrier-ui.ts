import {
  createErrorHandler,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  type UiSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils';
import { findFaults, isAccepted } from '../../../carrier-form/check-form.ts';
import { fieldsByName, isSecret, typeOf } from '../../../carrier-form/form-fields.ts';
import { isObject, type Json, listIn, namesIn } from '../../../carrier-form/json.ts';

/** Widgets that hints may choose, by type; other hints are ignored. The theme throws on unknown ones. */
const widgets: Readonly<Record<string, readonly string[]>> = {
  string: ['text', 'password', 'textarea', 'email', 'date', 'select', 'radio', 'hidden'],
  number: ['text', 'select', 'radio', 'hidden'],
  integer: ['text', 'select', 'radio', 'hidden'],
  boolean: ['select', 'radio', 'checkbox', 'hidden'],
};
const texts = ['ui:title', 'ui:description', 'ui:help', 'ui:placeholder'] as const;

/**
 * The carrier's hints for its form, as far as they are known and harmless: other options of the theme (which become
 * properties of elements, or markdown) are dropped, since the service is not trusted with the page. A secret field is
 * shown as one, whatever the hints say.
 */
export function readCarrierUi(form: Json, hints: Json): UiSchema {
  const fields = fieldsByName(form);
  const ui: UiSchema = {};
  for (const [name, property] of fields) {
    const own = isObject(hints[name]) ? hints[name] : {};
    ui[name] = { ...readCarrierUi(property, own), ...readHints(property, own) };
  }
  if (isObject(form.items)) {
    const own = isObject(hints.items) ? hints.items : {};
    ui.items = { ...readCarrierUi(form.items, own), ...readHints(form.items, own) };
  }
  const order = readOrder(hints['ui:order'], [...fields.keys()]);
  return { ...ui, ...(order === null ? {} : { 'ui:order': order }) };
}

function readHints(property: Json, own: Json): UiSchema {
  const options = isObject(own['ui:options']) ? own['ui:options'] : {};
  const shown = texts.flatMap((key) => {
    const text = own[key] ?? options[key.slice('ui:'.length)];
    return typeof text === 'string' ? [[key, text] as const] : [];
  });
  const widget = readWidget(property, own['ui:widget'] ?? options.widget);
  return {
    ...Object.fromEntries(shown),
    ...(widget === null ? {} : { 'ui:widget': widget }),
    ...readLabels(property, own['ui:enumNames'] ?? options.enumNames),
  };
}

/** What the values of a choice are called, by value: by the hints, else by the form. */
function readLabels(property: Json, hinted: unknown): UiSchema {
  const values = listIn(property.enum);
  const isLabels = (labels: unknown): boolean =>
    namesIn(labels).length === values.length && listIn(labels).length === values.length;
  const labels = namesIn([hinted, property.enumNames].find(isLabels));
  if (values.length === 0 || labels.length === 0) return {};
  return { 'ui:enumNames': Object.fromEntries(values.map((value, at) => [String(value), labels[at] ?? ''])) };
}

function readWidget(property: Json, wanted: unknown): string | null {
  const type = typeOf(property);
  // The theme has no password widget for numbers; the text widget here covers them.
  if (isSecret(property)) return type === 'string' ? 'password' : 'text';
  if (typeof wanted !== 'string' || widgets[type]?.includes(wanted) !== true) return null;
  // A consent must be visible.
  if (wanted === 'hidden' && type === 'boolean' && property.const === true) return null;
  const hasChoices = type === 'boolean' || Array.isArray(property.enum) || Array.isArray(property.oneOf);
  return (wanted === 'select' || wanted === 'radio') && !hasChoices ? null : wanted;
}

/** An order of all fields: unknown ones are dropped, missing ones come at the end. */
export function readOrder(given: unknown, names: readonly string[]): string[] | null {
  if (!Array.isArray(given)) return null;
  const known = given.filter((name): name is string => name === '*' || names.includes(name));
  const order = [...new Set(known)];
  if (order.length === 0) return null;
  return order.includes('*') || names.every((name) => order.includes(name)) ? order : [...order, '*'];
}

/** The form without its own title and description, which the page already shows. */
export function readCarrierForm(form: Json): RJSFSchema {
  const { title: _title, description: _description, ...rest } = form;
  return rest as RJSFSchema;
}

/** The service's messages about single fields, as the carrier’s form shows them. */
export function toExtraErrors(
  details: Readonly<Record<string, unknown>> | undefined,
): ErrorSchema<Record<string, unknown>> {
  const found = Object.entries(details ?? {}).filter(([name]) => name.startsWith('field.'));
  return Object.fromEntries(
    found.map(([name, sentence]) => [name.slice('field.'.length), { __errors: [String(sentence)] }]),
  );
}

type Fields = Record<string, unknown>;

const toFormErrors = (schema: RJSFSchema, fields: unknown): RJSFValidationError[] =>
  findFaults(schema, fields).map(({ path, keyword, message }) => ({
    name: keyword,
    property: `.${path.join('.')}`,
    message,
    stack: message,
  }));

/**
 * The check of a carrier's form for react-jsonschema-form. Its own validator compiles the schema with `new Function`,
 * which the content security policy forbids, so every submit would fail.
 */
export const carrierValidator: ValidatorType<Fields> = {
  validateFormData(formData, schema, customValidate, transformErrors, uiSchema) {
    const found = toFormErrors(schema, formData);
    const errors = transformErrors === undefined ? found : transformErrors(found, uiSchema);
    const data = { errors, errorSchema: toErrorSchema<Fields>(errors) };
    if (customValidate === undefined) return data;
    const handler = customValidate(formData, createErrorHandler<Fields>(formData ?? {}), uiSchema);
    return validationDataMerge<Fields>(data, unwrapErrorHandler<Fields>(handler));
  },
  // Called for conditions within lists only, since all others are resolved before the form is drawn. One that cannot be
  // tested counts as met.
  isValid: (schema, formData, rootSchema) =>
    isAccepted({ ...schema, $defs: rootSchema.$defs, definitions: rootSchema.definitions }, formData) ?? true,
  rawValidation: (schema, formData) => ({ errors: toFormErrors(schema, formData) as never[] }),
};
