import { readEnum, readType } from './form-types.ts';
import { isObject, type Json, listIn, namesIn } from './json.ts';
import { readValueKeywords, textTypes } from './keywords.ts';
import { type Reading, resolveRef } from './references.ts';
import { asOptional, requireShown } from './require-shown.ts';
import { type Parts, takeApart } from './schema-parts.ts';

/** The login form of a carrier, as JSON Schema 2020-12 in one uniform form. */
type OnboardForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'form'; readonly schema: Json }
  /** There is a form, but it has no field that the user could fill in, or far too many. */
  | { readonly kind: 'unusable' };

const maxSchemas = 3_000;
const maxDepth = 12;

/**
 * Names in the body of a submit that only the request itself sets, without another spelling (docs/service.md,
 * "Connect calls"): a form's field of that name is not drawn.
 */
const requestNames: readonly string[] = ['employer_id', 'tenants_accept'];
/**
 * The member's consent, which is given with the terms before a form is filled in: the field has the value true and is
 * not drawn.
 */
const acceptance = 'accept';

/** The state that the fields of one object share. */
interface Scope {
  readonly reading: Reading;
  readonly depth: number;
  readonly hints: Json;
  /** The object itself is secret, so everything in it is. */
  readonly isSecret: boolean;
  /** Names of secret fields, as a wrapper may list them. */
  readonly secretKeys: ReadonlySet<string>;
  /** Whether this is the form itself, whose fields are sent next to those of the request. */
  readonly isForm: boolean;
  /** Each field's schema as received, where it is first declared. */
  readonly declared: ReadonlyMap<string, Json>;
  /** The names of the fields that the user can fill in. */
  readonly shown: Set<string>;
}

/**
 * Reads a carrier's `onboard_form` (docs/service.md, "Connect calls"): wrapped or bare, with `required` as an array or
 * on a property. In the result
 * - every condition (`if`, `dependencies`, `dependentSchemas`, `dependentRequired`, at any level of `allOf`) is an
 *   entry `{if, then, else}` of `allOf`; its branches have `properties` and `required` like a form, and a property that
 *   is `false` there does not apply;
 * - only fields that are shown are required, and a consent (a boolean that must be true) is always shown;
 * - each secret field has `format: "password"`, at any depth;
 * - there are no references, and null is a type only where a choice has it.
 *
 * @param hints `onboard_ui_schema`: a field that it hides is not shown
 */
export function readOnboardForm(given: unknown, hints: unknown): OnboardForm {
  if (given === null || given === undefined) return { kind: 'none' };
  const root = unwrap(given);
  if (root === null) return { kind: 'unusable' };
  const reading: Reading = { root, left: maxSchemas };
  const schema = readSchema(root, { reading, depth: 0, name: '', hints, isSecret: false }, given);
  const isForm = schema !== null && schema.type === 'object' && reading.left >= 0;
  return isForm ? { kind: 'form', schema } : { kind: 'unusable' };
}

function unwrap(given: unknown): Json | null {
  if (!isObject(given)) return null;
  const { schema } = given;
  if (isObject(given.properties) || !isObject(schema)) return given;
  return { type: 'object', ...schema, required: [...namesIn(schema.required), ...namesIn(given.required)] };
}

interface At {
  readonly reading: Reading;
  readonly depth: number;
  readonly name: string;
  readonly hints: unknown;
  /** The enclosing object is secret. */
  readonly isSecret: boolean;
}

/**
 * Null: nothing is shown for it.
 *
 * @param wrapper the object in which the form itself was sent
 */
function readSchema(given: unknown, at: At, wrapper?: unknown): Json | null {
  const { reading, depth } = at;
  if (!isObject(given) || depth > maxDepth || reading.left < 0) return null;
  const parts = takeApart(given, reading);
  const type = readType(parts);
  if (type === null) return null;
  const hints = isObject(at.hints) ? at.hints : {};
  const isSecret = at.isSecret || isMarkedSecret(parts.keywords, hints);
  const inner = { ...at, hints, isSecret, depth: depth + 1 };
  if (type === 'object') {
    const secretKeys = secretKeysOf(wrapper);
    return readObject(parts, { ...inner, secretKeys, isForm: wrapper !== undefined });
  }
  if (type === 'array') {
    const items = readSchema(parts.keywords.items, { ...inner, hints: hints.items });
    return items === null ? null : { ...readValueKeywords(parts.keywords), type, items };
  }
  return readValue(parts, type, inner);
}

