/// <reference path="./fontkit.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import type { Style } from './lay-out.ts';

type Weight = Style['weight'];

/** A package of Noto fonts, in files with some of the letters each. */
interface FontPackage {
  readonly name: string;
  /** The parts to search, in this order; absent: all, by the ranges that the package lists. */
  readonly subsets?: readonly string[];
  /** The weight of the files for each style. */
  readonly weights: Readonly<Record<Weight, number>>;
}

const bothWeights = { regular: 400, semibold: 600 } as const;
/** Chinese, Japanese and Korean have one weight, because each further one takes several megabytes. */
const oneWeight = { regular: 400, semibold: 400 } as const;

/** The first package that has a letter draws it. */
const packages: readonly FontPackage[] = [
  {
    name: 'noto-sans',
    subsets: ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'],
    weights: bothWeights,
  },
  { name: 'noto-sans-hebrew', subsets: ['hebrew'], weights: bothWeights },
  { name: 'noto-sans-arabic', subsets: ['arabic'], weights: bothWeights },
  { name: 'noto-sans-sc', weights: oneWeight },
  { name: 'noto-sans-kr', weights: oneWeight },
];

/** A part of a text that one font can draw. */
interface Run {
  readonly font: string;
  readonly text: string;
}

interface Face {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly has: (codePoint: number) => boolean;
}

/** Characters that draw nothing: marks of direction, joiners, soft hyphens. */
const invisible = /[\p{Cf}\p{Cc}]/u;

const writeCode = (letter: string): string =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Words in such a script with what is between them. */
const rightToLeftText =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{M}]+(?:[^\p{L}\p{N}]+[\p{Script=Hebrew}\p{Script=Arabic}\p{M}]+)+/gu;

/**
 * Returns the text in the order in which it is drawn from left to right: words that read from right to left come last
 * one first. The font orders the letters of a word.
 */
const inVisualOrder = (text: string): string =>
  text.replace(rightToLeftText, (words) =>
    words
      .split(/(\P{L}+)/u)
      .reverse()
      .join(''),
  );

type Range = readonly [first: number, last: number];

/** The ranges of letters of each part: `{"[5]": "U+fee3,U+ff03-ff04"}`. */
function readRanges(text: string): { subset: string; ranges: Range[] }[] {
  const listed = JSON.parse(text) as Record<string, string>;
  return Object.entries(listed).map(([name, list]) => ({
    subset: name.replace(/^\[(\d+)\]$/, '$1'),
    ranges: list.split(',').map((range): Range => {
      const [first = Number.NaN, last = first] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      return [first, last];
    }),
  }));
}

/**
 * Loads Noto Sans in the faces of statements: it has the letters of nearly all names, digits of equal width, and a free
 * license (OFL). Its files are small and have only some of the letters each, so a text is split into runs. A file is
 * read when a letter first needs it.
 * @param onFace called with each face before a run has its name
 */
export function loadFonts(onFace: (face: Pick<Face, 'name' | 'bytes'>) => void = () => undefined) {
  const { resolve } = createRequire(import.meta.url);
  const faces = new Map<string, Face>();
  const load = (name: string, subset: string, weight: number): Face => {
    const whole = `${name}-${subset}-${weight}-normal`;
    let face = faces.get(whole);
    if (face === undefined) {
      const bytes = readFileSync(resolve(`@fontsource/${name}/files/${whole}.woff`));
      const font = create(bytes);
      face = { name: whole, bytes, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
      faces.set(whole, face);
      onFace(face);
    }
    return face;
  };
  const listed = new Map<string, ReturnType<typeof readRanges>>();
  /** Finds the parts of a package that may have a letter. */
  const findSubsets = ({ name, subsets }: FontPackage, codePoint: number): readonly string[] => {
    if (subsets !== undefined) return subsets;
    let ranges = listed.get(name);
    if (ranges === undefined) {
      ranges = readRanges(readFileSync(resolve(`@fontsource/${name}/unicode.json`), 'utf8'));
      listed.set(name, ranges);
    }
    return ranges
      .filter((part) => part.ranges.some(([first, last]) => codePoint >= first && codePoint <= last))
      .map(({ subset }) => subset);
  };
  const faceByKey = new Map<string, Face | undefined>();
  const search = (codePoint: number, weight: Weight): Face | undefined => {
    for (const fontPackage of packages)
      for (const subset of findSubsets(fontPackage, codePoint)) {
        const face = load(fontPackage.name, subset, fontPackage.weights[weight]);
        if (face.has(codePoint)) return face;
      }
    return undefined;
  };
  const findFace = (letter: string, weight: Weight, last: Face | undefined): Face | undefined => {
    const codePoint = letter.codePointAt(0) ?? 0;
    if (last?.has(codePoint) === true) return last;
    const key = `${weight} ${codePoint}`;
    if (!faceByKey.has(key)) faceByKey.set(key, search(codePoint, weight));
    return faceByKey.get(key);
  };

  return {
    /** The faces that were needed so far. */
    listFaces: (): readonly Face[] => [...faces.values()],
    /** Returns a text that can be drawn in one line: characters that no font has become their codes, "[U+1F600]". */
    toDrawable(text: string): string {
      let drawn = '';
      let unknown: string[] = [];
      const end = (): void => {
        if (unknown.length > 0) drawn += `[${unknown.join(' ')}]`;
        unknown = [];
      };
      for (const letter of text.normalize('NFC').replace(/\s+/g, ' ')) {
        if (invisible.test(letter)) continue;
        if (findFace(letter, 'regular', undefined) === undefined) unknown.push(writeCode(letter));
        else {
          end();
          drawn += letter;
        }
      }
      end();
      return drawn;
    },
    /** Splits a drawable text into runs of one font each, from left to right. */
    split(text: string, weight: Weight): Run[] {
      const runs: { face: Face; text: string; isRightToLeft: boolean }[] = [];
      for (const letter of inVisualOrder(text)) {
        const last = runs.at(-1);
        const face = findFace(letter, weight, last?.face) as Face;
        const isRightToLeft =
          rightToLeft.test(letter) || (last?.isRightToLeft === true && /\p{M}/u.test(letter));
        if (last?.face === face && last.isRightToLeft === isRightToLeft) last.text += letter;
        else runs.push({ face, text: letter, isRightToLeft });
      }
      return runs.map(({ face, text: runText }) => ({ font: face.name, text: runText }));
    },
  };
}
