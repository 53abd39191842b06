/** A range of consecutive ordinals, upwards (step 1) or downwards (step -1). */
type Piece = { readonly start: number; readonly length: number; readonly step: 1 | -1 };

/**
 * The order of a list as a piece table: a million rows are one piece, and each edit adds at most two. Reading a page is
 * a binary search for any page number, and memory grows only with edits.
 */
export class Sequence {
  private pieces: Piece[] = [];
  private ends: number[] = [];

  constructor(length: number, direction: 'asc' | 'desc') {
    if (length === 0) return;
    const piece: Piece =
      direction === 'asc' ? { start: 0, length, step: 1 } : { start: length - 1, length, step: -1 };
    this.replace(0, 0, [piece]);
  }

  get length(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** Returns the ordinals at positions [from, from + count), fewer at the end of the list. */
  slice(from: number, count: number): number[] {
    const ordinals: number[] = [];
    let p = this.pieceAt(from);
    let offset = from - this.startOf(p);
    while (ordinals.length < count && p < this.pieces.length) {
      const piece = this.pieces[p] as Piece;
      for (; offset < piece.length && ordinals.length < count; offset += 1)
        ordinals.push(piece.start + piece.step * offset);
      p += 1;
      offset = 0;
    }
    return ordinals;
  }

  /** Returns the position of an ordinal, or -1. */
  positionOf(ordinal: number): number {
    for (let p = 0; p < this.pieces.length; p += 1) {
      const piece = this.pieces[p] as Piece;
      const offset = (ordinal - piece.start) * piece.step;
      if (offset >= 0 && offset < piece.length) return this.startOf(p) + offset;
    }
    return -1;
  }

  /** Inserts the ordinals start, start + step, … before a position; a position past the end appends. */
  insert(position: number, start: number, length: number, step: 1 | -1 = 1): void {
    if (length <= 0) return;
    const added: Piece = { start, length, step };
    if (position >= this.length) {
      const last = this.pieces.at(-1);
      const continues = last && last.step === 1 && step === 1 && last.start + last.length === start;
      if (continues) this.replace(this.pieces.length - 1, 1, [{ ...last, length: last.length + length }]);
      else this.replace(this.pieces.length, 0, [added]);
      return;
    }
    const p = this.pieceAt(position);
    const [before, after] = cut(this.pieces[p] as Piece, position - this.startOf(p));
    this.replace(p, 1, [before, added, after]);
  }

  /** Removes the ordinal at a position and returns it. */
  removeAt(position: number): number {
    if (position < 0 || position >= this.length) throw new RangeError('no such position');
    const p = this.pieceAt(position);
    const piece = this.pieces[p] as Piece;
    const offset = position - this.startOf(p);
    const [before] = cut(piece, offset);
    const [, after] = cut(piece, offset + 1);
    this.replace(p, 1, [before, after]);
    return piece.start + piece.step * offset;
  }

  private startOf(p: number): number {
    return p === 0 ? 0 : (this.ends[p - 1] as number);
  }

  private pieceAt(position: number): number {
    let low = 0;
    let high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ends[middle] as number) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private replace(at: number, removed: number, added: readonly Piece[]): void {
    this.pieces.splice(at, removed, ...added.filter((piece) => piece.length > 0));
    this.ends.length = at;
    let end = this.ends.at(-1) ?? 0;
    for (let p = at; p < this.pieces.length; p += 1) {
      end += (this.pieces[p] as Piece).length;
      this.ends.push(end);
    }
  }
}

const cut = (piece: Piece, offset: number): [Piece, Piece] => [
  { ...piece, length: offset },
  { ...piece, start: piece.start + piece.step * offset, length: piece.length - offset },
];
