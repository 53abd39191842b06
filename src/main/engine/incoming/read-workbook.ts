/// <reference path="./saxen.d.ts" />
import { unzipSync } from 'fflate';
import { Parser } from 'saxen';
import { DeskError } from '../../lib/errors.ts';
import { limits, type RawRow, type RawSheet, type RawTable } from './raw-table.ts';

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Visits the tags of a part of a workbook: each when it opens, and when it closes, with its text. Prefixes of names are
 * removed. Entities that the document declares are not resolved.
 *
 * @throws DeskError `file.unreadable` if it is not a complete XML document
 */
function walkXml(
  xml: string,
  on: { open?: (tag: Tag) => void; close?: (name: string, text: string) => void },
) {
  const parser = new Parser();
  const plain = (name: string): string => name.slice(name.indexOf(':') + 1);
  let [text, isWhole, depth] = ['', true, 0];
  parser
    .on('openTag', (name, read, decode) => {
      depth += 1;
      text = '';
      const attributes = read();
      for (const [key, value] of Object.entries(attributes))
        if (value.includes('&')) attributes[key] = decode(value);
      on.open?.({ name: plain(name), attributes });
    })
    .on('text', (part, decode) => {
      text += decode(part);
    })
    .on('cdata', (part) => {
      text += part;
    })
    .on('closeTag', (name) => {
      depth -= 1;
      on.close?.(plain(name), text);
      text = '';
    })
    .on('error', () => {
      isWhole = false;
    })
    .parse(xml);
  if (!isWhole || depth !== 0) throw new DeskError('file.unreadable');
}

/**
 * The parts of the workbook that are read, unpacked. No part becomes larger than its declared size, because `unzipSync`
 * unpacks into a buffer of that size.
 */
function unpack(bytes: Uint8Array): Map<string, string> {
  let size = 0;
  const isRead = /^xl\/(workbook|sharedStrings|styles|_rels\/workbook|worksheets\/[^/]+)\.xml(\.rels)?$/i;
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!isRead.test(name)) return false;
        size += originalSize;
        if (size > limits.unpackedBytes) throw new DeskError('file.tooLarge');
        return true;
      },
    });
    const decoder = new TextDecoder();
    return new Map(Object.entries(parts).map(([name, part]) => [name.toLowerCase(), decoder.decode(part)]));
  } catch (thrown) {
    if (thrown instanceof DeskError) throw thrown;
    throw new DeskError('file.unreadable');
  }
}

/** The texts that cells refer to by index; `rPh`, which is a pronunciation, is skipped. */
function readSharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let [text, isSpoken] = ['', false];
  walkXml(xml, {
    open: ({ name }) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isSpoken = true;
    },
    close: (name, part) => {
      if (name === 'rPh') isSpoken = false;
      if (name === 't' && !isSpoken) text += part;
      if (name === 'si') texts.push(text);
    },
  });
  return texts;
}

/** How a number is shown: as a date, or with leading zeros up to this many digits; null: unchanged. */
type NumberForm = 'date' | number | null;

const isDateFormat = (format: string): boolean =>
  /[dmy]/i.test(format.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '').replace(/general/i, ''));

