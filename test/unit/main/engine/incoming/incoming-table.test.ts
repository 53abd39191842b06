import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { ExportColumn } from '../../../../../src/contract/export-columns.ts';
import { createCsv, excelStyle, systemStyle } from '../../../../../src/main/engine/export/csv.ts';
import { createXlsx } from '../../../../../src/main/engine/export/xlsx.ts';
import type { Meaning } from '../../../../../src/main/engine/incoming/find-columns.ts';
import { readTable } from '../../../../../src/main/engine/incoming/incoming-table.ts';

const meanings: Meaning[] = ['claimId', 'claimNumber', 'claim', 'amount', 'date', 'result', 'reason'];
const read = (file: Uint8Array | string) =>
  readTable(typeof file === 'string' ? Buffer.from(file) : file, {
    meanings,
    isEnough: (columns) => columns.amount !== undefined,
    without: 'review.badCsv',
  });
/** The claim, amount and day of each row, with its line. */
const rowsOf = (file: Uint8Array | string) =>
  read(file).rows.map(({ line, textOf, amountOf, dayOf }) => [
    line,
    textOf('claim') || textOf('claimNumber') || textOf('claimId'),
    amountOf('amount'),
    dayOf('date'),
  ]);
const codeOf = (file: Uint8Array | string): unknown => {
  try {
    read(file);
    return null;
  } catch (thrown) {
    const { code, message } = thrown as { code: string; message: string };
    return code === 'file.sameColumns' ? message : code;
  }
};
const plain = 'Claim,Amount,Date\n1,10.00,2026-03-02\n2,20.00,2026-03-03\n';
const plainRows = [
  [2, '1', 100_000, '2026-03-02'],
  [3, '2', 200_000, '2026-03-03'],
];

describe('columns', () => {
  it('the more exact name wins', () => {
    expect(rowsOf('Claim,Paid,Paid Amount,Date,Payment date\n1,yes,10,1/1/2020,3/2/2026')).toEqual([
      [2, '1', 100_000, '2026-03-02'],
    ]);
    // The service's dates are none of a payment.
    expect(rowsOf('Date of service,Claim,Amount,Paid on\n1/1/2020,1,10,3/2/2026')).toEqual([
      [2, '1', 100_000, '2026-03-02'],
    ]);
  });

  it('two columns with the same meaning are refused by name', () => {
    expect(codeOf('Claim,Amount,Payment date,Paid on\n1,10,3/2/2026,3/3/2026')).toBe(
      'Several columns of this file mean the same: Payment date, Paid on.',
    );
    expect(codeOf('Claim,Amount,amount\n1,10,20')).toBe(
      'Several columns of this file mean the same: Amount, amount.',
    );
  });

  it.each([
    'Carrier claim no.',
    'carrier_claim_number',
    'CarrierClaimNo',
    'Carrier Claim #',
    '"Carrier claim no:"',
  ])('%s is the number of the carrier', (name) =>
    expect(read(`${name},Amount ($)\nN1,10`).rows[0]?.textOf('claimNumber')).toBe('N1'),
  );

  it('are required', () => expect(codeOf('Claim,Date\n1,3/2/2026')).toBe('review.badCsv'));
});

