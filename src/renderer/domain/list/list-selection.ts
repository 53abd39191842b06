import { isSameJson } from '../../../rules/review/same-value.ts';
import { addRows, countRows, hasRow, noRows, type RowRanges, removeRows } from './row-ranges.ts';

/** The selected rows of a list, by their index in the shown snapshot. */
export class ListSelection {
  #ranges: RowRanges = noRows;
  /** The row where a range with Shift begins. */
  #anchor: number | null = null;
  /** The last range, which is undone when Shift moves its end. */
  #range: readonly [number, number] | null = null;
  readonly #listeners = new Set<() => void>();

  readonly getRanges = (): RowRanges => this.#ranges;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get count(): number {
    return countRows(this.#ranges);
  }

  set(row: number, isSelected: boolean): void {
    this.#anchor = row;
    this.#range = null;
    if (hasRow(this.#ranges, row) === isSelected) return;
    this.#change((isSelected ? addRows : removeRows)(this.#ranges, row, row));
  }

  toggle(row: number): void {
    this.set(row, !hasRow(this.#ranges, row));
  }

  /** Sets where the next range with Shift begins; null: at the focused row. */
  anchorAt(row: number | null): void {
    this.#anchor = row;
    this.#range = null;
  }

  /** Selects everything between the anchor and this row; `from` where there is no anchor yet. */
  extendTo(row: number, from: number): void {
    const anchor = this.#anchor ?? from;
    const without = this.#range === null ? this.#ranges : removeRows(this.#ranges, ...this.#range);
    this.#anchor = anchor;
    this.#range = [anchor, row];
    this.#change(addRows(without, anchor, row));
  }

  selectAll(total: number): void {
    this.#anchor = null;
    this.#range = null;
    this.#change(total === 0 ? noRows : [[0, total - 1]]);
  }

  /** The selected records are at other places now. */
  replace(ranges: RowRanges): void {
    if (isSameJson(ranges, this.#ranges)) return;
    this.#anchor = null;
    this.#range = null;
    this.#change(ranges);
  }

  clear(): void {
    this.#anchor = null;
    this.#range = null;
    if (this.#ranges.length > 0) this.#change(noRows);
  }

  #change(ranges: RowRanges): void {
    this.#ranges = ranges;
    for (const listener of this.#listeners) listener();
  }
}
