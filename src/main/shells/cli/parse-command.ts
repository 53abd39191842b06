import { parseArgs } from 'node:util';
import { isReason, maxReasonLength } from '../../../contract/export.ts';
import { isDay } from '../../../rules/days.ts';
import { type Entity, entities, fieldsOf } from '../../../rules/list-fields.ts';
import type { Condition, ListQuery, Operator, Sort } from '../../../rules/query.ts';
import { askNearest } from './nearest-name.ts';
import { UsageError } from './usage.ts';

type Words<Line, Read = never> = Line extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Read | Word>
  : Read | Line;
const words = <const Lines extends readonly string[]>(...lines: Lines) =>
  lines.flatMap((line) => line.split(' ')) as Words<Lines[number]>[];

// The options of all commands: those with a value, those with one that may be repeated, and those without.
const withValue = words(
  'profile input workspace port members claims seed base-url email name header scheme type search limit',
  'offset group-by employer-key member-key vendor-tenant columns format preset delimiter split out keep',
  'passphrase-fd new-passphrase-fd code-fd answer confirm-name claims-before member file server',
  'setup-code invitation team recovery-key plan-year try two-people-above role public-token',
  'tenant-label tenant-key first-name last-name system-key vendor employer new-employer date-of-birth',
  'phone payer username connection code state outcome on-whom reason reminder owner worklist text',
  'amount date from to kind account share cause data database tls-cert tls-key origin',
  'metrics-token-file size-limit documents-limit password-file days most second-look claims-a-day dollars-a-day',
  'direction asker level due letter-date',
);
const repeated = words('filter sort confirm field tag untag line without');
const flags = words(
  'json reveal help version active totals missing accept-clock agree disagree accept-loss decline-loss',
  'quiet sign offsets all-paid corrections with-changed before-service passphrase-stdin full user-data',
  'may-lose everything all yes accept-other-key renew secret-stdin demo legacy plan password-stdin',
  'accept-terms mine unassigned flag unflag',
);

export type OptionName = (typeof withValue | typeof repeated | typeof flags)[number];
export type Options = { -readonly [K in (typeof withValue)[number]]?: string } & {
  -readonly [K in (typeof repeated)[number]]?: string[];
} & { -readonly [K in (typeof flags)[number]]?: boolean };

/** Every option, and whether a value follows it. An option with a list may be repeated. */
export const optionTypes = Object.fromEntries([
  ...withValue.map((name) => [name, 'string']),
  ...repeated.map((name) => [name, 'list']),
  ...flags.map((name) => [name, 'boolean']),
]) as Readonly<Record<OptionName, 'string' | 'list' | 'boolean'>>;

/** The options that every command takes. */
export const everywhere: readonly OptionName[] = [
  'profile',
  'workspace',
  'passphrase-fd',
  'json',
  'reveal',
  'help',
  'version',
  'input',
];

export interface Command {
  readonly words: readonly string[];
  readonly options: Options;
  /** The command's stdin; the process's own where absent. */
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/** Options that may be one letter. */
const shortNames: Readonly<Record<string, string>> = { help: 'h', version: 'v' };

/** Describes wrong options. The messages of Node's parser are about its functions, so they are not used. */
function describeWrongOption(thrown: unknown): string {
  const { code, message = '' } = thrown as { code?: string; message?: string };
  const [, typed = '', dashes = '', name = ''] = /'((-{1,2})([\w-]*))/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const names = dashes === '--' ? Object.keys(optionTypes) : [];
    return `there is no option ${typed}${askNearest(name, names, '--')}`;
  }
  const long = /--[\w-]+/.exec(message)?.[0] ?? typed;
  if (/does not take an argument/.test(message)) return `${long} takes no value`;
  if (/argument missing|is ambiguous/.test(message)) return `${long} needs a value`;
  return message.split('\n')[0] ?? 'the options can’t be read';
}

/**
 * The arguments for Node's parser, which takes whatever begins with a dash for an option. The ID of a team (22
 * characters) or of a computer (43) begins with one in 64 cases.
 */
function separateIds(argv: readonly string[]): string[] {
  const args: string[] = [];
  const ids: string[] = [];
  for (const arg of argv) {
    const before = args.at(-1);
    if (!/^-[\w-]{21}(?:[\w-]{21})?$/.test(arg)) args.push(arg);
    else if ([...withValue, ...repeated].some((name) => before === `--${name}`))
      args.push(`${args.pop()}=${arg}`);
    else ids.push(arg);
  }
  return [...args, ...(ids.length === 0 || args.includes('--') ? [] : ['--']), ...ids];
}

/** Splits the words of a command line from its options. @throws UsageError */
export function parseCommand(argv: readonly string[]): Command {
  try {
    const { values, positionals } = parseArgs({
      args: separateIds(argv),
      allowPositionals: true,
      strict: true,
      options: Object.fromEntries(
        Object.entries(optionTypes).map(([name, type]) => [
          name,
          type === 'list'
            ? { type: 'string' as const, multiple: true }
            : { type, ...(Object.hasOwn(shortNames, name) ? { short: shortNames[name] } : {}) },
        ]),
      ),
    });
    const options = values as Options;
    // A variable that is empty in a script must not select the desktop app's profile.
    if (options.profile === '') throw new UsageError('--profile takes a folder');
    return { words: positionals, options };
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw new UsageError(describeWrongOption(thrown));
  }
}

/** @throws UsageError */
export function parseWhole(text: string | undefined, name: string, min = 0): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < min)
    throw new UsageError(`${name} takes a whole number, not ${text}`);
  return value;
}

