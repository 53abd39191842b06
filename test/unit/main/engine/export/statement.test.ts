import PDFDocument from 'pdfkit';
import { describe, expect, test } from 'vitest';
import type { ClaimRecord } from '../../../../../src/contract/records.ts';
import { defaultSettings } from '../../../../../src/contract/settings.ts';
import type {
  ClaimStatement,
  Section,
} from '../../../../../src/main/engine/export/statement/claim-statement.ts';
import { loadFonts } from '../../../../../src/main/engine/export/statement/fonts.ts';
import {
  layOut,
  type MeasureText,
  pageSize,
  styles,
  wrap,
} from '../../../../../src/main/engine/export/statement/lay-out.ts';
import type { StatementFacts } from '../../../../../src/main/engine/export/statement/read-facts.ts';
import { writeStatement } from '../../../../../src/main/engine/export/statement/write-statement.ts';
import { describeReview } from '../../../../../src/main/engine/review/describe-review.ts';
import { serviceOf } from '../../../../../src/rules/money/reimbursement.ts';
import { foldReview } from '../../../../../src/rules/review/fold-review.ts';
import { readReviewedValues } from '../../../../../src/rules/review/reviewed-values.ts';

const service = serviceOf({ baseUrl: 'https://claims.example.com', isSample: false });
const context = {
  data: { last: null, lastComplete: null },
  workspace: 'Acme HRA',
  at: '2026-11-26T02:00:00Z',
  by: 'ada',
};

const line = {
  date_of_service: { start: '2026-03-02', end: '2026-03-02', bounds: '[]' },
  procedure_code: '99213',
  procedure_name: 'Office visit',
  amount_billed: 120,
  amount_allowed: 80,
  patient_responsibility: 20.005,
};
const whole = {
  id: 7,
  status: 'Processed',
  patient_name: 'EDWARDS, MARGARET',
  service_provider: 'Lakeside Clinic',
  date_of_service: line.date_of_service,
  claim_medical_lines: [line],
  amount_billed: 1234567.891,
  patient_responsibility: 20.005,
} as ClaimRecord;

