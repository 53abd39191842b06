import { isObject, type Json, listIn } from './json.ts';

const secretName = /pass(word|wd|code|phrase)|secret|\b(pwd|pin)\b|_pin$/i;
const secretEnding = /[a-z]Pin$/;

/** Whether the carrier itself calls a field secret, in any of the spellings that services use. */
export function isMarkedSecret(schema: Json, hints: Json): boolean {
  const options = isObject(hints['ui:options']) ? hints['ui:options'] : {};
  const { form } = schema;
  return (
    schema.writeOnly === true ||
    [schema.format, schema.type, isObject(form) ? form.type : undefined].includes('password') ||
    [hints['ui:widget'], options.widget, options.inputType].includes('password')
  );
}

/** Whether a field is secret by its name or title. A choice from a list is not: its values are in the form. */
export function hasSecretName(schema: Json, name: string): boolean {
  if (Array.isArray(schema.enum)) return false;
  const title = typeof schema.title === 'string' ? schema.title : '';
  return secretEnding.test(name) || secretName.test(name) || secretName.test(title);
}

/** Fields that a wrapper marks as secret: `form: [{key: "pin", type: "password"}]`, or an object by their names. */
export function secretKeysOf(wrapper: unknown): ReadonlySet<string> {
  const form = isObject(wrapper) ? wrapper.form : undefined;
  const entries = isObject(form)
    ? Object.entries(form)
    : listIn(form).map((entry) => [isObject(entry) ? entry.key : undefined, entry] as const);
  return new Set(
    entries.flatMap(([key, entry]) =>
      typeof key === 'string' && isObject(entry) && entry.type === 'password' ? [key] : [],
    ),
  );
}
