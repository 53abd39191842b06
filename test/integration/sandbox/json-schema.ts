/**
 * A small interpreter of JSON Schema 2020-12, as much as the sandbox's OpenAPI document uses. It refuses keywords
 * that it does not know, so that a constraint is never passed over in silence. It shares no code with zod.
 */

type Json = Record<string, unknown>;

const ANNOTATIONS = new Set(['description', 'title', 'default', '$comment', 'format', 'enumNames']);
const MAX_PROBLEMS = 5;

/** Returns what is wrong with a value, as paths and sentences; empty: nothing. */
export function problemsOf(root: Json, schema: Json, value: unknown, path = '$'): string[] {
  const problems: string[] = [];
  for (const [keyword, rule] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const check = CHECKS[keyword];
    if (check === undefined) throw new Error(`the keyword ${keyword} at ${path} is not known to this check`);
    problems.push(...check({ root, schema, rule, value, path }));
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems.slice(0, MAX_PROBLEMS);
}

type Case = { root: Json; schema: Json; rule: unknown; value: unknown; path: string };
type Check = (given: Case) => string[];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const when = (isWrong: boolean, text: string): string[] => (isWrong ? [text] : []);

const patterns = new Map<string, RegExp>();

function patternOf(text: string): RegExp {
  const known = patterns.get(text) ?? new RegExp(text, 'u');
  patterns.set(text, known);
  return known;
}

const CHECKS: Readonly<Record<string, Check>> = {
  $ref: ({ root, rule, value, path }) => problemsOf(root, resolve(root, String(rule)), value, path),
  type: ({ rule, value, path }) => {
    const names = Array.isArray(rule) ? rule.map(String) : [String(rule)];
    return when(
      !names.some((name) => isType(name, value)),
      `${path}: ${typeof value} is no ${names.join(' or ')}`,
    );
  },
  enum: ({ rule, value, path }) =>
    when(!(rule as unknown[]).includes(value), `${path}: ${value} is not listed`),
  const: ({ rule, value, path }) => when(rule !== value, `${path}: is not ${rule}`),
  pattern: ({ rule, value, path }) =>
    when(
      typeof value === 'string' && !patternOf(String(rule)).test(value),
      `${path}: ${value} has another form`,
    ),
  minLength: ({ rule, value, path }) =>
    when(typeof value === 'string' && value.length < Number(rule), `${path}: too short`),
  maxLength: ({ rule, value, path }) =>
    when(typeof value === 'string' && value.length > Number(rule), `${path}: too long`),
  minimum: ({ rule, value, path }) =>
    when(typeof value === 'number' && value < Number(rule), `${path}: too small`),
  maximum: ({ rule, value, path }) =>
    when(typeof value === 'number' && value > Number(rule), `${path}: too large`),
  required: ({ rule, value, path }) =>
    isObject(value)
      ? (rule as string[]).filter((key) => !(key in value)).map((key) => `${path}: no ${key}`)
      : [],
  anyOf: ({ root, rule, value, path }) => {
    const tries = (rule as Json[]).map((option) => problemsOf(root, option, value, path));
    return tries.some((found) => found.length === 0) ? [] : (tries[0] ?? [`${path}: fits nothing`]);
  },
  allOf: ({ root, rule, value, path }) =>
    (rule as Json[]).flatMap((option) => problemsOf(root, option, value, path)),
  if: ({ root, schema, rule, value, path }) => {
    const branch = schema[problemsOf(root, rule as Json, value, path).length === 0 ? 'then' : 'else'];
    return branch === undefined ? [] : problemsOf(root, branch as Json, value, path);
  },
  // Looked at by `if`.
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: () => [],
  else: () => [],
  items: ({ root, rule, value, path }) =>
    Array.isArray(value)
      ? value.flatMap((item, n) => problemsOf(root, rule as Json, item, `${path}[${n}]`))
      : [],
  properties: ({ root, rule, value, path }) =>
    isObject(value)
      ? Object.entries(rule as Json).flatMap(([key, schema]) =>
          key in value ? problemsOf(root, schema as Json, value[key], `${path}.${key}`) : [],
        )
      : [],
  propertyNames: ({ root, rule, value, path }) =>
    isObject(value)
      ? Object.keys(value).flatMap((key) => problemsOf(root, rule as Json, key, `${path} key`))
      : [],
  additionalProperties: ({ root, schema, rule, value, path }) => {
    if (!isObject(value)) return [];
    const known = isObject(schema.properties) ? Object.keys(schema.properties) : [];
    const extra = Object.keys(value).filter((key) => !known.includes(key));
    if (rule === false) return extra.map((key) => `${path}: ${key} is not expected`);
    return extra.flatMap((key) => problemsOf(root, rule as Json, value[key], `${path}.${key}`));
  },
};

function isType(name: string, value: unknown): boolean {
  if (name === 'null') return value === null;
  if (name === 'array') return Array.isArray(value);
  if (name === 'object') return isObject(value);
  if (name === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return typeof value === name;
}

function resolve(root: Json, ref: string): Json {
  let found: unknown = root;
  for (const step of ref.replace(/^#\//, '').split('/')) found = (found as Json)[step];
  if (!isObject(found)) throw new Error(`${ref} leads nowhere`);
  return found;
}
