import type { RJSFSchema, UiSchema } from '@rjsf/utils';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  const properties = propertiesOf(form);
  const ui: UiSchema = {};
  for (const [name, property] of properties) {
    const own = isObject(hints[name]) ? hints[name] : {};
    ui[name] = { ...ui[name], ...readCarrierUi(property, own), ...readHints(property, own) };
  }
  if (isObject(form.items)) {
    const own = isObject(hints.items) ? hints.items : {};
    ui.items = { ...readCarrierUi(form.items, own), ...readHints(form.items, own) };
  }
  const names = [...new Set(properties.map(([name]) => name))];
  const order = readOrder(hints['ui:order'], names);
  return { ...ui, ...(order === null ? {} : { 'ui:order': order }) };
}

/** Every property that may be shown, including those of alternatives; a name may occur several times. */
function propertiesOf(form: Json): [string, Json][] {
  const own = isObject(form.properties) ? Object.entries(form.properties) : [];
  const others = [form.oneOf, form.anyOf, form.allOf, [form.then, form.else]].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : [],
  );
  return [
    ...own.filter((entry): entry is [string, Json] => isObject(entry[1])),
    ...others.flatMap(propertiesOf),
  ];
}

const isSecret = (property: Json): boolean => property.format === 'password';

function readHints(property: Json, own: Json): UiSchema {
  const options = isObject(own['ui:options']) ? own['ui:options'] : {};
  const shown = texts.flatMap((key) => {
    const text = own[key] ?? options[key.slice('ui:'.length)];
    return typeof text === 'string' ? [[key, text] as const] : [];
  });
  const widget = readWidget(property, own['ui:widget'] ?? options.widget);
  return { ...Object.fromEntries(shown), ...(widget === null ? {} : { 'ui:widget': widget }) };
}

function readWidget(property: Json, wanted: unknown): string | null {
  const type = String(property.type);
  // The theme has no password widget for numbers; the text widget here covers them.
  if (isSecret(property)) return type === 'string' ? 'password' : 'text';
  if (typeof wanted !== 'string' || widgets[type]?.includes(wanted) !== true) return null;
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

/** The entered values without those of secret fields, at any depth. */
export function withoutSecrets(form: Json, filled: unknown): unknown {
  if (Array.isArray(filled)) {
    const { items } = form;
    if (!isObject(items)) return filled;
    return isSecret(items) ? [] : filled.map((one) => withoutSecrets(items, one));
  }
  if (!isObject(filled)) return filled;
  const properties = propertiesOf(form);
  return Object.fromEntries(
    Object.entries(filled).flatMap(([name, value]) => {
      const drawn = properties.flatMap(([one, property]) => (one === name ? [property] : []));
      if (drawn.some(isSecret)) return [];
      return [[name, drawn.reduce((left, property) => withoutSecrets(property, left), value)]];
    }),
  );
}