describe('a CSV file', () => {
  const utf16 = (text: string, isBig: boolean, mark: string): Buffer => {
    const bytes = Buffer.from(mark + text, 'utf16le');
    return isBig ? bytes.swap16() : bytes;
  };
  it.each<[string, Uint8Array | string]>([
    ['with a byte-order mark', `\uFEFF${plain}`],
    ['in UTF-16', utf16(plain, false, '\uFEFF')],
    ['in UTF-16, big end first', utf16(plain, true, '\uFEFF')],
    ['in UTF-16 without a mark', utf16(plain, false, '')],
    ['with CR alone', plain.replaceAll('\n', '\r')],
    ['with CRLF', plain.replaceAll('\n', '\r\n')],
    ['with semicolons', plain.replaceAll(',', ';')],
    ['with tabs', plain.replaceAll(',', '\t')],
    ['with bars', plain.replaceAll(',', '|')],
    ['with quotes', plain.replace(/[^,\n]+/g, '"$&"')],
    ['with blanks before and after quotes', plain.replace(/[^,\n]+/g, ' "$&" ')],
    ['with a total', `${plain}Total,30.00,\n`],
    ['with a grand total in another column', `${plain},30.00,Grand total:\n`],
    ['with blank lines at its end', `${plain}\n,,\n  \n`],
  ])('%s is read', (_how, file) => {
    expect(rowsOf(file)).toEqual(plainRows);
    expect(read(file).broken).toEqual([]);
  });

  it('in Windows-1252 is read', () => {
    const { rows } = read(Buffer.from('Claim,Amount,Reason\n1,10,Caf\xe9 \x96 no\n', 'latin1'));
    expect(rows[0]?.textOf('reason')).toBe('Café – no');
  });

  it('with sep=, titles and blank lines above its columns is read, and its lines are counted from the first', () => {
    expect(rowsOf('sep=;\nPayments of March\n\nClaim;Amount;Date\n1;12,50;3/2/2026')).toEqual([
      [5, '1', 125_000, '2026-03-02'],
    ]);
  });

  it('is split by the separator that its lines have equally often outside of quotes', () => {
    expect(rowsOf('Claim;Amount\n1;12,50\n2;13,50')).toEqual([
      [2, '1', 125_000, null],
      [3, '2', 135_000, null],
    ]);
    expect(rowsOf('"Claim";"Amount";"Name, first"\n1;2;"a, b, c"')).toEqual([[2, '1', 20_000, null]]);
    expect(rowsOf('Claim,Amount,Reason\n1,2,a;b;c\n3,4,d;e;f')).toEqual([
      [2, '1', 20_000, null],
      [3, '3', 40_000, null],
    ]);
  });

  it.each([
    ['to the end of the file', 'Claim,Reason,Amount\n1,"open,10\n2,fine,20\n3,fine,30', [2], ['2', '3']],
    [
      'that another one seems to close',
      'Claim,Reason,Amount\n1,"open,10\n2,open",20\n3,fine,30',
      [2, 3],
      ['3'],
    ],
    [
      'that a quote in another column seems to close',
      'Claim,Reason,Amount\n1,"open,10\n2,fine,20\n3,fine,30"\n4,fine,40',
      [2, 4],
      ['2', '4'],
    ],
    [
      'that another row begins with',
      'Claim,Reason,Amount\n1,"open,10\n2,"fine",20\n3,fine,30',
      [2],
      ['2', '3'],
    ],
    ['closed within the text', 'Claim,Reason,Amount\n1,fine,10\n\n2,"a"b,20\n3,fine,30', [4], ['1', '3']],
  ])(
    'a quote left open %s is named with its line, and no other row is swallowed',
    (_how, csv, broken, claims) => {
      expect(read(csv).broken).toEqual(broken);
      expect(read(csv).rows.map(({ textOf }) => textOf('claim'))).toEqual(claims);
    },
  );

  it('may have line breaks and quotes in a text', () => {
    const { rows, broken } = read('Claim,Reason,Amount\n1,"two\nlines, ""quoted""",10\n2,5" pipe,20');
    expect(broken).toEqual([]);
    expect(rows.map(({ line, textOf }) => [line, textOf('reason')])).toEqual([
      [2, 'two\nlines, "quoted"'],
      [4, '5" pipe'],
    ]);
  });

  it('with a date whose day comes first has no certain date with slashes', () => {
    expect(rowsOf('Claim,Amount,Date\n1,10,03/02/2026\n2,10,13/02/2026\n3,10,2026-02-13')).toEqual([
      [2, '1', 100_000, null],
      [3, '2', 100_000, null],
      [4, '3', 100_000, '2026-02-13'],
    ]);
  });

  it('that is a picture, or has more open quotes than rows, is refused', () => {
    expect(codeOf(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0]))).toBe('file.unreadable');
    expect(codeOf(`Claim,Amount\n${'1,"a"b\n'.repeat(300)}`)).toBe('file.unreadable');
    expect(codeOf(Buffer.alloc(20_000_001, 'a'))).toBe('file.tooLarge');
  });
});

const columns: ExportColumn[] = [
  { path: 'claim_number', label: 'Claim number', kind: 'text' },
  { path: 'amount', label: 'Amount', kind: 'money' },
  { path: 'day', label: 'Paid on', kind: 'date' },
];
const cells = [
  ['0007', 123_400, '2026-03-02'],
  ['=1+1', 10_000_000, '2026-03-03'],
];
const exported = [
  [2, '0007', 123_400, '2026-03-02'],
  [3, '=1+1', 10_000_000, '2026-03-03'],
];
async function writeXlsx(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const at = new Date('2026-03-02T12:00:00Z');
  const book = createXlsx({ columns, title: 'Payments', at, write: async (bytes) => void parts.push(bytes) });
  await book.begin();
  await book.write(cells);
  await book.end([['Table', 'Payments']], new Map([['amount', '1012.34']]));
  return Buffer.concat(parts);
}

