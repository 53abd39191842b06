import { fieldsOf } from '../../../../rules/list-fields.ts';
import type { Cell } from '../../../../rules/query.ts';
import type { Database } from '../file/database.ts';
import { isRawNumber, parseJson } from './json.ts';
import { maskSsn } from './mask.ts';
import { normalizeSsn } from './ssn-hash.ts';

/**
 * Matches nine digits in the form of an SSN, together or with signs or blanks between its parts. With other digits next
 * to them they are a different number.
 */
const formWith = (between: string) => {
  const afterThree = `${between}{1,3}\\d{2}${between}{1,3}\\d{4}(?!\\d)`;
  return { all: new RegExp(`(?<!\\d)\\d{3}(?:\\d{6}(?!\\d)|${afterThree})`, 'g'), afterThree };
};
const form = formWith('[^\\dA-Za-z]');
/** In JSON, adjacent numbers are separated by JSON's own signs. */
const formInJson = formWith('[^\\dA-Za-z",:[\\]{}\\\\]');
/** Digits of other widths and styles, such as full-width ones. */
const otherDigit = /[\p{Nd}--\d]/v;
const restOfForm = new RegExp(form.afterThree, 'y');

/** JSON begins with one of these, or with a blank. */
const [quote, bracket, brace] = [34, 91, 123];

/**
 * The properties of a text, as bits: it has the form of an SSN; or it has a backslash or a character beyond ASCII,
 * which may hide one.
 */
const [hasForm, isOdd] = [1, 2];

/** Examines each character once: expressions would take several times as long. */
function lookAt(text: string): number {
  let [seen, digits] = [0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code >= 48 && code <= 57) {
      digits += 1;
      continue;
    }
    if (digits === 9 || (digits === 3 && isFormAfter(text, at))) seen |= hasForm;
    if (code > 127 || code === 92) seen |= isOdd;
    digits = 0;
  }
  return seen;
}

/**
 * Whether a text may have the form of an SSN, or is JSON, where escapes may hide one. The form has three digits in a
 * row, in ASCII or beyond it, so that a look at each third character finds one of them.
 */
function mayHaveForm(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first <= quote || first === bracket || first === brace || first > 127) return true;
  for (let at = 2; at < text.length; at += 3) {
    const code = text.charCodeAt(at);
    if ((code >= 48 && code <= 57) || code > 127) return true;
  }
  return false;
}

function isFormAfter(text: string, at: number): boolean {
  restOfForm.lastIndex = at;
  return restOfForm.test(text);
}

/** The names of the service's text fields, which identify a number sent in place of a text. */
const textFields = new Set(
  Object.values(fieldsOf)
    .flat()
    .flatMap(({ kind, path }) => (kind === 'text' ? [path, path.slice(path.lastIndexOf('.') + 1)] : [])),
);

/** Text fields written in reviews, not in records: masking would change the text on the next edit. */
const written: ReadonlySet<string> = new Set(['notes', 'fact']);

/** Whether the value of a property, or of a position in a row, is a text. */
type IsText = (key: string | number) => boolean;
const isTextField: IsText = (key) => textFields.has(key as string);

const digitsIn = (match: string): string => (match.length === 9 ? match : match.replace(/\D/g, ''));

/** An SSN sent as a number has lost its leading zeros. */
const digitsOf = (value: number): string => String(value).padStart(9, '0');

/** Returns the value with all that has the form of an SSN replaced by `onForm`; the value itself if unchanged. */
function walk(value: unknown, isText: IsText, onForm: (match: string) => string): unknown {
  if (typeof value === 'string') return walkText(value, isText, onForm);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index += 1) {
      const result = walkInner(value[index], index, isText, onForm);
      if (result === value[index]) continue;
      copy ??= [...value];
      copy[index] = result;
    }
    return copy ?? value;
  }
  if (ArrayBuffer.isView(value) || isRawNumber(value)) return value;
  let copy: Record<string, unknown> | null = null;
  // Lists have a hundred thousand cells, for which Object.entries() takes four times as long.
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (!Object.hasOwn(value, key) || (typeof inner !== 'number' && written.has(key))) continue;
    const result = walkInner(inner, key, isText, onForm);
    if (result === inner) continue;
    copy ??= { ...value } as Record<string, unknown>;
    copy[key] = result;
  }
  return copy ?? value;
}

