import { formatCode } from '../../../contract/code-labels.ts';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import type { FieldKind } from '../../../rules/list-fields.ts';
import { plainNumber, writeAmountCell } from '../../../rules/money/amounts.ts';
import { formatPersonName, personNames } from '../../../rules/person-names.ts';
import type { Cell } from '../../../rules/query.ts';
import { replaceControls, showDirectionMarks } from '../../../rules/unsafe-characters.ts';
import { memo } from '../store/record/memo.ts';
import { nameSeparator } from './guard.ts';
import { dayNumber, momentNumber, readDay } from './moments.ts';

/** Indexes of `cellXfs` below. */
const styles = { header: 1, money: 2, day: 3, moment: 4, text: 5, whole: 6, number: 7, total: 8 } as const;

/** Formats by the numbers that Excel has for them: 4 is #,##0.00, 49 text, 1 is 0; days and times are US dates everywhere. */
export const stylesXml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="mm/dd/yyyy"/><numFmt numFmtId="165" formatCode="mm/dd/yyyy h:mm AM/PM"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="9"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="4" applyNumberFormat="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/><xf xfId="0" numFmtId="1" applyNumberFormat="1"/><xf xfId="0"/><xf xfId="0" numFmtId="4" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const needsEscaping = /[&<>\p{Cc}\u202a-\u202e\u2066-\u2069\p{Cs}\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/u;
const special = /[&<>\r]|_x[0-9A-Fa-f]{4}_/;
const unwritable = /[\ufffe\uffff]/g;
const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The most characters that Excel accepts in a cell. */
const maxText = 32_767;

/**
 * Escapes a text for XML as Excel reads it: characters that XML can't contain, control characters and lone surrogates
 * are replaced, and direction marks are written as their codes.
 */
export function escapeText(text: string): string {
  if (!needsEscaping.test(text) && text.length <= maxText) return text;
  let safe = text.length > maxText ? text.slice(0, maxText) : text;
  safe = showDirectionMarks(replaceControls(safe.toWellFormed())).replace(unwritable, '\ufffd');
  if (special.test(safe))
    safe = safe
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(/[&<>]/g, (character) => names[character] as string)
      .replaceAll('\r', '_x000D_');
  return safe;
}

/** `A`, `Z`, `AA` … for 0, 25, 26 … */
export function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

const textBegin = `" t="inlineStr" s="${styles.text}"><is><t`;
/** White space that readers of XML may drop unless `xml:space="preserve"` is set. */
const edgeSpace = /^\s|\s$|\s\s|\n/;
const digits = /^-?\d+$/;
/** The most values of a column that are cached. */
const maxKnown = 20_000;
/** Excel keeps only 15 digits of a number. */
const exactDigits = 15;

/** Writes what follows the address of a cell: style, type and value; the empty text for an empty cell. */
function cellWriter(kind: FieldKind, onCut: () => void): (cell: Cell) => string {
  const text = (value: string): string => {
    if (value === '') return '';
    if (value.length > maxText) onCut();
    const space = edgeSpace.test(value) ? ' xml:space="preserve"' : '';
    return `${textBegin}${space}>${escapeText(value)}</t></is></c>`;
  };
  const number = (value: string, style: number): string => `" s="${style}"><v>${value}</v></c>`;
  const other = (cell: Cell): string => {
    if (cell === null) return '';
    if (typeof cell === 'string') return text(cell);
    return typeof cell === 'number' ? number(String(cell), styles.number) : text(cell ? 'Yes' : 'No');
  };
  /** Caches written days, because the same days occur in many rows. */
  const xmlByDay = new Map<string, string>();
  const dated = (write: (text: string) => number | null, style: number) => (cell: Cell) => {
    if (typeof cell !== 'string') return other(cell);
    const makeXml = (): string => {
      const value = write(cell);
      return value === null ? text(cell) : number(String(value), style);
    };
    return memo(xmlByDay, cell, makeXml, maxKnown);
  };
  if (kind === 'money')
    return (cell) => {
      const amount = writeAmountCell(cell);
      return amount === null ? other(cell) : number(amount, styles.money);
    };
  if (kind === 'id' || kind === 'integer')
    return (cell) => {
      if (cell === null) return '';
      const written = String(cell);
      const isExact = digits.test(written) && written.length <= exactDigits;
      return isExact ? number(written, styles.whole) : text(written);
    };
  if (kind === 'number')
    return (cell) =>
      typeof cell === 'string' && plainNumber.test(cell) && cell.length <= exactDigits
        ? number(cell, styles.number)
        : other(cell);
  if (kind === 'date')
    return dated((text) => {
      const day = readDay(text);
      return day === null ? null : dayNumber(day);
    }, styles.day);
  return kind === 'dateTime' ? dated(momentNumber, styles.moment) : other;
}

