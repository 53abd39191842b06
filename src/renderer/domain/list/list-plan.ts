import { useMemo, useSyncExternalStore } from 'react';
import type { Entity } from '../../../rules/list-fields.ts';
import type { Condition } from '../../../rules/query.ts';
import type { ColumnLayout } from './grid/grid-columns.ts';
import { type ListPlan, startSettings } from './list-settings.ts';

/** The widths of the window, in pixels, at which the default columns of a list may change. */
const steps = [1440, 1600, 1800, 2200] as const;

export const columnStep = (windowPx: number): number => steps.findLast((step) => step <= windowPx) ?? 0;

/** The columns that a list has by default in a window of this width, in pixels. */
const defaultColumns = (layouts: readonly ColumnLayout[], windowPx: number): string[] =>
  layouts.filter(({ fromPx = 0 }) => fromPx <= windowPx).map(({ path }) => path);

/**
 * Returns a list with its default columns: newest service first, people by last name. `always`: conditions
 * that the user cannot change.
 */
export function planOf(
  entity: Entity,
  layouts: readonly ColumnLayout[],
  windowPx: number,
  always: readonly Condition[] = [],
): ListPlan {
  const isOfClaims = entity === 'claims' || entity === 'lines';
  return {
    entity,
    always,
    initial: startSettings({
      columns: defaultColumns(layouts, windowPx),
      sort: isOfClaims
        ? [{ field: 'date_of_service', direction: 'desc' }]
        : [{ field: 'last_name', direction: 'asc' }],
      frozen: [entity === 'lines' ? '$claim_id' : 'id'],
    }),
  };
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** The plan of a list for the width that the window has now; `make` is the same function each time. */
export function usePlan(make: (windowPx: number) => ListPlan): ListPlan {
  const windowPx = useSyncExternalStore(subscribe, () => columnStep(window.innerWidth));
  return useMemo(() => make(windowPx), [make, windowPx]);
}