/** An id: a whole number. @throws UsageError */
export function parseId(text: string | undefined): number {
  const id = Number(text);
  if (!/^-?\d+$/.test(text ?? '') || !Number.isSafeInteger(id))
    throw new UsageError(`an ID is a whole number, not ${text ?? 'nothing'}`);
  return id;
}

/** A day of an option. @throws UsageError */
export function parseDay(text: string | undefined, name: string): string | undefined {
  if (text !== undefined && !isDay(text)) throw new UsageError(`${name} takes a date as 2024-01-31`);
  return text;
}

/** The number of `--limit`; all where it is absent. @throws UsageError */
export const parseLimit = ({ limit }: Options): number =>
  parseWhole(limit, '--limit') ?? Number.MAX_SAFE_INTEGER;

/** @throws UsageError */
export function oneOf<T extends string>(values: readonly T[], text: string, name: string): T {
  const choice = values.find((value) => value === text);
  if (choice === undefined) throw new UsageError(`${name} is one of ${values.join(', ')}`);
  return choice;
}

/** @throws UsageError */
export function parseEntity(word: string | undefined): Entity {
  const parsed = entities.find((entity) => entity === word);
  if (parsed === undefined)
    throw new UsageError(`one of ${entities.join(', ')} is required, not ${word ?? 'nothing'}`);
  return parsed;
}

const filterPattern = /^([\w.$]+)(!=|>=|<=|\^=|=|~|>|<)(.*)$/s;
const simpleOperators: Readonly<Record<string, Operator>> = {
  '>=': 'atLeast',
  '<=': 'atMost',
  '>': 'moreThan',
  '<': 'lessThan',
  '~': 'contains',
  '^=': 'startsWith',
};

/** `amount_billed>=1000` → a condition. @throws UsageError */
export function parseFilter(text: string): Condition {
  const [, field, sign, value] = filterPattern.exec(text) ?? [];
  if (field === undefined || sign === undefined || value === undefined)
    throw new UsageError(`write a filter as field=value, not ${text}`);
  const simple = simpleOperators[sign];
  if (simple !== undefined) return { field, operator: simple, values: [value] };
  if (value === '') return { field, operator: sign === '=' ? 'isEmpty' : 'isNotEmpty', values: [] };
  if (sign === '!=') return { field, operator: 'isNot', values: [value] };
  if (value.startsWith('=')) return { field, operator: 'is', values: [value.slice(1)] };
  const range = /^(.+?)\.\.(.+)$/s.exec(value);
  if (range !== null) return { field, operator: 'between', values: [range[1] as string, range[2] as string] };
  if (value.includes('|')) return { field, operator: 'isOneOf', values: value.split('|') };
  return { field, operator: 'is', values: [value] };
}

/** `amount_billed:desc` → a sort. @throws UsageError */
export function parseSort(text: string): Sort {
  const match = /^([\w.$]+)(?::(asc|desc))?(?::nulls-(first|last))?$/.exec(text);
  if (match === null)
    throw new UsageError(`write a sort as field, field:desc, or field:desc:nulls-first, not ${text}`);
  const direction = match[2] === 'desc' ? 'desc' : 'asc';
  const nulls = match[3] as 'first' | 'last' | undefined;
  return { field: match[1] as string, direction, ...(nulls === undefined ? {} : { nulls }) };
}

/** Writes a filter as `parseFilter` reads it. */
export function writeFilter({ field, operator, values }: Condition): string {
  const name = field.replace(/^\$/, '');
  if (operator === 'isOneOf') return `${name}=${values.join('|')}`;
  if (operator === 'isEmpty') return `${name}=`;
  if (operator === 'isNotEmpty') return `${name}!=`;
  if (operator === 'between') return `${name}=${values[0]}..${values[1]}`;
  const value = String(values[0]);
  const sign = Object.keys(simpleOperators).find((name) => simpleOperators[name] === operator);
  if (sign !== undefined || operator === 'isNot') return `${name}${sign ?? '!='}${value}`;
  const isLiteral = value === '' || value.startsWith('=') || value.includes('|') || value.includes('..');
  return `${name}=${isLiteral ? '=' : ''}${value}`;
}

/** The path of a column: columns that Claimdesk adds (`claim_id`, `member_id`) have paths that begin with `$`. */
export const toPath = (entity: Entity, name: string): string =>
  fieldsOf[entity].some((spec) => spec.path === `$${name}`) ? `$${name}` : name;

/**
 * The query of a list or an export. Archived members are included unless an option excludes them.
 * @throws UsageError
 */
export function parseQuery(entity: Entity, options: Options): ListQuery {
  const named = <T extends { field: string }>(part: T): T => ({ ...part, field: toPath(entity, part.field) });
  return {
    entity,
    ...(options.search === undefined ? {} : { search: options.search }),
    ...(options.filter === undefined ? {} : { conditions: options.filter.map(parseFilter).map(named) }),
    ...(options.sort === undefined
      ? {}
      : {
          sort: options.sort
            .flatMap((text) => text.split(','))
            .map(parseSort)
            .map(named),
        }),
    ...(entity === 'members' ? { includesArchived: options.active !== true } : {}),
    ...(options.missing === true ? { includesMissing: true } : {}),
  };
}

/** @throws UsageError where the reason is longer than an export allows, or too short to be one */
export function parseReason({ reason }: Options): string | undefined {
  if (reason !== undefined && reason.trim().length > maxReasonLength)
    throw new UsageError(`--reason takes at most ${maxReasonLength} characters`);
  if (reason !== undefined && !isReason(reason))
    throw new UsageError('--reason is too short: write at least three letters or digits');
  return reason;
}