function factsOf(claim: ClaimRecord, other: Partial<StatementFacts> = {}): StatementFacts {
  const review = describeReview({
    workspaceId: 'w',
    review: foldReview(claim.id, []),
    now: { ...readReviewedValues(claim, false), digest: 'ab' },
    claim: null,
    chain: null,
    reviewed: null,
    compared: null,
    settings: { ...defaultSettings, service },
    today: '2026-11-26',
  });
  return {
    ...{
      claim,
      review,
      unreadLines: 0,
      lastOutcome: null,
      carrier: 'Blue Plan',
      missingItems: [],
      lineDifference: null,
      isReplaced: false,
      missing: null,
    },
    ...{ readAt: '2026-11-25T01:00:00Z', isReadAlone: false, digest: 'ab12' },
    ...other,
  };
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
const sectionOf = (statement: ClaimStatement, heading: string): Section | undefined =>
  statement.sections.find((one) => one.heading === heading);

/** Every letter is half as wide as high. */
const measure: MeasureText = (text, { size }) => [...text].length * size * 0.5;
const drawn = (statement: ClaimStatement) => layOut(statement, measure);
const linesOf = (pages: ReturnType<typeof drawn>) =>
  pages.map(({ parts }) => parts.flatMap(({ items }) => items.filter((item) => item.kind === 'text')));

describe('the text of a statement', () => {
  test('says that nothing is missing, with amounts to the cent as on the claim’s page', () => {
    const statement = writeStatement(factsOf(whole), context);
    expect(statement.verdict).toMatchObject({ isComplete: true, title: 'Every required item is here' });
    expect(textsIn(sectionOf(statement, 'Expense'))).toEqual(
      expect.arrayContaining(['Margaret Edwards', 'Lakeside Clinic', '03/02/2026']),
    );
    expect(textsIn(sectionOf(statement, 'Amounts from the carrier'))).toEqual(
      expect.arrayContaining(['$1,234,567.89', '$20.01', 'Allowed, sum of the lines', '$80.00']),
    );
    expect(textsIn(statement).join(' ')).not.toMatch(/substantiated by this record/);
  });

  test.each<[string, Partial<ClaimRecord>, Partial<StatementFacts>, RegExp]>([
    [
      'items',
      { patient_name: null },
      { missingItems: ['Patient', 'Description'] },
      /Missing: patient, description\./,
    ],
    ['a line', { claim_medical_lines: [line, {}] }, {}, /1 of 2 lines do not describe the service/],
    ['lines that are unreadable', {}, { unreadLines: 2 }, /2 lines of the claim could not be read/],
    ['the carrier’s result', { status: 'Pending' }, {}, /not processed this claim\. Its status is Pending/],
    ['an expense that counts', {}, { lastOutcome: 'duplicate' }, /a duplicate of another claim/],
    ['an expense above zero', { patient_responsibility: -300 }, {}, /reverses another claim/],
    ['a sum', {}, { lineDifference: 12_500 }, /lines do not add up/],
    ['parts of the record', { is_incomplete: true }, {}, /marks this record as incomplete/],
    [
      'the claim',
      {},
      { missing: { since: '2026-11-20T01:00:00Z', confirmedAt: null } },
      /not returned this claim since/,
    ],
  ])('is not substantiated where %s is missing, in plain words', (_what, claim, other, expected) => {
    const statement = writeStatement(factsOf({ ...whole, ...claim }, other), context);
    expect(statement.verdict).toMatchObject({ isComplete: false, title: 'Not substantiated by this record' });
    expect(statement.verdict.sentences.join(' ')).toMatch(expected);
  });

  test('lists documents by their hashes, and says which one has what the record lacks', () => {
    const sha256 = 'ab'.repeat(32);
    const document = {
      ...{
        id: 'd',
        document: 'receipt' as const,
        name: 'Zqx.pdf',
        type: 'pdf' as const,
        bytes: 12_345,
        sha256,
      },
      ...{
        day: '2026-11-25',
        at: '2026-11-25T01:00:00Z',
        author: 'ana@example.test',
        earlierIds: [],
        sufficient: null,
      },
    };
    const sufficient = { id: 's', at: '2026-11-26T12:00:00Z', author: 'ben@example.test' };
    const write = (documents: StatementFacts['review']['documents']) => {
      const facts = factsOf({ ...whole, patient_name: null }, { missingItems: ['Patient'] });
      return writeStatement({ ...facts, review: { ...facts.review, documents } }, context);
    };
    const listed = write([document]);
    expect(textsIn(sectionOf(listed, 'Documents')).join(' ')).toMatch(
      `attached 11/25/2026 by ana@example.test. SHA-256: ${sha256}`,
    );
    expect(textsIn(listed).join(' ')).not.toContain('Zqx');
    expect(listed.verdict.isComplete).toBe(false);
    const cured = write([{ ...document, sufficient }]);
    expect(cured.verdict).toMatchObject({ isComplete: true, title: 'Substantiated with a document' });
    expect(cured.verdict.sentences.join(' ')).toMatch(
      /lacks: patient\. ben@example\.test marked a document as sufficient/,
    );
    expect(linesOf(drawn(listed)).flat().length).toBeGreaterThan(0);
  });

  test('of an empty claim lists what is missing and shows no zero for a blank', () => {
    const empty = { id: 9 } as ClaimRecord;
    const statement = writeStatement(
      factsOf(empty, { missingItems: ['Patient'], carrier: null, readAt: null }),
      context,
    );
    const amounts = textsIn(sectionOf(statement, 'Amounts from the carrier'));
    expect(amounts.filter((text) => text === 'Not reported')).toHaveLength(9);
    expect(amounts).toContain('Missing');
    expect(amounts.join(' ')).not.toContain('$0');
    expect(drawn(statement)).toHaveLength(1);
  });
});

/** Measures text by its drawn width. */
function measureFonts(): MeasureText {
  const doc = new PDFDocument({ autoFirstPage: false });
  const fonts = loadFonts(({ name, bytes }) => doc.registerFont(name, bytes));
  return (text, { weight, size }) =>
    fonts.split(text, weight).reduce((sum, run) => sum + doc.font(run.font, size).widthOfString(run.text), 0);
}

test('a statement of up to six lines, of two rows each, with a decision and a payment is one page', () => {
  const six = Array.from({ length: 6 }, () => ({
    ...line,
    procedure_name: 'Office or other outpatient visit of an established patient, 20 to 29 minutes',
    quantity: 2,
  }));
  const author = 'ana.whitfield@acme-benefits.example';
  const claim = {
    ...whole,
    ...{ service_provider: 'Lakeside Clinic of Internal Medicine', claim_medical_lines: six },
    ...{ amount_billed: 720, amount_allowed: 480, amount_paid: 360, patient_responsibility: 120 },
    ...{ reduction: 60, copayment: 20, coinsurance_patient: 40, amount_not_covered: 0, discount: 240 },
  } as ClaimRecord;
  const digest = 'ab'.repeat(32);
  const facts = factsOf(claim, { digest, isReadAlone: true, lastOutcome: 'partlyEligible' });
  const review: StatementFacts['review'] = {
    ...facts.review,
    ...{ outcome: 'partlyEligible', reviewedAt: '2026-11-20T09:00:00Z', reviewedBy: author },
    ...{ cause: 'Over the limit', byRules: 1_200_000, eligible: 1_000_000, declined: 200_000 },
    receipt: { runId: 'r', finishedAt: '2026-11-20T08:00:00Z' },
    payments: [
      {
        ...{ id: 'p', payment: 'reimbursed', amount: 500_000, day: '2026-11-21', author, at: '' },
        ...{ account: 'Payroll HRA 2026-11', alsoBy: [] },
      },
    ],
  };
  const pages = layOut(writeStatement({ ...facts, review }, context), measureFonts());
  expect(pages).toHaveLength(1);
  const [{ parts, scale } = { parts: [], scale: 0 }] = pages;
  expect(scale).toBeGreaterThan(0.85);
  // Its footer is below everything else, and on the page.
  const bottoms = parts.map(({ items }) => Math.max(...items.map(({ y }) => y)) * scale);
  expect(Math.max(...bottoms)).toBe(bottoms.at(-1));
  expect(bottoms.at(-1)).toBeLessThan(pageSize.height - 12);
});

describe('the pages of a statement', () => {
  test('contain every one of 300 lines, each page with its number and the table’s head', () => {
    const lines = Array.from({ length: 300 }, (_none, index) => ({
      ...line,
      procedure_name: `Service no. ${index}.`,
    }));
    const pages = linesOf(drawn(writeStatement(factsOf({ ...whole, claim_medical_lines: lines }), context)));
    const texts = pages.map((items) => items.map(({ text }) => text));
    const all = texts.flat().join('\n');
    for (let index = 0; index < 300; index += 1) expect(all).toContain(`Service no. ${index}.`);
    expect(pages.length).toBeGreaterThan(5);
    for (const [index, page] of texts.entries()) {
      expect(page.at(-1)).toBe(`Page ${index + 1} of ${pages.length}`);
      if (page.some((text) => text.includes('Service no.'))) expect(page).toContain('Patient resp.');
    }
    for (const { x, y, text, style } of pages.flat()) {
      expect(x + measure(text, styles[style])).toBeLessThan(pageSize.width - 50);
      expect(y).toBeLessThan(pageSize.height - 30);
    }
  });

  test('contain a name that is longer than a page', () => {
    const name = Array.from({ length: 3_000 }, (_none, index) => `name${index}`).join(' ');
    const pages = drawn(writeStatement(factsOf({ ...whole, service_provider: name }), context));
    const all = linesOf(pages)
      .flat()
      .map(({ text }) => text)
      .join(' ');
    expect(pages.length).toBeGreaterThan(1);
    for (const part of ['name0 ', 'name1500 ', 'name2999']) expect(all).toContain(part);
  });

  test('break a word that is wider than its column, and lose no letter of it', () => {
    const lines = wrap('a bcdefghijklm n', { weight: 'regular', color: '', size: 10 }, 20, measure);
    expect(lines).toEqual(['a', 'bcde', 'fghi', 'jklm', 'n']);
    expect(wrap('', { weight: 'regular', color: '', size: 10 }, 20, measure)).toEqual(['']);
  });
});

test('the fonts have the letters of names; what they lack is written as its code', () => {
  const fonts = loadFonts();
  const names =
    'Łukasz Żółć, Nguyễn Thị Hồng, Дмитрий Їжак, Ελένη, 王小明, 山田タロウ, 김민수, דוד כהן, محمد علي';
  expect(fonts.toDrawable(names)).toBe(names.normalize('NFC'));
  expect(fonts.toDrawable('Li \u{1f600}\ue000\u200b Ann\n')).toBe('Li [U+1F600 U+E000] Ann ');
  const runs = fonts.split('Ann Дмитрий', 'semibold');
  expect(runs.map(({ text }) => text).join('')).toBe('Ann Дмитрий');
  expect(runs.map(({ font }) => font)).toEqual([
    'noto-sans-latin-600-normal',
    'noto-sans-cyrillic-600-normal',
  ]);
});

test('words from right to left are drawn with the last one first, and what is beside them stays', () => {
  const fonts = loadFonts();
  const drawn = (text: string): string[] => fonts.split(text, 'regular').map((run) => run.text);
  expect(drawn('Patient: דוד כהן, 7')).toEqual(['Patient: ', 'כהן', ' ', 'דוד', ', 7']);
  expect(drawn('محمد علي')).toEqual(['علي', ' ', 'محمد']);
  expect(drawn('דוד')).toEqual(['דוד']);
});

test('a font is read when a letter needs it first', () => {
  const read: string[] = [];
  const fonts = loadFonts(({ name }) => read.push(name));
  fonts.split(fonts.toDrawable('Ann Lee'), 'regular');
  expect(read).toEqual(['noto-sans-latin-400-normal']);
  fonts.split(fonts.toDrawable('李'), 'semibold');
  expect(read.filter((name) => name.startsWith('noto-sans-sc'))).toEqual([
    expect.stringMatching(/-400-normal$/),
  ]);
});
