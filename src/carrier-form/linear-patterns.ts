import { format } from '@cfworker/json-schema';
import { RE2JS } from 're2js';

import { isObject, type Json } from './json.ts';
import { linearFormats } from './linear-formats.ts';

/** The prefix of a format's name, followed by the pattern that it runs. */
export const patternFormat = 'claimdesk-pattern:';
/** The prefix of the name of a format that is checked here. */
const ownFormat = 'claimdesk-format:';

const maxPattern = 1_000;
/** The longest value that is checked, in characters; time grows with pattern and value. */
const maxValue = 1_000;

/** Keywords whose values are data, in which `pattern` is not a keyword. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Keywords whose values are schemas by name. */
const mapKeywords: ReadonlySet<string> = new Set([
  ...['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);

for (const [name, isRight] of Object.entries(linearFormats)) format[ownFormat + name] = isRight;

interface Linear {
  readonly schema: Json;
  /** A pattern was dropped, here or below. */
  readonly isRefused: boolean;
}

/**
 * A form in which every pattern and format runs in linear time: JavaScript's own patterns and the validator's own
 * formats can take years for some values, during which the window would not respond. Each pattern becomes a format,
 * which the validator looks up; of formats there are those of {@link linearFormats}, and a value of another one is
 * accepted. A pattern that cannot be run so is dropped and its field accepted as it is; a condition or an either-or
 * that needs it is dropped with it.
 */
export function withLinearPatterns(schema: Json): Linear {
  return rewrite(schema);
}

function rewrite(given: Json): Linear {
  let isRefused = false;
  let isConditionRefused = false;
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (!isObject(value)) return value;
    const found = rewrite(value);
    isRefused ||= found.isRefused;
    return found.schema;
  };
  const schema: Record<string, unknown> = {};
  const alsoAll = (more: readonly unknown[]): void => {
    schema.allOf = [...((schema.allOf as unknown[] | undefined) ?? []), ...more];
  };
  for (const [keyword, value] of Object.entries(given)) {
    if (keyword === 'pattern') {
      if (typeof value === 'string' && register(value)) alsoAll([{ format: patternFormat + value }]);
      else isRefused = true;
    } else if (keyword === 'patternProperties') isRefused = true;
    else if (keyword === 'format') {
      if (typeof value === 'string' && Object.hasOwn(linearFormats, value)) schema.format = ownFormat + value;
    } else if (dataKeywords.has(keyword)) schema[keyword] = value;
    else if (mapKeywords.has(keyword) && isObject(value))
      // Their keys are names of fields, even where they look like keywords.
      schema[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
    else if (keyword === 'allOf' && Array.isArray(value)) alsoAll(value.map(inner));
    else if (keyword === 'oneOf' && Array.isArray(value)) {
      const wasRefused: boolean = isRefused;
      isRefused = false;
      const alternatives = value.map(inner);
      // Without its pattern, an alternative may match in addition to another one.
      if (isRefused) alsoAll([{ anyOf: alternatives }]);
      else schema.oneOf = alternatives;
      isRefused ||= wasRefused;
    } else if (keyword === 'if' && isObject(value)) {
      const found = rewrite(value);
      schema.if = found.schema;
      isConditionRefused = found.isRefused;
    } else schema[keyword] = inner(value);
  }
  if (!isConditionRefused) return { schema, isRefused };
  const { if: _if, then: _then, else: _else, ...rest } = schema;
  return { schema: rest, isRefused: true };
}

/** False for a pattern that cannot be run in linear time. */
function register(pattern: string): boolean {
  const name = patternFormat + pattern;
  if (Object.hasOwn(format, name)) return true;
  if (pattern.length > maxPattern) return false;
  try {
    const compiled = RE2JS.compile(pattern);
    format[name] = (value) => value.length > maxValue || compiled.matcher(value).find();
    return true;
  } catch {
    return false;
  }
}