describe('our own export', () => {
  it.each([
    ['for systems', systemStyle],
    ['for Excel', excelStyle('en-US')],
    ['for Excel with decimal commas', excelStyle('de-DE')],
  ])('as CSV %s is read', (_for, style) => {
    const csv = createCsv(columns, style);
    expect(rowsOf(csv.header + csv.write(cells))).toEqual(exported);
  });

  it('as a workbook is read, without its total', async () => {
    expect(rowsOf(await writeXlsx())).toEqual(exported);
  });
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** A workbook of sheets, given by their rows as XML. */
const bookOf = (sheets: readonly string[], more: Record<string, string> = {}) => ({
  'xl/workbook.xml': utf8(
    `<workbook xmlns:r="${relation}">${more.pr ?? ''}<sheets>${sheets.map((_sheet, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="rId${at}"/>`).join('')}</sheets></workbook>`,
  ),
  'xl/_rels/workbook.xml.rels': utf8(
    `<Relationships>${sheets.map((_sheet, at) => `<Relationship Id="rId${at}" Target="worksheets/sheet${at}.xml"/>`).join('')}</Relationships>`,
  ),
  'xl/styles.xml': utf8(
    `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="&quot;Day&quot; 0"/><numFmt numFmtId="165" formatCode="00000"/><numFmt numFmtId="166" formatCode="[$-409]mm/dd/yyyy;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
  ),
  'xl/sharedStrings.xml': utf8(
    '<sst><si><t>Claim</t></si><si><r><t>Amo</t></r><r><t>unt</t></r><rPh><t>x</t></rPh></si><si><t>Date</t></si></sst>',
  ),
  ...Object.fromEntries(
    sheets.map((rows, at) => [
      `xl/worksheets/sheet${at}.xml`,
      utf8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    ]),
  ),
});
const header =
  '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="s"><v>2</v></c></row>';
const sheet = `<row r="1"><c r="A1" t="inlineStr"><is><t>Payments &amp; more</t></is></c></row>${header}<row r="4"><c r="A4" s="2"><v>7</v></c><c r="C4" s="1"><f>HYPERLINK("x")</f><v>0.30000000000000004</v></c><c r="D4" s="3"><v>46083</v></c></row><row r="6"><c r="A6" t="str"><v>N2</v></c><c r="C6" t="e"><v>#N/A</v></c></row>`;

describe('a workbook', () => {
  it('has texts, numbers as shown, days, and the values of its formulas', () => {
    expect(rowsOf(zipSync(bookOf([sheet, '<row r="1"><c r="A1"><v>1</v></c></row>'])))).toEqual([
      [4, '00007', 3_000, '2026-03-02'],
      [6, 'N2', null, null],
    ]);
  });

  it('counts days from 1904 if it says so', () => {
    const book = bookOf([sheet.replace('46083', String(46083 - 1462))], { pr: '<workbookPr date1904="1"/>' });
    expect(rowsOf(zipSync(book))[0]?.[3]).toBe('2026-03-02');
  });

  it('with the columns on several sheets is refused', () => {
    expect(codeOf(zipSync(bookOf([sheet, sheet])))).toBe('file.severalSheets');
  });

  it('that unpacks to too much is refused, even if it declares less', () => {
    const book = { ...bookOf([sheet]), 'xl/worksheets/sheet0.xml': new Uint8Array(400_000) };
    /** The same workbook, which says another size of its sheet. */
    const sayingSize = (size: number): Buffer => {
      const bytes = Buffer.from(zipSync(book));
      for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1))
        if (bytes.readUInt32LE(at + 24) === 400_000) bytes.writeUInt32LE(size, at + 24);
      return bytes;
    };
    expect(codeOf(sayingSize(100_000_000))).toBe('file.tooLarge');
    expect(codeOf(sayingSize(500))).toBe('file.unreadable');
  });

  it('with cells far out, or its own entities, is refused or leaves them', () => {
    expect(codeOf(zipSync(bookOf([sheet.replace('r="D4"', 'r="XFD4"')])))).toBe('file.tooLarge');
    const far = sheet.replace('r="6"', 'r="1048576"');
    expect(rowsOf(zipSync(bookOf([far]))).map(([line]) => line)).toEqual([4, 1_048_576]);
    const entity = utf8(`<!DOCTYPE a [<!ENTITY e "eee">]><sst><si><t>&e;</t></si></sst>`);
    expect(codeOf(zipSync({ ...bookOf([sheet]), 'xl/sharedStrings.xml': entity }))).toBe('review.badCsv');
  });

  it('that is damaged, not a workbook, or in an old format is refused', () => {
    expect(codeOf(zipSync({ 'a.txt': utf8('x') }))).toBe('file.unreadable');
    expect(codeOf(zipSync(bookOf([sheet])).subarray(0, 400))).toBe('file.unreadable');
    expect(codeOf(zipSync({ ...bookOf([]), 'xl/workbook.xml': utf8('<workbook><sheets>') }))).toBe(
      'file.unreadable',
    );
    expect(codeOf(Buffer.from('d0cf11e0a1b11ae100000000', 'hex'))).toBe('file.unreadable');
  });
});
