import type { Letter } from '../../../../contract/letters.ts';
import type { ClaimStatement, Field, Section, Text } from './claim-statement.ts';

export interface Style {
  readonly weight: 'regular' | 'semibold';
  readonly size: number;
  readonly color: string;
}

const ink = '#1b2430';
const faint = '#5d6875';
const rule = '#d3d9df';
const caution = '#8f4a00';
export const styles = {
  title: { weight: 'semibold', size: 17, color: ink },
  claim: { weight: 'semibold', size: 11, color: ink },
  heading: { weight: 'semibold', size: 10, color: ink },
  label: { weight: 'regular', size: 8, color: faint },
  body: { weight: 'regular', size: 9, color: ink },
  strong: { weight: 'semibold', size: 9, color: ink },
  faint: { weight: 'regular', size: 9, color: faint },
  missing: { weight: 'semibold', size: 9, color: caution },
  small: { weight: 'regular', size: 8, color: faint },
  letter: { weight: 'regular', size: 10.5, color: ink },
} as const satisfies Record<string, Style>;
type StyleName = keyof typeof styles;

/** An item that is drawn, in points from the upper left corner of its strip or page. */
export type Item =
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly style: StyleName;
      /** The order in which a screen reader reads it: cell by cell, although the lines of cells are side by side. */
      readonly order: number;
    }
  | {
      readonly kind: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly color: string;
    };

/**
 * Texts that a screen reader reads as one heading or paragraph, with the boxes behind them. It is a whole section,
 * because a tag for each row would take most of the memory of a long file.
 */
export interface Part {
  readonly tag: 'H1' | 'H2' | 'P';
  readonly items: readonly Item[];
}
interface Page {
  readonly parts: readonly Part[];
  /** The factor by which its items are scaled down, from the middle of its upper edge. */
  readonly scale: number;
}

export type MeasureText = (text: string, style: Style) => number;

/** US Letter, in points. */
export const pageSize = { width: 612, height: 792 } as const;
const margin = 51;
const top = 40;
/** The scales that are tried for a statement of more than one page; one is used if it then fits on one page. */
const scales = [1, 0.95, 0.9, 0.86] as const;
const bottomOf = (scale: number): number => pageSize.height / scale - 54;
const width = pageSize.width - 2 * margin;
const gutter = 24;
const half = (width - gutter) / 2;

const lineHeight = (style: StyleName): number => styles[style].size * 1.3;

/** Rows of text that stay together on a page if they fit on one. */
interface Strip {
  readonly tag: Part['tag'];
  readonly startsRow?: boolean;
  readonly height: number;
  readonly items: readonly Item[];
}
interface Group {
  readonly strips: readonly Strip[];
  /** Repeated above the strips that continue on another page. */
  readonly head?: readonly Strip[];
}

/** The start of a word that fits: up to a mark such as `@` if there is one, with at least one letter. */
function takeStart(letters: readonly string[], fits: (text: string) => boolean): string {
  let count = 1;
  while (count < letters.length - 1 && fits(letters.slice(0, count + 1).join(''))) count += 1;
  const start = letters.slice(0, count).join('');
  return /^.+[@./_-](?=.)/u.exec(start)?.[0] ?? start;
}

/** Breaks a text into lines that fit; a word that does not fit is broken, and nothing is cut off. */
export function wrap(text: string, style: Style, room: number, measure: MeasureText): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (candidate: string): boolean => measure(candidate, style) <= room;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (!fits(line) && [...line].length > 1) {
      const start = takeStart([...line], fits);
      lines.push(start);
      line = line.slice(start.length);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

interface Cell {
  readonly text: string;
  readonly style: StyleName;
  readonly x: number;
  readonly width: number;
  readonly isRight?: boolean;
}

const styleOf = ({ tone }: Text): StyleName => tone ?? 'body';

/** Makes a row of cells side by side. Each line is a strip, so that a row can be longer than a page. */
function row(
  measure: MeasureText,
  cells: readonly Cell[],
  { before = 0, after = 0, tag = 'P' as Part['tag'] } = {},
): Strip[] {
  const wrapped = cells.map((cell) => wrap(cell.text, styles[cell.style], cell.width, measure));
  const count = Math.max(1, ...wrapped.map((lines) => lines.length));
  const size = Math.max(...cells.map(({ style }) => lineHeight(style)));
  return Array.from({ length: count }, (_none, index): Strip => {
    const above = index === 0 ? before : 0;
    const items = cells.flatMap((cell, at): Item[] => {
      const text = wrapped[at]?.[index] ?? '';
      if (text === '') return [];
      const shift = cell.isRight === true ? cell.width - measure(text, styles[cell.style]) : 0;
      return [
        {
          kind: 'text',
          x: cell.x + shift,
          y: above + size * 0.76,
          text,
          style: cell.style,
          order: at,
        },
      ];
    });
    const height = above + size + (index === count - 1 ? after : 0);
    return { tag, items, height, startsRow: index === 0 };
  });
}

function line(strips: readonly Strip[], color = rule): Strip[] {
  const last = strips.at(-1) as Strip;
  const box: Item = { kind: 'box', x: margin, y: last.height - 0.5, width, height: 0.5, color };
  return [...strips.slice(0, -1), { ...last, items: [...last.items, box] }];
}

/** A text over the whole width. */
const whole = (
  measure: MeasureText,
  text: string,
  style: StyleName,
  space: Parameters<typeof row>[2] = {},
): Strip[] => row(measure, [{ text, style, x: margin, width }], space);

const labelWidth = 92;
const amountWidth = 96;
function fieldCells(field: Field | undefined, x: number): Cell[] {
  if (field === undefined) return [];
  const { label, value, isAmount = false } = field;
  const room = isAmount ? amountWidth : half - labelWidth - 6;
  return [
    { text: label, style: 'label', x, width: half - room - 6 },
    { text: value.text, style: styleOf(value), x: x + half - room, width: room, isRight: isAmount },
  ];
}

const fieldRows = (measure: MeasureText, left: readonly Field[], right: readonly Field[]): Strip[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_none, index) =>
    row(measure, [...fieldCells(left[index], margin), ...fieldCells(right[index], margin + half + gutter)], {
      before: index === 0 ? 3 : 1.5,
      after: 1,
    }),
  ).flat();

