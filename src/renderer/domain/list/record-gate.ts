import { useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { type Pane, usePane } from '../../lib/pane.ts';
import { mayPress, pressedAtMs, takePress } from '../../lib/presses.ts';
import { useIsShown } from '../../lib/shown.ts';
import type { ListRef } from './list-ref.ts';

/**
 * Lets a press act only on the record that was on screen when it was made. The gate is closed from the moment at which
 * another record is wanted until that one is painted.
 */
export class RecordGate {
  /** The record on screen with all that acts need; null: another one is wanted, or nothing is read yet. */
  #complete: number | null = null;
  #openedAtMs: number | null = null;
  #frame = 0;
  /** Whether another record is looked for (`leave`). */
  #isLeft = false;
  #leaves = 0;
  readonly #listeners = new Set<() => void>();
  /** The record that the address, or the focused row beside a pane, asks for. */
  readonly #findWanted: () => number | null;

  constructor(findWanted: () => number | null) {
    this.#findWanted = findWanted;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns whether the record is open to presses, for display; a press checks `isOpen`. */
  readonly getIsOpen = (): boolean => this.#openedAtMs !== null;

  /** Whether the press that is handled now was made while this record was on screen, and no other one wanted. */
  isOpen(id = this.#complete): boolean {
    const isPainted = this.#openedAtMs !== null && pressedAtMs() >= this.#openedAtMs;
    return isPainted && id !== null && id === this.#complete && id === this.#findWanted();
  }

  /** Whether the press that is handled now may do something with this record that is no act, such as asking. */
  mayPress(id?: number): boolean {
    return mayPress(this.isOpen(id));
  }

  /** Takes the press that is handled now for an act on this record. False: it must not act. */
  take(id?: number): boolean {
    return takePress(this.isOpen(id));
  }

  /**
   * Another record is looked for: presses do nothing until it is on screen, or `stay` is called. The returned function calls
   * `stay`, unless a later record is looked for by then, because a navigation may end after the next key. It returns whether
   * the record is still the one that the address asks for.
   */
  readonly leave = (): (() => boolean) => {
    this.#leaves += 1;
    const number = this.#leaves;
    this.#isLeft = true;
    this.#close();
    return () => {
      if (number !== this.#leaves) return false;
      this.stay();
      return this.#complete !== null && this.#complete === this.#findWanted();
    };
  };

  /** The record stays, or is on screen now: presses are for it once it is painted, which is after the next frame. */
  readonly stay = (): void => {
    this.#isLeft = false;
    this.#openSoon();
  };

  /**
   * A navigation has ended, which may have led back to the record on screen. While another record is looked for, it is the
   * one that led to this record, and ends late.
   */
  readonly onNavigated = (): void => {
    if (!this.#isLeft) this.#openSoon();
  };

  /** The record that is rendered now, if it is complete and the wanted one. */
  show(id: number | null): void {
    if (id !== this.#complete) this.#isLeft = false;
    this.#complete = id;
    this.#close();
    this.onNavigated();
  }

  #close(): void {
    cancelAnimationFrame(this.#frame);
    this.#openAt(null);
  }

  #openSoon(): void {
    cancelAnimationFrame(this.#frame);
    if (this.#complete === null || this.#openedAtMs !== null) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = requestAnimationFrame(() => {
        if (this.#complete === this.#findWanted()) this.#openAt(performance.now());
      });
    });
  }

  #openAt(openedAtMs: number | null): void {
    this.#openedAtMs = openedAtMs;
    for (const listener of this.#listeners) listener();
  }
}

const idInPath = (pathname: string): number | null => {
  const digits = /^\/\w+\/(\d+)(\/|$)/.exec(pathname)?.[1];
  return digits === undefined ? null : Number(digits);
};

/**
 * Makes the gate of a record's page. `recordId`: the record that the page is to show. `shown`: the record whose values it
 * shows, or that it says could not be read. `from`: its place in a list.
 */
export function useNewGate(recordId: number, shown: number | undefined | null, from: ListRef): RecordGate {
  const router = useRouter();
  const pane = usePane();
  const isVisible = useIsShown();
  const [gate] = useState(() => new RecordGate(() => findWanted(pane, router.latestLocation.pathname)));
  const { list, at } = from;
  // biome-ignore lint/correctness/useExhaustiveDependencies: at another place of a list the same record is another stop
  useLayoutEffect(() => {
    gate.show(isVisible && shown === recordId ? recordId : null);
  }, [gate, recordId, shown, isVisible, list, at]);
  // Back at the record before the one that was wanted was shown.
  useEffect(() => router.subscribe('onResolved', gate.onNavigated), [router, gate]);
  useLayoutEffect(() => {
    if (pane === null) return;
    pane.gate.current = gate;
    return () => {
      pane.gate.current = null;
    };
  }, [pane, gate]);
  return gate;
}

const findWanted = (pane: Pane | null, pathname: string): number | null =>
  pane === null ? idInPath(pathname) : pane.findFocused();

/** Whether another record is looked for or read, so that presses do nothing. */
export const useIsLoading = (gate: RecordGate): boolean =>
  !useSyncExternalStore(gate.subscribe, gate.getIsOpen);
