import { type FieldKind, listNames } from '../../../contract/fields.ts';
import { plainNumber } from './exact-amount.ts';

/**
 * Characters that make a spreadsheet run a text as a formula when they are its first (OWASP, CSV injection), including
 * full-width forms.
 */
const runs = /^[=+\-@\t\r\n＝＋－＠]/;
const isoDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A text that is safe in a spreadsheet: one that would be run as a formula gets one `'` in front and is otherwise
 * unchanged. The guard examines the value, not its formatted form, and allows numbers that begin with a minus.
 */
export function guardText(text: string, kind: FieldKind): string {
  if (!runs.test(text)) return text;
  const isSafe =
    kind === 'date' || kind === 'dateTime'
      ? isoDate.test(text)
      : kind !== 'text' && kind !== 'boolean' && plainNumber.test(text);
  return isSafe ? text : `'${text}`;
}

/** The names in a cell of several, as one text for a file or the clipboard. */
export const joinNames = (cell: string): string => listNames(cell).join('; ');