/** The formats are listed by the index of a cell's style. */
function readNumberForms(xml: string): NumberForm[] {
  const formats = new Map<string, string>();
  const forms: NumberForm[] = [];
  let isOfCells = false;
  walkXml(xml, {
    open: ({ name, attributes }) => {
      const { numFmtId = '0', formatCode = '' } = attributes;
      if (name === 'numFmt') formats.set(numFmtId, formatCode);
      if (name === 'cellXfs') isOfCells = true;
      if (name !== 'xf' || !isOfCells) return;
      const [id, format = ''] = [Number(numFmtId), formats.get(numFmtId)];
      // The date formats that are built into every workbook.
      const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
      if (isDate || isDateFormat(format)) forms.push('date');
      else forms.push(/^0+$/.test(format) ? format.length : null);
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return forms;
}

/** Returns a workbook's day (counted from 1900 or 1904) as `2026-03-02`; other text is returned unchanged. */
function toDay(text: string, is1904: boolean): string {
  const days = Number(text) + (is1904 ? 1462 : 0);
  // Excel counts 1900-02-29, which did not exist; earlier days can't be those of a payment.
  if (!(days > 60 && days < 110_000)) return text;
  return new Date(Math.round((days - 25_569) * 86_400_000)).toISOString().slice(0, 10);
}

/**
 * Formats a number as Excel shows it: with 15 digits, and without an exponent if it is a whole number or has few
 * decimals.
 */
function toNumberText(text: string, form: NumberForm): string {
  if (/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return form === null ? text : text.padStart(Number(form), '0');
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  const rounded = Number(number.toPrecision(15));
  return String(Number.isInteger(rounded) ? BigInt(rounded) : rounded);
}

interface BookParts {
  readonly texts: readonly string[];
  readonly forms: readonly NumberForm[];
  readonly is1904: boolean;
}

/** The column index of a cell from its reference, such as 27 of `AB12`. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/i.exec(place)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The cells of a sheet as texts; a formula has its stored value. `count`: the number of cells read so far. */
function readSheet(xml: string, { texts, forms, is1904 }: BookParts, count: { cells: number }): RawRow[] {
  const rows: RawRow[] = [];
  let [line, column, isSpoken] = [0, -1, false];
  let cells: (string | undefined)[] = [];
  let cell: { type: string; form: NumberForm; value: string } | null = null;
  const toText = ({ type, form, value }: NonNullable<typeof cell>): string => {
    if (type === 's') return texts[Number(value)] ?? '';
    if (type === 'd') return value.slice(0, 10);
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type !== 'n') return value;
    return form === 'date' ? toDay(value, is1904) : toNumberText(value, form);
  };
  walkXml(xml, {
    open: ({ name, attributes }) => {
      if (name === 'row') {
        [line, column, cells] = [Number(attributes.r ?? line + 1), -1, []];
        if (rows.length >= limits.rows) throw new DeskError('file.tooLarge');
      } else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
        cell = { type: attributes.t ?? 'n', form: forms[Number(attributes.s ?? 0)] ?? null, value: '' };
      } else if (name === 'rPh') isSpoken = true;
    },
    close: (name, text) => {
      if (name === 'rPh') isSpoken = false;
      else if (cell !== null && (name === 'v' || (name === 't' && !isSpoken))) cell.value += text;
      else if (cell !== null && name === 'c') {
        count.cells += 1;
        if (column >= limits.columns || count.cells > limits.cells) throw new DeskError('file.tooLarge');
        if (cell.value !== '') cells[column] = toText(cell).trim();
        cell = null;
      } else if (name === 'row' && cells.some((entry) => entry !== undefined && entry !== ''))
        rows.push({ line, cells });
    },
  });
  return rows;
}

/**
 * Reads the sheets of an Excel workbook (.xlsx). Nothing is evaluated: formulas have their stored values, and links,
 * macros and pictures are not read.
 *
 * @throws DeskError `file.unreadable`, `file.tooLarge`
 */
export function readWorkbook(bytes: Uint8Array): RawTable {
  const parts = unpack(bytes);
  const targets = new Map<string, string>();
  walkXml(parts.get('xl/_rels/workbook.xml.rels') ?? '<none/>', {
    open: ({ attributes: { Id = '', Target = '' } }) => targets.set(Id, Target.replace(/^\/?(xl\/)?/, 'xl/')),
  });
  let is1904 = false;
  const sheets: { name: string; path: string }[] = [];
  walkXml(parts.get('xl/workbook.xml') ?? '<none/>', {
    open: ({ name, attributes }) => {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      const id = attributes['r:id'] ?? Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1];
      if (name === 'sheet')
        sheets.push({ name: attributes.name ?? '', path: (targets.get(id ?? '') ?? '').toLowerCase() });
    },
  });
  if (sheets.length === 0) throw new DeskError('file.unreadable');
  const texts = parts.get('xl/sharedstrings.xml');
  const styles = parts.get('xl/styles.xml');
  const book: BookParts = {
    texts: texts === undefined ? [] : readSharedTexts(texts),
    forms: styles === undefined ? [] : readNumberForms(styles),
    is1904,
  };
  const count = { cells: 0 };
  return {
    separator: null,
    sheets: sheets.map(({ name, path }): RawSheet => {
      const xml = parts.get(path);
      return { name, rows: xml === undefined ? [] : readSheet(xml, book, count), broken: [] };
    }),
  };
}