function readObject(parts: Parts, given: Omit<Scope, 'declared' | 'shown'>): Json | null {
  const declared = new Map<string, Json>();
  collectDeclared(parts, declared);
  const scope: Scope = { ...given, declared, shown: new Set() };
  const whole = readPart(parts, scope);
  const isEmpty = scope.shown.size === 0 && !('oneOf' in whole) && !('anyOf' in whole);
  return isEmpty ? null : requireShown({ ...readValueKeywords(parts.keywords), ...whole }, scope.shown);
}

function toCondition(condition: Json | boolean, met?: Json | null, unmet?: Json | null): Json {
  const branches = [['then', met] as const, ['else', unmet] as const].filter(([, branch]) => branch != null);
  return { if: condition, ...Object.fromEntries(branches) };
}

function collectDeclared({ keywords, conditions }: Parts, declared: Map<string, Json>): void {
  for (const [name, property] of isObject(keywords.properties) ? Object.entries(keywords.properties) : [])
    if (isObject(property) && !declared.has(name)) declared.set(name, property);
  for (const condition of conditions)
    for (const branch of [condition.met, condition.unmet])
      if (branch !== null) collectDeclared(branch, declared);
}

/** An object, or the part of one that a condition or a choice adds. `required` still has every name. */
function readPart(parts: Parts, scope: Scope): Json {
  const { properties, required } = readProperties(parts.keywords, scope);
  const conditions = parts.conditions.flatMap((condition): Json[] => {
    const [met, unmet] = [condition.met, condition.unmet].map((branch) =>
      branch === null ? null : readPart(branch, scope),
    );
    if (condition.if !== null) return [toCondition(condition.if, met, unmet)];
    // Where it is unknown which branch applies, the fields of both may be filled in.
    return [met, unmet].flatMap((branch) => (branch == null ? [] : [toCondition(true, asOptional(branch))]));
  });
  const choices = parts.choices.flatMap(({ keyword, alternatives }) => {
    const options = alternatives.flatMap((alternative) => readAlternative(alternative, scope));
    return options.length === 0 ? [] : [{ [keyword]: options }];
  });
  // The keyword holds one choice; further ones at the same level are added to `allOf`.
  const [first = {}, ...others] = choices;
  const allOf = [...conditions, ...others];
  return {
    type: 'object',
    properties,
    required,
    ...first,
    ...(allOf.length === 0 ? {} : { allOf }),
  };
}

/** The fields that one of several alternatives has; an alternative without any is left out. */
function readAlternative(given: Json, scope: Scope): Json[] {
  const parts = takeApart(given, scope.reading);
  if (scope.reading.left < 0 || readType(parts) !== 'object') return [];
  const part = readPart(parts, scope);
  const isEmpty = Object.keys(part.properties as Json).length === 0 && part.allOf === undefined;
  return isEmpty ? [] : [{ ...readValueKeywords(parts.keywords), ...part }];
}

function readProperties(keywords: Json, scope: Scope): { properties: Json; required: string[] } {
  const given = isObject(keywords.properties) ? Object.entries(keywords.properties) : [];
  const asked = new Set(namesIn(keywords.required));
  const properties = given.flatMap(([name, inner]): [string, Json | false][] => {
    // Not usable as the name of a field: each has a meaning in JSON Schema or JavaScript.
    if (name === '__proto__' || name.startsWith('$')) return [];
    if (scope.isForm && requestNames.includes(name)) return [];
    if (inner === false && scope.declared.has(name)) return [[name, false]];
    if (!isObject(inner)) return [];
    const property = readField(name, inner, scope);
    if (property === null) return [];
    if (scope.isForm && name === acceptance) {
      asked.delete(name);
      return property.type === 'boolean'
        ? [[name, { ...property, const: true, default: true, readOnly: true }]]
        : [];
    }
    if (inner.required === true) asked.add(name);
    return [[name, property]];
  });
  return { properties: Object.fromEntries(properties), required: [...asked] };
}

