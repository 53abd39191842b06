import { applyForm } from '../../../carrier-form/apply-form.ts';
import { isObject, type Json, listIn, namesIn } from '../../../carrier-form/json.ts';

/** No field of a carrier's form begins like this. */
const choicePrefix = '$choice';

/** Whether a field is the choice between alternatives, which is drawn like a field and never sent. */
export const isChoice = (name: string): boolean => name.startsWith(choicePrefix);

/**
 * Returns the form to draw for the values filled in so far, with these values. Where it offers alternatives
 * of several fields each, it has a field for the choice, and the fields of the chosen alternative.
 */
export const resolveForm = (form: Json, filled: Json): { readonly form: Json; readonly values: Json } =>
  applyForm(takeChosen(form, filled, ''), filled);

/** `at` distinguishes the choices of one object and of its conditions. */
function takeChosen(form: Json, filled: unknown, at: string): Json {
  const values = isObject(filled) ? filled : {};
  const { oneOf, anyOf, allOf, ...baseForm } = form;
  const parts = [{ oneOf }, { anyOf }, ...listIn(allOf).filter(isObject)];
  const properties: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(isObject(baseForm.properties) ? baseForm.properties : {})) {
    const isNested = isObject(property) && property.type === 'object';
    properties[name] = isNested ? takeChosen(property, values[name], '') : property;
  }
  const required = namesIn(baseForm.required);
  const conditions: Json[] = [];
  for (const [index, part] of parts.entries()) {
    const place = `${at}${index}`;
    if ('if' in part) conditions.push(takeInBranches(part, values, place));
    const alternatives = [...listIn(part.oneOf), ...listIn(part.anyOf)].filter(isObject);
    if (alternatives.length === 0) continue;
    const name = `${choicePrefix}${place}`;
    const chosen = alternatives[Number(values[name] ?? 0)] ?? {};
    const taken = takeChosen(chosen, values, `${place}.`);
    properties[name] = toField(alternatives);
    Object.assign(properties, taken.properties);
    required.push(...namesIn(taken.required));
    conditions.push(...listIn(taken.allOf).filter(isObject));
  }
  return { ...baseForm, properties, required, ...(conditions.length === 0 ? {} : { allOf: conditions }) };
}

function takeInBranches(condition: Json, values: Json, at: string): Json {
  const branches = (['then', 'else'] as const).flatMap((key) => {
    const branch = condition[key];
    return isObject(branch) ? [[key, takeChosen(branch, values, `${at}${key}.`)]] : [];
  });
  return { ...condition, ...Object.fromEntries(branches) };
}

const toField = (alternatives: readonly Json[]): Json => ({
  type: 'string',
  title: 'Choose one',
  enum: alternatives.map((_, index) => String(index)),
  enumNames: alternatives.map(({ title }, index) =>
    typeof title === 'string' ? title : `Option ${index + 1}`,
  ),
  default: '0',
});

/** Returns the values to send: without those of choices, and without fields that are blank. */
export function withoutChoices(values: unknown): unknown {
  if (Array.isArray(values)) return values.map(withoutChoices);
  if (!isObject(values)) return values;
  const kept = Object.entries(values).filter(([name, value]) => !isChoice(name) && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutChoices(value)]));
}
