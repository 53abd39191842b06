import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Totals } from '../../../../contract/procedures.ts';
import type { Row } from '../../../../contract/query.ts';
import { toTenThousandths } from '../../../lib/format-money.ts';
import type { RememberedList } from '../list-memory.tsx';
import type { ListSource } from '../list-source.ts';
import { countRows, type RowRanges, windowsOf } from '../row-ranges.ts';

const amountFields = {
  billed: 'amount_billed',
  allowed: 'amount_allowed',
  paid: 'amount_paid',
  patientResponsibility: 'patient_responsibility',
} as const;
type Sums = Record<keyof typeof amountFields, bigint | null>;
const windowRows = 1000;
const beginAfterMs = 80;

/** Adds a row's amounts exactly; a missing amount adds nothing. */
export function addAmounts(sums: Sums, row: Row): Sums {
  const next = { ...sums };
  for (const [key, path] of Object.entries(amountFields) as [keyof Sums, string][]) {
    const amount = toTenThousandths(row[path]);
    if (amount !== null) next[key] = (next[key] ?? 0n) + amount;
  }
  return next;
}

async function sumRows(source: ListSource, ranges: RowRanges, isOver: () => boolean): Promise<Sums | null> {
  let sums: Sums = { billed: null, allowed: null, paid: null, patientResponsibility: null };
  for (const { offset, limit } of windowsOf(ranges, windowRows)) {
    const { rows } = await source.getWindow(offset, limit, Object.values(amountFields));
    if (isOver()) return null;
    rows.forEach((row, index) => {
      const rowIndex = offset + index;
      if (ranges.some(([first, last]) => first <= rowIndex && rowIndex <= last)) sums = addAmounts(sums, row);
    });
  }
  return sums;
}

/**
 * How many rows are selected and their exact sums: the engine's where all are selected, else added up here. `totals`
 * is null while that runs, for lists without amounts, and where `isFailed`.
 */
export function useSelectionTotals(list: RememberedList): {
  count: number;
  totals: Totals | null;
  isFailed: boolean;
} {
  const ranges = useSyncExternalStore(list.selection.subscribe, list.selection.getRanges);
  const [found, setFound] = useState<{ ranges: RowRanges; totals: Totals | null } | null>(null);
  const count = countRows(ranges);
  const { snapshot } = list.source.getState();
  const isAll = snapshot !== null && count > 0 && count === snapshot.total;
  const hasAmounts = snapshot?.totals !== null && snapshot !== null;

  useEffect(() => {
    if (count === 0 || isAll || !hasAmounts) return;
    let isOver = false;
    const timer = setTimeout(() => {
      sumRows(list.source, ranges, () => isOver).then(
        (sums) => {
          if (sums === null || isOver) return;
          const totals: Totals = {
            count: countRows(ranges),
            billed: sums.billed?.toString() ?? null,
            allowed: sums.allowed?.toString() ?? null,
            paid: sums.paid?.toString() ?? null,
            patientResponsibility: sums.patientResponsibility?.toString() ?? null,
          };
          setFound({ ranges, totals });
        },
        () => {
          if (!isOver) setFound({ ranges, totals: null });
        },
      );
    }, beginAfterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [list, ranges, count, isAll, hasAmounts]);

  if (isAll) return { count, totals: snapshot.totals, isFailed: false };
  const own = found?.ranges === ranges ? found : null;
  return { count, totals: own?.totals ?? null, isFailed: own !== null && own.totals === null };
}
