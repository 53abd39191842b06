import { format } from '@cfworker/json-schema';
import { RE2JS } from 're2js';
import { isObject, type Json } from './json.ts';

/** Limits the length of a text before a check, so that the check takes negligible time. */
const upTo =
  (maxLength: number, isRight: (value: string) => boolean) =>
  (value: string): boolean =>
    value.length <= maxLength && isRight(value);

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(value: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? [];
  const days = monthDays[Number(month) - 1];
  if (days === undefined || Number(day) < 1 || Number(day) > days) return false;
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  return isLeap || month !== '02' || day !== '29';
}

const isTime = (value: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(value);

const isDateTime = (value: string): boolean =>
  /^.{10}[t ]/i.test(value) && isDate(value.slice(0, 10)) && isTime(value.slice(11));

/** Labels of letters, digits and hyphens with dots between them. */
function isHost(value: string): boolean {
  const labels = value.split('.');
  return labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label));
}

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  const [name, host] = [value.slice(0, at), value.slice(at + 1)];
  return at > 0 && at <= 64 && /^[^\s@"<>()]+$/.test(name) && !/^\.|\.\.|\.$/.test(name) && isHost(host);
}

/** An address on the web: a host, perhaps a port, and whatever follows without a space. */
function isUrl(value: string): boolean {
  const [, host = '', rest = ''] = /^(?:https?|ftp):\/\/([^/?#:\s]+)(.*)$/isu.exec(value) ?? [];
  return isHost(host) && /^(:\d{1,5})?([/?#]\S*)?$/.test(rest);
}

const isUri = (value: string): boolean => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(value);

/**
 * The formats that are checked, each in linear time. They are less strict than the standards; the carrier makes the
 * final check.
 */
export const linearFormats: Readonly<Record<string, (value: string) => boolean>> = {
  date: upTo(10, isDate),
  time: upTo(32, isTime),
  'date-time': upTo(48, isDateTime),
  email: upTo(320, isEmail),
  'idn-email': upTo(320, isEmail),
  hostname: upTo(253, isHost),
  'idn-hostname': upTo(253, isHost),
  ipv4: upTo(
    15,
    (value) => /^(\d{1,3}\.){3}\d{1,3}$/.test(value) && value.split('.').every((octet) => +octet < 256),
  ),
  uuid: upTo(36, (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)),
  url: upTo(2_000, isUrl),
  uri: upTo(2_000, isUri),
  iri: upTo(2_000, isUri),
};

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
 * Returns a form in which every pattern and format runs in linear time: JavaScript's own patterns and the
 * validator's own formats can take years for some values, and the window would not respond. Each pattern
 * becomes a format, which the validator looks up; the only other formats are those of {@link linearFormats},
 * and values of any other format are accepted. A pattern that cannot run in linear time is dropped and no
 * longer restricts its field; a condition or an either-or that needs it is dropped as well.
 */
export const withLinearPatterns = (schema: Json): Linear => rewrite(schema);

function rewrite(given: Json): Linear {
  let isRefused = false;
  let isConditionRefused = false;
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (!isObject(value)) return value;
    const rewritten = rewrite(value);
    isRefused ||= rewritten.isRefused;
    return rewritten.schema;
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
      schema[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, subschema]) => [name, inner(subschema)]),
      );
    else if (keyword === 'allOf' && Array.isArray(value)) alsoAll(value.map(inner));
    else if (keyword === 'oneOf' && Array.isArray(value)) {
      const wasRefused: boolean = isRefused;
      isRefused = false;
      const alternatives = value.map(inner);
      // An alternative without its pattern may match in addition to another one.
      if (isRefused) alsoAll([{ anyOf: alternatives }]);
      else schema.oneOf = alternatives;
      isRefused ||= wasRefused;
    } else if (keyword === 'if' && isObject(value)) {
      const condition = rewrite(value);
      schema.if = condition.schema;
      isConditionRefused = condition.isRefused;
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