function sectionGroups(measure: MeasureText, section: Section): Group[] {
  const heading = line(whole(measure, section.heading, 'heading', { before: 9, after: 2.5, tag: 'H2' }), ink);
  if (section.kind === 'text')
    return [
      { strips: [...heading, ...whole(measure, section.paragraphs[0] ?? '', 'small', { before: 4 })] },
      ...section.paragraphs
        .slice(1)
        .map((paragraph) => ({ strips: whole(measure, paragraph, 'small', { before: 3 }) })),
    ];
  if (section.kind === 'pairs') {
    const note = section.note === undefined ? [] : whole(measure, section.note, 'small', { before: 3 });
    return [{ strips: [...heading, ...fieldRows(measure, section.left, section.right), ...note] }];
  }
  return tableGroups(measure, section, heading);
}

function tableGroups(
  measure: MeasureText,
  section: Section & { kind: 'table' },
  heading: readonly Strip[],
): Group[] {
  const space = 10;
  const fixed = section.columns.reduce((sum, column) => sum + (column.width ?? 0), 0);
  const rest = width - fixed - space * (section.columns.length - 1);
  let at = margin;
  const places = section.columns.map(({ width: columnWidth, isAmount = false }) => {
    const place = { x: at, width: columnWidth ?? rest, isRight: isAmount };
    at += place.width + space;
    return place;
  });
  const cells = (texts: readonly Text[], style?: StyleName): Cell[] =>
    texts.map((cellText, index) => ({
      text: cellText.text,
      style: style ?? styleOf(cellText),
      ...(places[index] as (typeof places)[number]),
    }));
  const head = line(
    row(
      measure,
      cells(
        section.columns.map(({ label }) => ({ text: label })),
        'label',
      ),
      { before: 2, after: 2 },
    ),
  );
  return section.rows.map((texts, index): Group => {
    const strips = line(row(measure, cells(texts), { before: 2, after: 2.5 }));
    return { strips: index === 0 ? [...heading, ...head, ...strips] : strips, head };
  });
}

const titleGroup = (measure: MeasureText, statement: ClaimStatement): Group => ({
  strips: [
    ...row(
      measure,
      [
        { text: 'Substantiation statement', style: 'title', x: margin, width: width * 0.6 },
        {
          text: statement.claim,
          style: 'claim',
          x: margin + width * 0.6,
          width: width * 0.4,
          isRight: true,
        },
      ],
      { tag: 'H1' },
    ),
    ...whole(measure, statement.subtitle, 'small', { before: 1 }),
  ],
});

function verdictGroup(
  measure: MeasureText,
  { isComplete, title, sentences }: ClaimStatement['verdict'],
): Group {
  const inner = { x: margin + 14, width: width - 28 };
  const strips = [
    ...row(measure, [{ text: title, style: 'strong', ...inner }], { before: 6, after: 1 }),
    ...sentences.flatMap((text) => row(measure, [{ text, style: 'body', ...inner }], { after: 1 })),
  ];
  const [back, edge] = isComplete ? ['#eef5f0', '#2c7a4f'] : ['#fbf3e6', caution];
  const colored = strips.map((strip, index): Strip => {
    const height = strip.height + (index === strips.length - 1 ? 6 : 0);
    const boxes: Item[] = [
      { kind: 'box', x: margin, y: 0, width, height, color: back as string },
      { kind: 'box', x: margin, y: 0, width: 3, height, color: edge as string },
    ];
    return { ...strip, height, items: [...boxes, ...strip.items] };
  });
  return { strips: [{ tag: 'P', height: 8, items: [] }, ...colored] };
}

