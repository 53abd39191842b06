import { PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import { noCells, sumCells, writeDecimals } from '../../../rules/money/amounts.ts';
import type { Cell } from '../../../rules/query.ts';
import { wordsOf } from './csv.ts';
import type { Job, RowWriter } from './export-job.ts';
import { makeNotes } from './notes.ts';
import type { OutputFile } from './output-file.ts';
import { createSheet, escapeText, type Note, stylesXml, writeNotes } from './sheet-xml.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageTypes = `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`;
const packageRelations = `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const workbookRelations = `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;

/** `range`: the range of the filter, such as `A1:AD1001`. The header row is printed on every page. */
const workbook = (title: string, range: string): string =>
  `${head}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets><sheet name="${escapeText(title)}" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${escapeText(title)}'!${range.replace(/([A-Z]+)(\d+)/g, '$$$1$$$2')}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">'${escapeText(title)}'!$1:$1</definedName></definedNames></workbook>`;

/** Level 1 halves the size of text at little cost; higher levels take twice as long. */
const compressionLevel = 1;

/**
 * The most rows in one text. Texts of twice as many rows, and their bytes, took 35 MB more until they were collected;
 * with fewer rows, each piece costs more than it saves.
 */
const rowsPerPiece = 125;

/**
 * Writes a workbook of two sheets, rows and then notes, without holding its rows in memory. The zip library (yazl) is
 * small and maintained; libraries that write whole workbooks either hold all rows in memory or are no longer
 * maintained.
 */
export function createXlsx(options: {
  readonly columns: readonly ExportColumn[];
  readonly title: string;
  /** The modification time of the parts within the file. */
  readonly at: Date;
  readonly write: (bytes: Uint8Array) => Promise<void>;
}) {
  const { title, at } = options;
  const zip = new ZipFile();
  const sheet = createSheet(options.columns);
  const rows = new PassThrough();
  const part = (name: string, text: string): void =>
    zip.addBuffer(Buffer.from(text, 'utf8'), name, { mtime: at, compressionLevel });
  part('[Content_Types].xml', packageTypes);
  part('_rels/.rels', packageRelations);
  part('xl/_rels/workbook.xml.rels', workbookRelations);
  part('xl/styles.xml', stylesXml);
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml', { mtime: at, compressionLevel });
  const failed = new Promise<never>((_fulfil, reject) => zip.once('error', reject));
  const written = (async () => {
    for await (const bytes of zip.outputStream as AsyncIterable<Buffer>) await options.write(bytes);
  })();
  const ended = Promise.race([written, failed]);
  // Destroying the stream makes the next write reject with the error.
  ended.catch(() => rows.destroy());
  let wake: (() => void) | null = null;
  rows.on('drain', () => wake?.());
  rows.on('close', () => wake?.());
  const send = async (xml: string): Promise<void> => {
    if (!rows.destroyed && rows.write(xml, 'utf8')) return;
    if (!rows.destroyed)
      await new Promise<void>((fulfil) => {
        wake = fulfil;
      });
    if (rows.destroyed) await ended;
  };
  return {
    begin: () => send(sheet.begin()),
    async write(some: readonly (readonly Cell[])[]): Promise<void> {
      for (let from = 0; from < some.length; from += rowsPerPiece)
        await send(sheet.write(some.slice(from, from + rowsPerPiece)));
    },
    /** `totals`: the sums of the last row in dollars, by the path of their column. */
    async end(notes: readonly Note[], totals: ReadonlyMap<string, string>): Promise<void> {
      rows.end(sheet.end(totals));
      const cut = sheet.countCut();
      const said: Note[] =
        cut === 0
          ? []
          : [['Texts cut', `${cut}: a cell of Excel holds 32,767 characters. CSV has all of them.`]];
      part('xl/worksheets/sheet2.xml', writeNotes([...notes, ...said]));
      part('xl/workbook.xml', workbook(title, sheet.range()));
      zip.end();
      await ended;
    },
    /** Stops writing. */
    async abort(): Promise<void> {
      rows.destroy();
      (zip.outputStream as PassThrough).destroy();
      await ended.catch(() => undefined);
    },
  };
}

/** Opens a workbook of an export; its notes list the sums of its rows. */
export async function openWorkbook(job: Job, output: OutputFile): Promise<RowWriter> {
  const { wanted, title } = job;
  const { columns, source } = wanted;
  const sums = columns.flatMap((column, index) =>
    column.kind === 'money' ? [{ column, index, total: noCells }] : [],
  );
  const at = new Date(wanted.at);
  const xlsx = createXlsx({ columns, title, at, write: (bytes) => output.write(bytes) });
  await xlsx.begin();
  return {
    async write(rows) {
      for (const sum of sums) {
        const cells = rows.map((row) => row[sum.index]);
        sum.total = sumCells(cells, sum.total);
      }
      await xlsx.write(rows);
    },
    end(rows, part) {
      const totals = sums.flatMap(({ column, total: { sum } }) =>
        sum === null ? [] : [{ column, total: writeDecimals(sum) }],
      );
      const ofSums = totals.map(({ column, total }) => [wordsOf(column), total] as const);
      const notCounted = sums
        .map(({ column, total }) => [wordsOf(column), total.notCounted] as const)
        .filter(([, count]) => count > 0);
      const notes = makeNotes({ ...wanted, ...job, rows, part, sums: ofSums, notCounted });
      const isPlain = source.kind === 'report' && source.isPlain === true;
      return xlsx.end(notes, new Map(isPlain ? [] : totals.map(({ column, total }) => [column.path, total])));
    },
    abort: () => xlsx.abort(),
  };
}
