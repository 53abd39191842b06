import { hash } from 'node:crypto';
import { sha256 } from './sha-256.ts';

// A commitment to content: the root of a tree of salted digests, one for each line of its text. If first
// lines were removed, the others can still be verified, and guesses of the removed ones can't be tested: each
// line has its own salt, which follows from that of the subtree above it, and not the other way round.

/** The length of salts in bytes. Without a salt, anyone who has a header could test guesses of the content. */
export const saltBytes = 16;
const digestBytes = 32;

/** The number of the head where content is numbered; parts are numbered from 0. */
export const headPart = -1;

/** The text of a head or part, and the salt of its entry. */
export interface Content {
  readonly text: string;
  readonly salt: Uint8Array;
}

/** Distinguishes what is hashed: a line, two subtrees, the salt of a subtree, and the salt of a head or part. */
const marks = { line: Buffer.of(0), pair: Buffer.of(1), salt: Buffer.of(2), part: Buffer.of(3) };

const digest = (mark: Uint8Array, ...bytes: readonly Uint8Array[]): Buffer =>
  sha256(Buffer.concat([mark, ...bytes]));

/** The salt of the root of a head (`headPart`) or part. */
function rootSalt(salt: Uint8Array, part: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeInt32BE(part);
  return digest(marks.part, number, salt).subarray(0, saltBytes);
}

const sides = [Buffer.of(0), Buffer.of(1)] as const;
const saltsBelow = (salt: Uint8Array): [Buffer, Buffer] => [
  digest(marks.salt, sides[0], salt).subarray(0, saltBytes),
  digest(marks.salt, sides[1], salt).subarray(0, saltBytes),
];

/** How many of these lines are in the left subtree: the largest power of two below their number. */
const countLeft = (count: number): number => 2 ** (31 - Math.clz32(count - 1));

/** A buffer to combine the hashed parts of a line; longer lines get another one. */
const scratch = Buffer.alloc(16_384);
/** The most bytes of UTF-8 for a character of JavaScript. */
const maxBytesOfUnit = 3;

/** Returns the hashed bytes of a line, which are valid until the next call. */
function toHashed(salt: Uint8Array, line: string): Buffer {
  const textAt = marks.line.length + salt.length;
  const length = textAt + maxBytesOfUnit * line.length;
  const bytes = length <= scratch.length ? scratch : Buffer.alloc(length);
  bytes.set(marks.line);
  bytes.set(salt, marks.line.length);
  return bytes.subarray(0, textAt + bytes.write(line, textAt, 'utf8'));
}

function rootOf(salt: Uint8Array, lines: readonly string[], from: number, count: number): Buffer {
  if (count === 1) return sha256(toHashed(salt, lines[from] as string));
  const left = countLeft(count);
  const [leftSalt, rightSalt] = saltsBelow(salt);
  return digest(
    marks.pair,
    rootOf(leftSalt, lines, from, left),
    rootOf(rightSalt, lines, from + left, count - left),
  );
}

/** The commitment to a head (`headPart`) or part by its lines, as base64url. */
export function commitTo({ text, salt }: Content, part: number): string {
  const root = rootSalt(salt, part);
  if (!text.includes('\n')) return hash('sha256', toHashed(root, text), 'base64url');
  const lines = text.split('\n');
  return rootOf(root, lines, 0, lines.length).toString('base64url');
}

/**
 * Lines that are left of a head or part, with what proves them. `proof`: the tree from its root, left before right: the
 * salt of a subtree that is whole (22 characters), the digest of one that was removed (43), or an empty text for one of
 * which both halves follow.
 */
export interface ContentRest {
  readonly lines: readonly string[];
  readonly proof: readonly string[];
}

/** All of a head or part, as a rest from which lines can be removed. */
export const toRest = ({ text, salt }: Content, part: number): ContentRest => ({
  lines: text.split('\n'),
  proof: [rootSalt(salt, part).toString('base64url')],
});

class RestError extends Error {}

interface Walk {
  readonly rest: ContentRest;
  /** How many elements of the proof and how many lines were taken. */
  marks: number;
  lines: number;
}

/** Returns the root of the subtrees of a rest, left before right. @throws RestError for any other texts */
function readRoot(state: Walk, count: number): Buffer {
  const mark = state.rest.proof[state.marks];
  if (mark === undefined) throw new RestError();
  state.marks += 1;
  if (mark === '') {
    if (count === 1) throw new RestError();
    const left = countLeft(count);
    const leftRoot = readRoot(state, left);
    return digest(marks.pair, leftRoot, readRoot(state, count - left));
  }
  const bytes = Buffer.from(mark, 'base64url');
  if (bytes.toString('base64url') !== mark) throw new RestError();
  if (bytes.length === digestBytes) return bytes;
  const from = state.lines;
  state.lines += count;
  if (bytes.length !== saltBytes || state.lines > state.rest.lines.length) throw new RestError();
  return rootOf(bytes, state.rest.lines, from, count);
}

/** The commitment that a rest of so many lines is proven by; null where its proof is in any other form. */
export function commitmentOf(rest: ContentRest, count: number): string | null {
  const state: Walk = { rest, marks: 0, lines: 0 };
  try {
    const root = readRoot(state, count);
    const isAll = state.marks === rest.proof.length && state.lines === rest.lines.length;
    return isAll ? root.toString('base64url') : null;
  } catch {
    return null;
  }
}

/** Removes from a rest the lines that are not kept; its proof was checked. `count`: of lines in the whole. */
export function removeLines(
  rest: ContentRest,
  count: number,
  isKept: (line: string) => boolean,
): ContentRest {
  const proof: string[] = [];
  const kept = rest.lines.map(isKept);
  const [marksLeft, whole] = [[...rest.proof], rest.lines];
  const keep = (salt: Buffer, from: number, size: number): void => {
    const some = kept.slice(from, from + size);
    if (!some.includes(false)) proof.push(salt.toString('base64url'));
    else if (!some.includes(true)) proof.push(rootOf(salt, whole, from, size).toString('base64url'));
    else {
      proof.push('');
      const left = countLeft(size);
      const [leftSalt, rightSalt] = saltsBelow(salt);
      keep(leftSalt, from, left);
      keep(rightSalt, from + left, size - left);
    }
  };
  let from = 0;
  const copy = (size: number): void => {
    const mark = marksLeft.shift() ?? '';
    const bytes = Buffer.from(mark, 'base64url');
    if (bytes.length === saltBytes) {
      keep(bytes, from, size);
      from += size;
    } else {
      proof.push(mark);
      if (mark !== '') return;
      copy(countLeft(size));
      copy(size - countLeft(size));
    }
  };
  copy(count);
  return { lines: whole.filter((_line, index) => kept[index]), proof };
}
