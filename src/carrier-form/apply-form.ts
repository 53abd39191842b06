import { isAccepted } from './check-form.ts';
import { fieldsIn, isSecret, keepFields, typeOf } from './form-fields.ts';
import { isObject, isSameJson, type Json, listIn, namesIn } from './json.ts';
import { asOptional } from './require-shown.ts';

/** The most rounds in which fields can add further fields. A form in which this never ends is shown to this depth. */
const maxRounds = 20;

/**
 * A form as it applies to the values that are filled in: without conditions, with the fields that these add, and
 * without those that they remove. Conditions in lists are kept, because each entry is tested separately.
 *
 * @returns also the values that these fields have, with the form's own where nothing is filled in: what is sent. Values
 *   of fields that do not apply are not among them, though they may still be in `filled`.
 */
export function applyForm(form: Json, filled: Json): { readonly form: Json; readonly values: Json } {
  let values = filled;
  for (let round = 0; ; round += 1) {
    const drawn = resolveObject(form, values);
    const next = withDefaults(drawn, keepFields(drawn, values) as Json);
    if (isSameJson(next, values) || round >= maxRounds) return { form: drawn, values: next };
    values = next;
  }
}

function resolveObject(form: Json, given: unknown): Json {
  const values = isObject(given) ? given : {};
  return withRequiredFields(resolvePart(form, values), form);
}

/** An object, or what a branch adds to it. */
function resolvePart(form: Json, values: Json): Json {
  const { allOf, ...baseForm } = form;
  const [conditions, others] = [listIn(allOf).filter(isCondition), listIn(allOf).filter(isNoCondition)];
  const parts = conditions.flatMap((condition): Json[] => {
    const branches = [condition.then, condition.else].filter(isObject);
    const isMet = isAccepted(condition.if as Json | boolean, values);
    // Where it is unknown which branch applies, the fields of both may be filled in.
    if (isMet === null) return branches.map((branch) => resolvePart(asOptional(branch), values));
    const branch = isMet ? condition.then : condition.else;
    return isObject(branch) ? [resolvePart(branch, values)] : [];
  });
  const properties = Object.entries(baseForm.properties as Json).map(([name, property]) => [
    name,
    isObject(property) && property.type === 'object' ? resolveObject(property, values[name]) : property,
  ]);
  const begun: Json = {
    ...baseForm,
    properties: Object.fromEntries(properties),
    ...(others.length === 0 ? {} : { allOf: others }),
  };
  return parts.reduce(addPart, begun);
}

const isCondition = (entry: unknown): entry is Json => isObject(entry) && 'if' in entry;
const isNoCondition = (entry: unknown): boolean => !isCondition(entry);

function addPart(form: Json, part: Json): Json {
  const properties: Record<string, unknown> = { ...(form.properties as Json) };
  for (const [name, property] of Object.entries(part.properties as Json))
    properties[name] = addProperty(properties[name], property);
  const choices = (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
    part[keyword] === undefined ? [] : [{ [keyword]: part[keyword] }],
  );
  const allOf = [...listIn(form.allOf), ...listIn(part.allOf), ...choices];
  return {
    ...form,
    properties,
    required: [...new Set([...namesIn(form.required), ...namesIn(part.required)])],
    ...(allOf.length === 0 ? {} : { allOf }),
  };
}

/** `false`: the field does not apply, even where another part declares it. */
function addProperty(existing: unknown, property: unknown): unknown {
  if (existing === false || property === false) return false;
  if (!isObject(existing) || !isObject(property)) return property;
  if (existing.type === 'object' && property.type === 'object') return addPart(existing, property);
  const isOneSecret = isSecret(existing) || isSecret(property);
  // Labels belong to the choice with which they were sent.
  const { enumNames: _enumNames, ...rest } = existing;
  const begun = property.enum === undefined ? existing : rest;
  return { ...begun, ...property, ...(isOneSecret ? { format: 'password' } : {}) };
}

/** Adds fields that a condition requires and another part declares. */
function withRequiredFields(drawn: Json, form: Json): Json {
  const properties = drawn.properties as Json;
  const missing = namesIn(drawn.required).filter((name) => properties[name] === undefined);
  // The one declared first counts, where there are several.
  const declared = new Map(missing.length === 0 ? [] : fieldsIn(form).toReversed());
  const shown = Object.entries(properties).filter(([, property]) => property !== false);
  const added = missing.map((name): [string, unknown] => [name, declared.get(name)]);
  const all = new Map([...shown, ...added.filter(([, property]) => property !== undefined)]);
  return {
    ...drawn,
    properties: Object.fromEntries(all),
    required: namesIn(drawn.required).filter((name) => all.has(name)),
  };
}

/** Fills in the form's own values, where nothing was filled in or cleared; a required object so that it exists. */
function withDefaults(form: Json, values: Json): Json {
  const required = namesIn(form.required);
  const filled = Object.entries(form.properties as Json).flatMap(([name, property]): [string, unknown][] => {
    if (!isObject(property)) return [];
    if (typeOf(property) === 'object') {
      const innerValues = isObject(values[name]) ? values[name] : {};
      const inner = withDefaults(property, innerValues);
      return name in values || required.includes(name) || Object.keys(inner).length > 0
        ? [[name, inner]]
        : [];
    }
    return name in values || property.default === undefined ? [] : [[name, property.default]];
  });
  return { ...values, ...Object.fromEntries(filled) };
}
