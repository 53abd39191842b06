import { applyForm } from '../../../carrier-form/apply-form.ts';
import { fieldAt, findFaults } from '../../../carrier-form/check-form.ts';
import { fieldIn, secretPaths, typeOf, withoutSecrets } from '../../../carrier-form/form-fields.ts';
import type { Json } from '../../../carrier-form/json.ts';
import type { PayerForm } from '../../../contract/connect-members.ts';
import type { Input } from '../../../contract/procedures.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { DeskError } from '../../lib/errors.ts';
import { UsageError } from './usage.ts';

type Fields = Input<'connect:submit'>['fields'];
type Value = Fields[string];
type Schema = NonNullable<PayerForm['form']>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The fields of a login in the structure of a carrier's form, checked as the window checks them. A nested field is
 * named with a dot. Secrets are read from stdin only: a single one is the value of the form's secret field; several are
 * a JSON object by their names. Fixed values and defaults of the form are filled in; a field that the form does not
 * have is sent as given.
 *
 * @param given.known values of the member's record, for fields that are not given
 * @param given.secret the content of stdin; null: stdin was not read
 * @throws UsageError if a required field is missing, or a secret is given as an argument
 * @throws DeskError `connect.invalid` where a value is not as the form says, with `details['field.<name>']`
 */
export function fillCarrierForm(
  form: PayerForm['form'],
  given: {
    readonly username?: string | undefined;
    readonly secret: string | null;
    readonly fields: Fields;
    readonly known?: PayerForm['known'];
  },
): Fields {
  const named = {
    ...given.known,
    ...given.fields,
    ...(given.username === undefined ? {} : { username: given.username }),
  };
  if (form === null) {
    if (given.secret === null) throw new UsageError('--password-stdin is required');
    return { ...named, password: given.secret };
  }
  const filled: Fields = {};
  const paths = Object.keys(named).map((name) => pathOf(form, name));
  for (const [index, value] of Object.values(named).entries()) place(form, filled, paths[index] ?? [], value);
  if (!isSameJson(withoutSecrets(form, filled), filled)) {
    const shown = secretPaths(form).find((path) => at(filled, path) !== undefined);
    throw new UsageError(`send ${shown?.join('.') ?? 'secrets'} on stdin, with --password-stdin`);
  }
  const secrets = placeSecrets(form, filled, given.secret);
  const applied = applyForm(form, filled);
  const values = applied.values as Fields;
  const isKnownOnly = ([name = '']: readonly string[]): boolean =>
    given.known?.[name] !== undefined && !(name in given.fields);
  const needless = [...paths, ...secrets].find(
    (path) =>
      !isKnownOnly(path) &&
      at(filled, path) !== undefined &&
      fieldIn(form, path[0] ?? '') !== null &&
      at(values, path) === undefined,
  );
  if (needless !== undefined)
    throw new UsageError(`${needless.join('.')} is not asked for with the other fields as they are`);
  printFaults(applied.form, values, secrets);
  const unknown = Object.entries(filled).filter(([name]) => fieldIn(form, name) === null);
  return { ...Object.fromEntries(unknown), ...values };
}

/** Puts secrets into the fields where the form asks for them. @returns their paths */
function placeSecrets(form: Schema, filled: Fields, stdin: string | null): string[][] {
  const askedFor = (): string[][] => secretPaths(applyForm(form, filled).form);
  let secrets: string[][] = [];
  // Repeated until nothing changes, because one secret's value can be the condition for another field.
  for (let asked = askedFor(); !isSameJson(asked, secrets); asked = askedFor()) {
    secrets = asked;
    for (const [path, value] of readSecrets(secrets, stdin)) place(form, filled, path, value);
  }
  if (secrets.length === 0 && stdin !== null)
    throw new UsageError('this carrier asks for no password: leave out --password-stdin');
  return secrets;
}

/** Sets a field to a value, converted to the type that the form gives it. */
function place(form: Schema, filled: Fields, path: readonly string[], value: Value): void {
  put(filled, path, toType(value, fieldAt(form, path)));
}

function pathOf(form: Schema, name: string): string[] {
  const [first = '', ...rest] = name.split('.');
  const isInside = rest.length > 0 && fieldIn(form, name) === null && fieldIn(form, first)?.type === 'object';
  return isInside ? [first, ...rest] : [name];
}

/** Converts a text argument to a number or a boolean where the field has that type. */
function toType(value: Value, field: Readonly<Record<string, unknown>>): Value {
  if (typeof value !== 'string') return value;
  const type = typeOf(field);
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
  if (type === 'number' || type === 'integer') return isNumber ? Number(value) : value;
  return type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

function put(fields: Fields, path: readonly string[], value: Value): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    fields[name] = value;
    return;
  }
  const inner = isObject(fields[name]) ? fields[name] : {};
  fields[name] = inner;
  put(inner, rest, value);
}

const at = (fields: Fields, path: readonly string[]): Value | undefined =>
  path.reduce<Value | undefined>((value, name) => (isObject(value) ? value[name] : undefined), fields);

function readSecrets(
  secrets: readonly string[][],
  stdin: string | null,
): readonly (readonly [readonly string[], Value])[] {
  const [only, ...others] = secrets;
  if (only === undefined || stdin === null) return [];
  if (others.length === 0) return [[only, stdin]];
  const names = secrets.map((path) => path.join('.'));
  let given: unknown;
  try {
    given = JSON.parse(stdin);
  } catch {
    given = null;
  }
  if (!isObject(given))
    throw new UsageError(`this carrier has several secrets: stdin must be JSON with ${names.join(', ')}`);
  return secrets.flatMap((path) => {
    const value = given[path.join('.')];
    return value === undefined ? [] : [[path, value] as const];
  });
}

/** @throws UsageError for missing fields, DeskError `connect.invalid` for wrong values */
function printFaults(form: Json, values: unknown, secrets: readonly string[][]): void {
  const faults = findFaults(form, values).map((fault) => ({ ...fault, name: fault.path.join('.') }));
  const missing = faults.filter(({ keyword }) => keyword === 'required').map(({ name }) => name);
  if (missing.length > 0) {
    const isSecret = (name: string): boolean => secrets.some((path) => path.join('.') === name);
    const missingOptions = missing.map((name) =>
      isSecret(name)
        ? `${name} on stdin (--password-stdin)`
        : name === 'username'
          ? '--username'
          : `--field ${name}=…`,
    );
    throw new UsageError(`this carrier also wants ${missingOptions.join(', ')}`);
  }
  if (faults.length === 0) return;
  throw new DeskError('connect.invalid', {
    details: Object.fromEntries(faults.map(({ name, message }) => [`field.${name}`, message])),
  });
}