/** Makes the pages of one statement. It is made smaller if it then fits on one page, as up to six lines do. */
export function layOut(statement: ClaimStatement, measure: MeasureText): Page[] {
  const sections = statement.sections.flatMap((section) => sectionGroups(measure, section));
  const groups = [titleGroup(measure, statement), verdictGroup(measure, statement.verdict), ...sections];
  const foot = `${statement.claim} · Computed by Claimdesk from synced claims`;
  for (const scale of scales) {
    const pages = toPages(groups, foot, measure, scale);
    if (pages.length === 1) return pages;
  }
  return toPages(groups, foot, measure, 1);
}

interface LetterPages extends Omit<Letter, 'text' | 'said' | 'missing'> {
  readonly paragraphs: readonly (readonly string[])[];
}

/**
 * Where the window of a #10 envelope (7/8 inch from the left, 1/2 inch from the bottom) shows the address, whichever
 * way the letter, folded in thirds, is in it. A long address begins higher.
 */
const windowArea = { left: 72, width: 240, bottom: 228 } as const;
/** The first third of the page ends here. */
const foldAt = pageSize.height / 3;
const letterMargin = 72;

/** Makes the pages of one letter in its original size: only statements are made smaller. */
export function layOutLetter(letter: LetterPages, measure: MeasureText): Page[] {
  const at = { x: windowArea.left, width: windowArea.width };
  const rowsOf = (texts: readonly string[], style: StyleName, cell: { x: number; width: number }) =>
    texts.flatMap((text) => row(measure, [{ text, style, ...cell }]));
  const sender = rowsOf(letter.returnAddress, 'small', at);
  const addressee = rowsOf(letter.addressee, 'letter', at);
  // There is room below the name to write an address by hand.
  const height = heightOf(addressee) + (letter.isAddressed ? 0 : 3 * lineHeight('letter'));
  const gap = (points: number): Strip => ({ tag: 'P', height: Math.max(6, points), items: [] });
  const start = Math.max(top + heightOf(sender) + 6, windowArea.bottom - height);
  const head = [...sender, gap(start - top - heightOf(sender)), ...addressee];
  const cell = { x: letterMargin, width: pageSize.width - 2 * letterMargin };
  const groups = letter.paragraphs.map((lines): Group => {
    const strips = rowsOf(lines, 'letter', cell);
    return { strips: [...strips, gap(7)] };
  });
  const opening = { strips: [...head, gap(foldAt - top - heightOf(head))] };
  return toPages([opening, ...groups], letter.claim, measure, 1);
}

const heightOf = (strips: readonly Strip[]): number => strips.reduce((sum, { height }) => sum + height, 0);

/** More than any row has cells. */
const maxCells = 100;

type MutablePart = Part & { readonly items: Item[] };

function toPages(groups: readonly Group[], foot: string, measure: MeasureText, scale: number): Page[] {
  const bottom = bottomOf(scale);
  const pages: MutablePart[][] = [[]];
  let y = top;
  let rows = 0;
  const put = ({ tag, height, items, startsRow }: Strip): void => {
    if (startsRow === true) rows += 1;
    const parts = pages.at(-1) as MutablePart[];
    const moved = items.map((item): Item => {
      const at = { ...item, y: item.y + y };
      return at.kind === 'text' ? { ...at, order: rows * maxCells + at.order } : at;
    });
    const last = parts.at(-1);
    if (last?.tag === tag) last.items.push(...moved);
    else parts.push({ tag, items: moved });
    y += height;
  };
  const turn = (head: readonly Strip[]): void => {
    pages.push([]);
    y = top;
    for (const strip of head) put(strip);
  };
  for (const { strips, head = [] } of groups) {
    const needed = heightOf(strips);
    if (y + needed > bottom && needed <= bottom - top - heightOf(head)) turn(head);
    for (const strip of strips) {
      if (y + strip.height > bottom) turn(head);
      put(strip);
    }
  }
  return pages.map((parts, index) => ({
    parts: [...parts, footer(foot, `Page ${index + 1} of ${pages.length}`, measure, pageSize.height / scale)],
    scale,
  }));
}

function footer(left: string, right: string, measure: MeasureText, height: number): Part {
  const y = height - 31;
  const x = pageSize.width - margin - measure(right, styles.small);
  return {
    tag: 'P',
    items: [
      { kind: 'box', x: margin, y: y - 12, width, height: 0.5, color: rule },
      { kind: 'text', x: margin, y, text: left, style: 'small', order: 0 },
      { kind: 'text', x, y, text: right, style: 'small', order: 1 },
    ],
  };
}
