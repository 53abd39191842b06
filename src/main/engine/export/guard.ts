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

/** Where a spreadsheet that splits a CSV at another sign than ours begins a cell with a formula. */
const runsAfterSplit = /(?<=[,;|\t\r\n])(?=[=+\-@＝＋－＠])/g;

/**
 * A text that is also safe in a CSV that a spreadsheet splits at another sign than `delimiter`, as Excel does by the
 * computer's regional settings: quotes inside such a cell do not protect it, so each formula that would begin there
 * gets a `'`.
 */
export const guardSplits = (text: string, delimiter: string): string =>
  text.replace(runsAfterSplit, (_none, at: number) => (text[at - 1] === delimiter ? '' : "'"));

/** What is between the names of a cell of several in a file or on the clipboard. */
export const nameSeparator = '; ';

/** The names in a cell of several, as one text for a file or the clipboard. */
export const joinNames = (cell: string): string => listNames(cell).join(nameSeparator);
