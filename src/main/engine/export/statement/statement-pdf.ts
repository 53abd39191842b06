import PDFDocument from 'pdfkit';
import type { Letter } from '../../../../contract/letters.ts';
import { showDirectionMarks } from '../../../../rules/unsafe-characters.ts';
import type { ClaimStatement } from './claim-statement.ts';
import { loadFonts } from './fonts.ts';
import {
  type Item,
  layOut,
  layOutLetter,
  type MeasureText,
  type Part,
  pageSize,
  type Style,
  styles,
} from './lay-out.ts';
import type { StatementFacts } from './read-facts.ts';
import { type StatementContext, writeStatement } from './write-statement.ts';

/** The most widths of texts that are cached: dates, labels and amounts occur in many statements. */
const maxKnown = 20_000;

/** Copies a value with each of its texts changed. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, property]) => [key, mapTexts(property, change)]),
  ) as T;
}

/** Writes characters that the fonts lack as their codes, which the statement then explains. */
function toDrawable(fonts: ReturnType<typeof loadFonts>, written: ClaimStatement): ClaimStatement {
  let isWritten = true;
  const statement = mapTexts(written, (text) => {
    const drawable = fonts.toDrawable(showDirectionMarks(text));
    isWritten &&= !drawable.includes('[U+');
    return drawable;
  });
  const last = statement.sections.at(-1);
  if (isWritten || last?.kind !== 'text') return statement;
  const codes = 'A code such as [U+1F600] is a character that is not written as a letter here.';
  const explained = { ...last, paragraphs: [...last.paragraphs, codes] };
  return { ...statement, sections: statement.sections.with(-1, explained) };
}

/**
 * Writes statements and letters into one PDF on US Letter, each on separate pages, with real text, embedded fonts and
 * tags for screen readers. It writes while it makes the pages, so that a file of thousands needs memory for only one
 * page.
 */
export function createPagesPdf(options: {
  readonly title: string;
  /** ISO date-time. */
  readonly at: string;
  readonly write: (bytes: Uint8Array) => Promise<void>;
}) {
  const { write, at, title } = options;
  const size: [number, number] = [pageSize.width, pageSize.height];
  const doc = new PDFDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: title,
      Creator: 'Claimdesk',
      CreationDate: new Date(at),
      ModDate: new Date(at),
    },
  });
  const fonts = loadFonts(({ name, bytes }) => doc.registerFont(name, bytes));
  const all = doc.struct('Document');
  doc.addStructure(all);
  const widthByName = new Map<string, number>();
  const measure: MeasureText = (text, { weight, size: points }) => {
    const name = `${weight} ${points} ${text}`;
    let width = widthByName.get(name);
    if (width === undefined) {
      width = fonts
        .split(text, weight)
        .reduce((sum, run) => sum + doc.font(run.font, points).widthOfString(run.text), 0);
      widthByName.set(name, width);
    }
    return width;
  };
  const drawText = ({ x, y, text, style }: Item & { kind: 'text' }): void => {
    const { weight, size: points, color }: Style = styles[style];
    let left = x;
    for (const run of fonts.split(text, weight)) {
      doc.font(run.font, points).fillColor(color);
      doc.text(run.text, left, y, { lineBreak: false, baseline: 'alphabetic' });
      left += doc.widthOfString(run.text);
    }
    // Without this, a screen reader reads it as one word with the next text.
    doc.text(' ', left, y, { lineBreak: false, baseline: 'alphabetic' });
  };
  const drawPart = ({ tag, items }: Part, parent: PDFKit.PDFStructureElement): void => {
    const boxes = items.filter((item) => item.kind === 'box');
    if (boxes.length > 0) {
      doc.markContent('Artifact', { type: 'Layout' });
      for (const { x, y, width, height, color } of boxes) doc.rect(x, y, width, height).fill(color);
      doc.endMarkedContent();
    }
    const texts = items.filter((item) => item.kind === 'text').sort((a, b) => a.order - b.order);
    if (texts.length > 0) parent.add(doc.struct(tag, {}, () => texts.forEach(drawText)));
  };
  /** pdfkit caches each word that it has drawn for as long as the file is written. */
  const clearLayoutCache = (): void => {
    for (const { name } of fonts.listFaces()) {
      doc.font(name);
      (doc as unknown as { _font: { layoutCache: object } })._font.layoutCache = Object.create(null);
    }
  };
  const flush = async (): Promise<void> => {
    for (let bytes = doc.read(); bytes !== null; bytes = doc.read()) await write(bytes as Uint8Array);
  };
  const writePages = async (pages: ReturnType<typeof layOut>): Promise<void> => {
    const root = doc.struct('Sect');
    all.add(root);
    for (const { parts, scale } of pages) {
      doc.addPage({ size, margin: 0 });
      doc.save();
      doc.scale(scale, scale, { origin: [pageSize.width / 2, 0] });
      for (const part of parts) drawPart(part, root);
      doc.restore();
    }
    root.end();
    await flush();
    if (widthByName.size < maxKnown) return;
    widthByName.clear();
    clearLayoutCache();
  };
  return {
    writeStatement: (facts: StatementFacts, context: StatementContext): Promise<void> =>
      writePages(layOut(toDrawable(fonts, writeStatement(facts, context)), measure)),
    writeLetter({ text, returnAddress, addressee, isAddressed, claim }: Letter): Promise<void> {
      const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.split('\n'));
      const pages = { returnAddress, addressee, isAddressed, claim, paragraphs };
      return writePages(
        layOutLetter(
          mapTexts(pages, (line) => fonts.toDrawable(showDirectionMarks(line))),
          measure,
        ),
      );
    },
    async end(): Promise<void> {
      all.end();
      doc.end();
      for await (const bytes of doc as AsyncIterable<Uint8Array>) await write(bytes);
    },
    abort(): void {
      doc.destroy();
    },
  };
}
