import { addPlaces, countPlaces, hasPlace, noPlaces, type Places, removePlaces } from './row-ranges.ts';

/** Which rows of a list are selected, by their place in the snapshot on show. */
export class ListSelection {
  #places: Places = noPlaces;
  /** Where a range with Shift begins. */
  #anchor: number | null = null;
  /** The range made last, taken back when Shift moves its end. */
  #range: readonly [number, number] | null = null;
  readonly #listeners = new Set<() => void>();

  readonly getPlaces = (): Places => this.#places;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get count(): number {
    return countPlaces(this.#places);
  }

  set(place: number, isSelected: boolean): void {
    this.#anchor = place;
    this.#range = null;
    if (hasPlace(this.#places, place) === isSelected) return;
    this.#change((isSelected ? addPlaces : removePlaces)(this.#places, place, place));
  }

  toggle(place: number): void {
    this.set(place, !hasPlace(this.#places, place));
  }

  /** Where the next range with Shift begins; null: where the keyboard is by then. */
  anchorAt(place: number | null): void {
    this.#anchor = place;
    this.#range = null;
  }

  /** Everything between where the range began and here; `from` where none began yet. */
  extendTo(place: number, from: number): void {
    const anchor = this.#anchor ?? from;
    const without = this.#range === null ? this.#places : removePlaces(this.#places, ...this.#range);
    this.#anchor = anchor;
    this.#range = [anchor, place];
    this.#change(addPlaces(without, anchor, place));
  }

  selectAll(total: number): void {
    this.#anchor = null;
    this.#range = null;
    this.#change(total === 0 ? noPlaces : [[0, total - 1]]);
  }

  clear(): void {
    this.#anchor = null;
    this.#range = null;
    if (this.#places.length > 0) this.#change(noPlaces);
  }

  #change(places: Places): void {
    this.#places = places;
    for (const listener of this.#listeners) listener();
  }
}
