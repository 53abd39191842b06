import type { RJSFSchema, UiSchema } from '@rjsf/utils';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Widgets that can be asked for; anything else is drawn as its type says. */
const widgets = new Set([
  'text',
  'password',
  'textarea',
  'email',
  'date',
  'select',
  'radio',
  'checkbox',
  'hidden',
]);
const texts = ['ui:title', 'ui:description', 'ui:help', 'ui:placeholder'] as const;
const secretName = /pass(word|code|phrase)|secret|\bpin\b|_pin$/i;

/**
 * The carrier's hints for drawing its form, as far as they are known and harmless: the rest of what a theme would
 * take (options that become properties of elements, markdown) is left out, since the service is not trusted with
 * the page. What sounds like a password is drawn as one, even where no hint says so.
 */
export function readCarrierUi(form: Json, hints: Json): UiSchema {
  const properties = isObject(form.properties) ? form.properties : {};
  const ui: UiSchema = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const own = isObject(hints[name]) ? hints[name] : {};
    ui[name] = {
      ...readCarrierUi(property, own),
      ...readHints(own),
      ...(property.type === 'string' && secretName.test(name) ? { 'ui:widget': 'password' } : {}),
    };
  }
  const order = readOrder(hints['ui:order'], Object.keys(properties));
  return { ...ui, ...(order === null ? {} : { 'ui:order': order }) };
}

function readHints(own: Json): UiSchema {
  const options = isObject(own['ui:options']) ? own['ui:options'] : {};
  const widget = own['ui:widget'] ?? options.widget;
  const words = texts.flatMap((key) => {
    const text = own[key] ?? options[key.slice('ui:'.length)];
    return typeof text === 'string' ? [[key, text] as const] : [];
  });
  return {
    ...Object.fromEntries(words),
    ...(typeof widget === 'string' && widgets.has(widget) ? { 'ui:widget': widget } : {}),
  };
}

/** A wish for an order that names every field: unknown ones go, those that it forgets come at the end. */
export function readOrder(wish: unknown, names: readonly string[]): string[] | null {
  if (!Array.isArray(wish)) return null;
  const known = wish.filter((name): name is string => name === '*' || names.includes(name));
  const order = [...new Set(known)];
  if (order.length === 0) return null;
  return order.includes('*') || names.every((name) => order.includes(name)) ? order : [...order, '*'];
}

/** The form without its own title and description, which the page says already. */
export function readCarrierForm(form: Json): RJSFSchema {
  const { title: _title, description: _description, $schema: _draft, ...rest } = form;
  return rest as RJSFSchema;
}

/** The names of fields that are drawn as passwords: what is typed there goes as soon as it was submitted. */
export function passwordNames(ui: UiSchema): string[] {
  return Object.entries(ui).flatMap(([name, own]) =>
    isObject(own) && own['ui:widget'] === 'password' ? [name] : [],
  );
}
