import { fieldsByName, isSecret, typeOf } from '../../../carrier-form/form-fields.ts';
import { isObject, type Json, listIn, namesIn } from '../../../carrier-form/json.ts';

/** The hints of an object or a field that are used; any other name is that of a field in it. */
export interface CarrierUi {
  readonly 'ui:title'?: string;
  readonly 'ui:description'?: string;
  readonly 'ui:help'?: string;
  readonly 'ui:placeholder'?: string;
  readonly 'ui:widget'?: string;
  /** The names of the values of a choice, by value. */
  readonly 'ui:enumNames'?: Readonly<Record<string, string>>;
  readonly 'ui:order'?: readonly string[];
  readonly [name: string]: unknown;
}

/** The hints of a field, or of the entries of a list. */
export function uiOf(ui: CarrierUi, name: string): CarrierUi {
  const inner = Object.hasOwn(ui, name) ? ui[name] : undefined;
  return isObject(inner) ? inner : {};
}

/** Widgets that hints may choose, by type; other hints are ignored. */
const widgets: Readonly<Record<string, readonly string[]>> = {
  string: ['text', 'password', 'textarea', 'email', 'date', 'select', 'radio', 'hidden'],
  number: ['text', 'select', 'radio', 'hidden'],
  integer: ['text', 'select', 'radio', 'hidden'],
  boolean: ['select', 'radio', 'checkbox', 'hidden'],
};
const texts = ['ui:title', 'ui:description', 'ui:help', 'ui:placeholder'] as const;

/**
 * The carrier's hints for its form, as far as they are known and harmless: all others are dropped, since the service
 * is not trusted with the page. A secret field is
 * shown as one, whatever the hints say.
 */
export function readCarrierUi(form: Json, hints: Json): CarrierUi {
  const fields = fieldsByName(form);
  const ui: Record<string, unknown> = {};
  for (const [name, property] of fields) {
    const fieldHints = isObject(hints[name]) ? hints[name] : {};
    ui[name] = { ...readCarrierUi(property, fieldHints), ...readHints(property, fieldHints) };
  }
  if (isObject(form.items)) {
    const itemHints = isObject(hints.items) ? hints.items : {};
    ui.items = { ...readCarrierUi(form.items, itemHints), ...readHints(form.items, itemHints) };
  }
  const order = readOrder(hints['ui:order'], [...fields.keys()]);
  return { ...ui, ...(order === null ? {} : { 'ui:order': order }) };
}

function readHints(property: Json, hints: Json): CarrierUi {
  const options = isObject(hints['ui:options']) ? hints['ui:options'] : {};
  const shown = texts.flatMap((key) => {
    const text = hints[key] ?? options[key.slice('ui:'.length)];
    return typeof text === 'string' ? [[key, text] as const] : [];
  });
  const widget = readWidget(property, hints['ui:widget'] ?? options.widget);
  return {
    ...Object.fromEntries(shown),
    ...(widget === null ? {} : { 'ui:widget': widget }),
    ...readLabels(property, hints['ui:enumNames'] ?? options.enumNames),
  };
}

/** Reads the labels of a choice's values, by value: from the hints, else from the form. */
function readLabels(property: Json, hinted: unknown): CarrierUi {
  const values = listIn(property.enum);
  const isLabels = (labels: unknown): boolean =>
    namesIn(labels).length === values.length && listIn(labels).length === values.length;
  const labels = namesIn([hinted, property.enumNames].find(isLabels));
  if (values.length === 0 || labels.length === 0) return {};
  return { 'ui:enumNames': Object.fromEntries(values.map((value, at) => [String(value), labels[at] ?? ''])) };
}

function readWidget(property: Json, widget: unknown): string | null {
  const type = typeOf(property);
  if (isSecret(property)) return 'password';
  // The form's own consent, which was given with the terms.
  if (type === 'boolean' && property.const === true && property.readOnly === true) return 'hidden';
  if (typeof widget !== 'string' || widgets[type]?.includes(widget) !== true) return null;
  // A consent must be visible.
  if (widget === 'hidden' && type === 'boolean' && property.const === true) return null;
  const hasChoices = type === 'boolean' || Array.isArray(property.enum) || Array.isArray(property.oneOf);
  return (widget === 'select' || widget === 'radio') && !hasChoices ? null : widget;
}

/** An order of all fields: unknown ones are dropped, missing ones come at the end. */
export function readOrder(given: unknown, names: readonly string[]): string[] | null {
  if (!Array.isArray(given)) return null;
  const knownNames = given.filter((name): name is string => name === '*' || names.includes(name));
  const order = [...new Set(knownNames)];
  if (order.length === 0) return null;
  return order.includes('*') || names.every((name) => order.includes(name)) ? order : [...order, '*'];
}