function walkText(text: string, isText: IsText, onForm: (match: string) => string): string {
  // Most texts are too short for nine digits in any form.
  if (text.length < 9 || !mayHaveForm(text)) return text;
  const seen = lookAt(text);
  if (seen === 0) return text;
  if (seen === hasForm && text.length === 9) return onForm(text);
  const plain =
    seen !== hasForm && otherDigit.test(text)
      ? text.replace(new RegExp(otherDigit, 'gv'), (digit) => digit.normalize('NFKC'))
      : text;
  if ((lookAt(plain) & hasForm) === 0 && !plain.includes('\\')) return text;
  const value = readJson(plain);
  const inner = value === undefined ? undefined : walk(value, isText, onForm);
  const walked = inner === value ? plain : JSON.stringify(inner);
  const result = walked.replace((value === undefined ? form : formInJson).all, onForm);
  return result === plain ? text : result;
}

/** Parses a text that is JSON, where escapes can separate the digits; undefined for another text. */
function readJson(text: string): unknown {
  try {
    return /^\s*[[{"]/.test(text) ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}

function walkInner(
  inner: unknown,
  key: string | number,
  isText: IsText,
  onForm: (match: string) => string,
): unknown {
  if (typeof inner !== 'number') return walk(inner, isText, onForm);
  if (inner < 1_000_000 || inner > 999_999_999 || !isText(key)) return inner;
  const digits = digitsOf(inner);
  const text = onForm(digits);
  return text === digits ? inner : text;
}

/** Returns the digits of everything in a value that has the form of an SSN; empty for most values. */
export function findSsnForms(value: unknown): string[] {
  const forms = new Set<string>();
  walk(value, isTextField, (match) => {
    forms.add(digitsIn(match));
    return match;
  });
  return [...forms];
}

/** Returns the same value with these SSNs masked; the value itself where it contains none of them. */
export function maskSsns<T>(value: T, ssns: ReadonlySet<string>): T {
  if (ssns.size === 0) return value;
  return walk(value, isTextField, (match) => (ssns.has(digitsIn(match)) ? maskSsn(match) : match)) as T;
}

/**
 * Creates a function that masks the SSNs of this workspace's people in text cells. It is for many rows: reading all
 * SSNs once takes less time than looking up the hash of each nine-digit check number.
 */
export function createCellMask(database: Database): (cell: Cell) => Cell {
  const knownSsns = new Set<string | null>();
  for (const table of ['members', 'dependents'])
    for (const ssn of database.prepare(`SELECT ssn FROM ${table} WHERE ssn IS NOT NULL`).pluck().all())
      knownSsns.add(normalizeSsn(String(ssn)));
  const mask = (match: string): string => (knownSsns.has(digitsIn(match)) ? maskSsn(match) : match);
  return (cell) => walkInner(cell, 0, () => true, mask) as Cell;
}

/** Returns which of these nine-digit numbers are SSNs of members or dependents, by the index of their hashes. */
export const findKnownSsns = (database: Database, digits: readonly string[]): string[] =>
  database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value, ssn_hash(value) AS hash FROM json_each(?))
       SELECT value FROM wanted
       WHERE EXISTS (SELECT 1 FROM members WHERE ssn IS NOT NULL AND ssn_hash(ssn)=hash)
       OR EXISTS (SELECT 1 FROM dependents WHERE ssn IS NOT NULL AND ssn_hash(ssn)=hash)`,
    )
    .pluck()
    .all(JSON.stringify(digits)) as string[];

/**
 * Masks the SSNs of this workspace's people wherever they occur in what leaves the store: in remarks, account numbers
 * or any other text. Only what has the form of an SSN is looked up.
 */
export function maskSsnsIn<T>(database: Database, value: T): T {
  const digits = findSsnForms(value);
  return digits.length === 0 ? value : maskSsns(value, new Set(findKnownSsns(database, digits)));
}

/** Does the same where the store is in another thread. */
export async function maskKnownSsns<T>(
  value: T,
  findKnown: (digits: string[]) => Promise<readonly string[]>,
): Promise<T> {
  const digits = findSsnForms(value);
  return digits.length === 0 ? value : maskSsns(value, new Set(await findKnown(digits)));
}
