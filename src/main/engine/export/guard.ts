import { isFormula } from '../../../rules/formula-texts.ts';
import { type FieldKind, listNames } from '../../../rules/list-fields.ts';
import { plainNumber } from '../../../rules/money/amounts.ts';
import { replaceControls } from '../../../rules/unsafe-characters.ts';

const isoDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Makes a text safe for a spreadsheet and removes control characters. A text that would be run as a formula gets one
 * `'` in front and is otherwise unchanged. The guard examines the value, not its formatted form, and allows numbers
 * that begin with a minus.
 */
export function guardText(sent: string, kind: FieldKind): string {
  const text = replaceControls(sent);
  if (!isFormula(text)) return text;
  const isSafe =
    kind === 'date' || kind === 'dateTime'
      ? isoDate.test(text)
      : kind !== 'text' && kind !== 'boolean' && plainNumber.test(text);
  return isSafe ? text : `'${text}`;
}

/** The positions where a formula begins after a character at which some spreadsheets split a CSV. */
const runsAfterSplit = /(?<=[,;|\t\r\n])(?=[=+\-@＝＋－＠])/g;

/**
 * A text that is also safe where a spreadsheet splits a CSV at another character than its delimiter, as Excel does by
 * the computer's regional settings. Quotes do not prevent that, so each formula that would then begin a cell gets a `'`
 * in front.
 */
export const guardSplits = (text: string, delimiter: string): string =>
  text.replace(runsAfterSplit, (_none, at: number) => (text[at - 1] === delimiter ? '' : "'"));

/** Separates several names in one cell of a file or of the clipboard. */
export const nameSeparator = '; ';

/** Converts names on separate lines, as in a list's cell, to one text for a file or the clipboard. */
export const joinNames = (cell: string): string => listNames(cell).join(nameSeparator);
