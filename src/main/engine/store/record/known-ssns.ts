import { fieldsOf } from '../../../../contract/fields.ts';
import type { Database } from '../file/database.ts';
import { isRawNumber } from './json.ts';
import { maskSsn } from './mask.ts';

/**
 * Nine digits in the form of an SSN, together or with signs or blanks between its parts. Other digits beside them make
 * it another number.
 */
const form = /(?<!\d)\d{3}(?:\d{6}|[-\u2010-\u2015\s./_]{1,3}\d{2}[-\u2010-\u2015\s./_]{1,3}\d{4})(?!\d)/g;

/** The names of the service's texts, by which a number in place of one is recognized. */
const textFields = new Set(
  Object.values(fieldsOf)
    .flat()
    .flatMap(({ kind, path }) => (kind === 'text' ? [path, path.slice(path.lastIndexOf('.') + 1)] : [])),
);

/** What people wrote in reviews. It is edited, so that masking would change it; it is no text of a record. */
const written: ReadonlySet<string> = new Set(['notes', 'fact']);

/** Whether the value of a property, or of a position in a row, is a text. */
type IsText = (key: string) => boolean;
const isTextField: IsText = (key) => textFields.has(key);

/** An SSN that came as a number has lost its leading zeros. */
const digitsOf = (value: number): string => String(value).padStart(9, '0');

function walk(value: unknown, isText: IsText, onText: (text: string) => string): unknown {
  if (typeof value === 'string') return value.length < 9 ? value : onText(value);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (ArrayBuffer.isView(value)) return value;
  let copy: Record<string, unknown> | null = null;
  // Lists have a hundred thousand cells: Object.entries() takes four times as long.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const inner = (value as Record<string, unknown>)[key];
    let result: unknown = inner;
    if (typeof inner !== 'number') {
      if (inner === null || typeof inner === 'boolean' || written.has(key)) continue;
      result = walk(inner, isText, onText);
    } else if (inner >= 1_000_000 && inner <= 999_999_999 && isText(key)) {
      const digits = digitsOf(inner);
      const text = onText(digits);
      if (text !== digits) result = text;
    }
    if (result === inner) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = result;
  }
  return copy ?? value;
}

/** The digits of everything in a value that has the form of an SSN; empty for most values. */
export function findSsnForms(value: unknown, isText: IsText = isTextField): string[] {
  const found = new Set<string>();
  walk(value, isText, (text) => {
    if (text.search(form) >= 0)
      for (const [match] of text.matchAll(form)) found.add(match.replace(/\D/g, ''));
    return text;
  });
  return [...found];
}

/** The same value with these SSNs masked; the value itself where it has none of them. */
export function maskSsns<T>(value: T, ssns: ReadonlySet<string>, isText: IsText = isTextField): T {
  if (ssns.size === 0) return value;
  const maskText = (text: string): string =>
    text.replace(form, (match) => (ssns.has(match.replace(/\D/g, '')) ? maskSsn(match) : match));
  return walk(value, isText, maskText) as T;
}

/** Those of these nine digits that are the SSN of a member or dependent, by the index of their keyed hashes. */
export function findKnownSsns(database: Database, digits: readonly string[]): string[] {
  return database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value, ssn_hash(value) AS hash FROM json_each(?))
       SELECT value FROM wanted
       WHERE EXISTS (SELECT 1 FROM members WHERE ssn IS NOT NULL AND ssn_hash(ssn)=hash)
       OR EXISTS (SELECT 1 FROM dependents WHERE ssn IS NOT NULL AND ssn_hash(ssn)=hash)`,
    )
    .pluck()
    .all(JSON.stringify(digits)) as string[];
}

/**
 * A text or rows about to leave the store, with the SSNs of this workspace's people masked wherever they are: in
 * remarks, account numbers or any other text. Only what has the form of an SSN is looked up.
 */
export async function maskKnownSsns<T>(
  value: T,
  findKnown: (digits: string[]) => Promise<readonly string[]>,
): Promise<T> {
  const digits = findSsnForms(value);
  return digits.length === 0 ? value : maskSsns(value, new Set(await findKnown(digits)));
}