function readField(name: string, given: Json, scope: Scope): Json | null {
  const { reading, depth, declared, secretKeys } = scope;
  const hints = isObject(scope.hints[name]) ? scope.hints[name] : {};
  const first = declared.get(name) ?? given;
  const resolved = resolveRef(first, reading);
  // A branch may add keywords to a field without repeating its schema.
  const repeated = first === given || given.$ref !== undefined ? [] : (['type', 'title'] as const);
  const isRepeated = (keyword: 'type' | 'title'): boolean => resolved[keyword] !== undefined;
  const whole = {
    ...Object.fromEntries(repeated.filter(isRepeated).map((keyword) => [keyword, resolved[keyword]])),
    ...given,
  };
  const isSecret = scope.isSecret || secretKeys.has(name) || isMarkedSecret(resolved, hints);
  const property = readSchema(whole, { reading, depth, name, hints, isSecret });
  if (property === null) return null;
  if (property.type === 'boolean' && property.const === true) {
    // A consent comes from the user: neither a default nor a hint may set it.
    const { default: _default, readOnly: _readOnly, ...consent } = property;
    scope.shown.add(name);
    return consent;
  }
  const hasOwnValue = property.default !== undefined || property.const !== undefined;
  const isFilledIn = widgetOf(hints) !== 'hidden' && property.readOnly !== true;
  if (isFilledIn) scope.shown.add(name);
  // A field that is not shown is sent only where the form gives it a value.
  else if (!hasOwnValue) return null;
  return property.const === undefined ? property : { default: property.const, ...property };
}

function readValue(parts: Parts, type: string, at: At & { readonly hints: Json }): Json {
  const { keywords } = parts;
  const alternatives = parts.choices.map(({ keyword, alternatives: all }) => [
    keyword,
    all.flatMap((alternative) => readSchema(alternative, { ...at, hints: {} }) ?? []),
  ]);
  const ofChoices = Object.fromEntries(alternatives.filter(([, all]) => all?.length !== 0)) as Json;
  const kept = { ...readValueKeywords(keywords), ...readEnum(keywords, type) };
  const hasSecretChoice = Object.values(ofChoices).some((all) =>
    listIn(all).some((alternative) => isObject(alternative) && alternative.format === 'password'),
  );
  const isSecret =
    textTypes.includes(type) && (at.isSecret || hasSecretChoice || hasSecretName(keywords, at.name));
  if (isSecret) return { ...kept, type, format: 'password' };
  // Some forms mark a consent by accepting only true, others by `const`.
  const isConsent = type === 'boolean' && listIn(kept.enum).length > 0 && listIn(kept.enum).every(Boolean);
  const { enum: _enum, enumNames: _enumNames, ...plain } = kept;
  return { type, ...(isConsent ? { ...plain, const: true } : kept), ...ofChoices };
}

const widgetOf = (hints: Json): unknown =>
  hints['ui:widget'] ?? (isObject(hints['ui:options']) ? hints['ui:options'].widget : undefined);

const secretName = /pass(word|wd|code|phrase)|secret|\b(pwd|pin)\b|_pin$/i;
const secretEnding = /[a-z]Pin$/;

/** Whether the carrier itself calls a field secret, in any of the spellings that services use. */
function isMarkedSecret(schema: Json, hints: Json): boolean {
  const options = isObject(hints['ui:options']) ? hints['ui:options'] : {};
  const { form } = schema;
  return (
    schema.writeOnly === true ||
    [schema.format, schema.type, isObject(form) ? form.type : undefined].includes('password') ||
    [hints['ui:widget'], options.widget, options.inputType].includes('password')
  );
}

/** Whether a field is secret by its name or title. A choice from a list is not: its values are in the form. */
function hasSecretName(schema: Json, name: string): boolean {
  if (Array.isArray(schema.enum)) return false;
  const title = typeof schema.title === 'string' ? schema.title : '';
  return secretEnding.test(name) || secretName.test(name) || secretName.test(title);
}

/** Fields that a wrapper marks as secret: `form: [{key: "pin", type: "password"}]`, or an object by their names. */
function secretKeysOf(wrapper: unknown): ReadonlySet<string> {
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
