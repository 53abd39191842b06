/// <reference path="./fontkit.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import type { Style } from './lay-out.ts';

/** The parts of the font, in the order in which a character is looked for: the same file does not hold all of them. */
const subsets = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
] as const;
const weights = { regular: 400, semibold: 600 } as const;

/** A part of a text that one font can draw. */
export interface Run {
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

/**
 * Noto Sans in the faces of statements: it has Latin, Cyrillic and Greek letters, digits of equal width, and a free
 * license (OFL). Its files are small, one for each script, so that a text is split into runs.
 */
export function loadFonts() {
  const { resolve } = createRequire(import.meta.url);
  const faces = Object.fromEntries(
    Object.entries(weights).map(([weight, value]) => [
      weight,
      subsets.map((subset): Face => {
        const name = `noto-sans-${subset}-${value}-normal`;
        const bytes = readFileSync(resolve(`@fontsource/noto-sans/files/${name}.woff`));
        const font = create(bytes);
        return { name, bytes, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
      }),
    ]),
  ) as Record<Style['weight'], Face[]>;

  const findFace = (all: readonly Face[], letter: string, last: Face | undefined): Face | undefined => {
    const codePoint = letter.codePointAt(0) ?? 0;
    return last?.has(codePoint) === true ? last : all.find((face) => face.has(codePoint));
  };

  return {
    faces: Object.values(faces).flat(),
    /** A text in one line that can be drawn: what no font has is written as its code, "[U+674E]". */
    toDrawable(text: string): string {
      let drawn = '';
      let unknown: string[] = [];
      const end = (): void => {
        if (unknown.length > 0) drawn += `[${unknown.join(' ')}]`;
        unknown = [];
      };
      for (const letter of text.normalize('NFC').replace(/\s+/g, ' ')) {
        if (invisible.test(letter)) continue;
        if (findFace(faces.regular, letter, undefined) === undefined) unknown.push(writeCode(letter));
        else {
          end();
          drawn += letter;
        }
      }
      end();
      return drawn;
    },
    /** Splits a drawable text into runs of one font each. */
    split(text: string, weight: Style['weight']): Run[] {
      const runs: { face: Face; text: string }[] = [];
      for (const letter of text) {
        const last = runs.at(-1);
        const face = findFace(faces[weight], letter, last?.face) as Face;
        if (last?.face === face) last.text += letter;
        else runs.push({ face, text: letter });
      }
      return runs.map(({ face, text: own }) => ({ font: face.name, text: own }));
    },
  };
}
