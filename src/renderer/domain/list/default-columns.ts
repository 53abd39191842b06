import { useMemo, useSyncExternalStore } from 'react';
import type { ColumnLayout } from './grid/grid-columns.ts';
import type { ListPlan } from './list-settings.ts';

/** The widths of the window, in pixels, at which the default columns of a list may change. */
const steps = [1440, 1600, 1800, 2200] as const;

export const columnStep = (windowPx: number): number => steps.findLast((step) => step <= windowPx) ?? 0;

/** The columns that a list has by default in a window of this width, in pixels. */
export const defaultColumns = (layouts: readonly ColumnLayout[], windowPx: number): string[] =>
  layouts.filter(({ fromPx = 0 }) => fromPx <= windowPx).map(({ path }) => path);

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** The plan of a list for the width that the window has now; `make` is the same function each time. */
export function usePlan(make: (windowPx: number) => ListPlan): ListPlan {
  const windowPx = useSyncExternalStore(subscribe, () => columnStep(window.innerWidth));
  return useMemo(() => make(windowPx), [make, windowPx]);
}
