import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Totals } from '../../../../contract/procedures.ts';
import type { Row } from '../../../../contract/query.ts';
import { toTenThousandths } from '../../../lib/format-money.ts';
import type { RememberedList } from '../list-memory.tsx';
import type { ListSource } from '../list-source.ts';
import { countPlaces, type Places, windowsOf } from '../row-ranges.ts';

const amountFields = {
  billed: 'amount_billed',
  allowed: 'amount_allowed',
  paid: 'amount_paid',
  patientResponsibility: 'patient_responsibility',
} as const;
type Sums = Record<keyof typeof amountFields, bigint | null>;
const windowRows = 1000;
const beginAfterMs = 80;

/** Adds a row's amounts exactly; one that is not there adds nothing and is no zero. */
export function addAmounts(sums: Sums, row: Row): Sums {
  const next = { ...sums };
  for (const [key, path] of Object.entries(amountFields) as [keyof Sums, string][]) {
    const amount = toTenThousandths(row[path]);
    if (amount !== null) next[key] = (next[key] ?? 0n) + amount;
  }
  return next;
}

async function sumPlaces(source: ListSource, places: Places, isOver: () => boolean): Promise<Sums | null> {
  let sums: Sums = { billed: null, allowed: null, paid: null, patientResponsibility: null };
  for (const { offset, limit } of windowsOf(places, windowRows)) {
    const { rows } = await source.getWindow(offset, limit, Object.values(amountFields));
    if (isOver()) return null;
    rows.forEach((row, index) => {
      const place = offset + index;
      if (places.some(([first, last]) => first <= place && place <= last)) sums = addAmounts(sums, row);
    });
  }
  return sums;
}

/**
 * How many rows are selected and their exact sums: of all of them the engine's own, of some added up here.
 * `totals` is null while that goes on, for lists without amounts, and where `isFailed`.
 */
export function useSelectionTotals(list: RememberedList): {
  count: number;
  totals: Totals | null;
  isFailed: boolean;
} {
  const places = useSyncExternalStore(list.selection.subscribe, list.selection.getPlaces);
  const [found, setFound] = useState<{ places: Places; totals: Totals | null } | null>(null);
  const count = countPlaces(places);
  const { snapshot } = list.source.getState();
  const isAll = snapshot !== null && count > 0 && count === snapshot.total;
  const hasAmounts = snapshot?.totals !== null && snapshot !== null;

  useEffect(() => {
    if (count === 0 || isAll || !hasAmounts) return;
    let isOver = false;
    const timer = setTimeout(() => {
      sumPlaces(list.source, places, () => isOver).then(
        (sums) => {
          if (sums === null || isOver) return;
          const totals: Totals = {
            count: countPlaces(places),
            billed: sums.billed?.toString() ?? null,
            allowed: sums.allowed?.toString() ?? null,
            paid: sums.paid?.toString() ?? null,
            patientResponsibility: sums.patientResponsibility?.toString() ?? null,
          };
          setFound({ places, totals });
        },
        () => {
          if (!isOver) setFound({ places, totals: null });
        },
      );
    }, beginAfterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [list, places, count, isAll, hasAmounts]);

  if (isAll) return { count, totals: snapshot.totals, isFailed: false };
  const own = found?.places === places ? found : null;
  return { count, totals: own?.totals ?? null, isFailed: own !== null && own.totals === null };
}