/** Writes names of people in the form of the screen. The same names occur in many rows, so they are cached. */
function nameWriter(write: (cell: Cell) => string, isMany: boolean): (cell: Cell) => string {
  const xmlByName = new Map<string, string>();
  return (cell) => {
    if (typeof cell !== 'string') return write(cell);
    const makeXml = (): string => {
      const names = isMany ? cell.split(nameSeparator) : [cell];
      return write(names.map(formatPersonName).join(nameSeparator));
    };
    return memo(xmlByName, cell, makeXml, maxKnown);
  };
}

const widths: Readonly<Record<FieldKind, number>> = {
  id: 12,
  integer: 12,
  number: 11,
  money: 13,
  text: 20,
  boolean: 9,
  date: 12,
  dateTime: 18,
  dateRange: 22,
};

const sheetBegin =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">';

const headCell = (text: string, index: number, row: number): string =>
  `<c r="${columnName(index)}${row}" t="inlineStr" s="${styles.header}"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;

/** In print: landscape, all columns on the width of one page, the page number at the bottom. */
const printSetUp =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup orientation="landscape" fitToHeight="0"/><headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>';

/**
 * A sheet of rows: a bold header row that stays visible, a filter on each column, widths by kind, and a row of totals,
 * which add up the rows that a filter shows. Amounts are passed as ten-thousandths of a dollar.
 */
export function createSheet(columns: readonly ExportColumn[]) {
  let cut = 0;
  const onCut = (): void => {
    cut += 1;
  };
  const cells = columns.map(({ kind, path, isMany }) => {
    const write = cellWriter(kind, onCut);
    const field = path.replace(/^(claim|line)\./, '');
    if (personNames.has(field)) return nameWriter(write, isMany === true);
    return kind === 'text' ? (cell: Cell) => write(formatCode(field, cell)) : write;
  });
  const begins = columns.map((_column, index) => `<c r="${columnName(index)}`);
  const count = columns.length;
  const headers = columns.map(({ label }) => label);
  let row = 1;
  const totalRow = (totals: ReadonlyMap<string, string>): string => {
    if (totals.size === 0) return '';
    const at = row + 1;
    const label = columns.findIndex(({ path }) => !totals.has(path));
    const sums = columns.map(({ path }, index) => {
      const name = columnName(index);
      if (index === label) return headCell('Total', index, at);
      const total = totals.get(path);
      if (total === undefined) return '';
      // 109: the sum of the rows that are not hidden by a filter.
      return `<c r="${name}${at}" s="${styles.total}"><f>SUBTOTAL(109,${name}2:${name}${row})</f><v>${total}</v></c>`;
    });
    return `<row r="${at}">${sums.join('')}</row>`;
  };
  return {
    begin(): string {
      const cols = columns.map(
        ({ kind }, index) =>
          `<col min="${index + 1}" max="${index + 1}" customWidth="1" width="${Math.max(widths[kind], Math.min(40, (headers[index] as string).length + 4))}"/>`,
      );
      return `${sheetBegin}<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols.join('')}</cols><sheetData><row r="1">${headers.map((text, index) => headCell(text, index, 1)).join('')}</row>`;
    },
    write(rows: readonly (readonly Cell[])[]): string {
      let xml = '';
      for (const values of rows) {
        row += 1;
        xml += `<row r="${row}">`;
        for (let index = 0; index < count; index += 1) {
          const cell = (cells[index] as (cell: Cell) => string)(values[index] as Cell);
          if (cell !== '') xml += (begins[index] as string) + row + cell;
        }
        xml += '</row>';
      }
      return xml;
    },
    /** How many texts were longer than a cell can hold. */
    countCut: (): number => cut,
    /** The range of the filter: `A1:AD1001`. */
    range: (): string => `A1:${columnName(count - 1)}${row}`,
    /** `totals`: in dollars, by the path of their column. */
    end(totals: ReadonlyMap<string, string>): string {
      return `${totalRow(totals)}</sheetData><autoFilter ref="${this.range()}"/>${printSetUp}</worksheet>`;
    },
  };
}

/** A name, and its value as text or, `number`, as decimals. */
export type Note = readonly [name: string, value: string, kind?: 'number'];

/** The sheet of notes: two columns, the names bold. */
export function writeNotes(notes: readonly Note[]): string {
  const rows = notes.map(([name, value, kind], index) => {
    const row = index + 1;
    const cell =
      kind === 'number'
        ? `<c r="B${row}" s="${styles.money}"><v>${value}</v></c>`
        : `<c r="B${row}" t="inlineStr" s="${styles.text}"><is><t xml:space="preserve">${escapeText(value)}</t></is></c>`;
    return `<row r="${row}">${headCell(name, 0, row)}${cell}</row>`;
  });
  return `${sheetBegin}<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="1" customWidth="1" width="30"/><col min="2" max="2" customWidth="1" width="90"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`;
}
