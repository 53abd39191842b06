import type { PayerForm } from '../../../contract/connect-views.ts';
import type { Input } from '../../../contract/procedures.ts';
import { UsageError } from './usage.ts';

type Fields = Input<'connect:submit'>['fields'];
type Value = Fields[string];
type Schema = NonNullable<PayerForm['form']>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const propertiesOf = (schema: Schema): [string, Schema][] =>
  Object.entries(isObject(schema.properties) ? schema.properties : {}) as [string, Schema][];

/**
 * The fields of a login as a carrier's form wants them. A field inside of another is named with a dot. Secrets come
 * from stdin alone: one goes where the form has its secret field; of several, stdin is a JSON object by their names.
 * @throws UsageError where a field that the form requires is not given, or a secret is given as an argument
 */
export function fillCarrierForm(
  form: PayerForm['form'],
  given: { readonly username?: string | undefined; readonly secret: string; readonly fields: Fields },
): Fields {
  const schema = form ?? {};
  const named = { ...given.fields, ...(given.username === undefined ? {} : { username: given.username }) };
  const filled: Fields = {};
  for (const [name, value] of Object.entries(named)) put(filled, pathOf(schema, name), value);
  const secrets = findSecrets(schema);
  if (secrets.some((path) => at(filled, path) !== undefined))
    throw new UsageError('send the password on stdin, with --password-stdin');
  for (const [path, value] of readSecrets(secrets, given.secret)) put(filled, path, value);
  const missing = form === null ? [] : findMissing(schema, filled);
  if (missing.length > 0) {
    const isSecret = (name: string): boolean => secrets.some((path) => path.join('.') === name);
    const wanted = missing.map((name) =>
      isSecret(name) ? `${name} on stdin` : name === 'username' ? '--username' : `--field ${name}=…`,
    );
    throw new UsageError(`this carrier also wants ${wanted.join(', ')}`);
  }
  return filled;
}

function pathOf(schema: Schema, name: string): string[] {
  const properties = propertiesOf(schema);
  const [first = '', ...rest] = name.split('.');
  const isInside =
    rest.length > 0 && properties.some(([one, { type }]) => one === first && type === 'object');
  return isInside && !properties.some(([one]) => one === name) ? [first, ...rest] : [name];
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

function at(fields: Fields, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((found, name) => (isObject(found) ? found[name] : undefined), fields);
}

/** The engine marks secret fields by their format. */
function findSecrets(schema: Schema, above: readonly string[] = []): string[][] {
  return propertiesOf(schema).flatMap(([name, property]) =>
    property.format === 'password' ? [[...above, name]] : findSecrets(property, [...above, name]),
  );
}

function readSecrets(secrets: readonly string[][], stdin: string): [readonly string[], Value][] {
  const [only = ['password'], ...others] = secrets;
  if (others.length === 0) return [[only, stdin]];
  const names = secrets.map((path) => path.join('.'));
  let given: unknown;
  try {
    given = JSON.parse(stdin);
  } catch {
    given = null;
  }
  if (!isObject(given))
    throw new UsageError(`this carrier has several secrets: stdin is to be JSON with ${names.join(', ')}`);
  return secrets.flatMap((path): [readonly string[], Value][] => {
    const value = given[path.join('.')];
    return value === undefined ? [] : [[path, value]];
  });
}

function findMissing(schema: Schema, filled: Fields, above = ''): string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return propertiesOf(schema).flatMap(([name, property]) => {
    const value = filled[name];
    if (property.type === 'object' && (isObject(value) || required.includes(name)))
      return findMissing(property, isObject(value) ? value : {}, `${above}${name}.`);
    return required.includes(name) && value === undefined && property.default === undefined
      ? [`${above}${name}`]
      : [];
  });
}
