import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Output } from '../../../../contract/procedures.ts';
import { addRow, addSums, amountOfCell } from '../../../../rules/money/amounts.ts';
import { type Amount, fieldOfSum, type SumName, type Totals } from '../../../../rules/query.ts';
import type { RememberedList } from '../list-memory.tsx';
import type { ListSource } from '../list-source.ts';
import { countRows, type RowRanges, windowsOf } from '../row-ranges.ts';

const openField = 'facts.open';
const windowRows = 1000;
/** Largest selection whose open amounts are summed. */
const maxOpenRows = 20_000;
const beginAfterMs = 80;

const none: Totals = { count: 0, billed: null, allowed: null, paid: null, patientResponsibility: null };

/** The sums of selected rows; `open` only of claims, and the number of those for which it is not known. */
interface SelectionTotals extends Totals {
  readonly open?: Output<'worklists:open'>;
}

async function sumRows(
  source: ListSource,
  ranges: RowRanges,
  isOver: () => boolean,
): Promise<SelectionTotals | null> {
  let totals = none;
  let sum: Amount | null = null;
  let notKnown = 0;
  const hasOpen = source.query?.entity === 'claims' && countRows(ranges) <= maxOpenRows;
  const fields = [...Object.values(fieldOfSum), ...(hasOpen ? [openField] : [])];
  for (const { offset, limit } of windowsOf(ranges, windowRows)) {
    const { rows } = await source.getWindow(offset, limit, fields);
    if (isOver()) return null;
    rows.forEach((row, index) => {
      const rowIndex = offset + index;
      if (!ranges.some(([first, last]) => first <= rowIndex && rowIndex <= last)) return;
      totals = addRow<SumName, Totals>({ ...totals, count: totals.count + 1 }, row, fieldOfSum);
      const open = amountOfCell(row[openField]);
      if (open === null) notKnown += 1;
      else sum = addSums(sum, open);
    });
  }
  return hasOpen ? { ...totals, open: { open: sum, notKnown } } : totals;
}

/**
 * How many rows are selected and their exact sums: the engine's where all of a long list are selected, else added up here.
 * `totals` is null while that runs, for lists without amounts, and where `isFailed`.
 */
export function useSelectionTotals(list: RememberedList): {
  count: number;
  totals: SelectionTotals | null;
  isFailed: boolean;
} {
  const ranges = useSyncExternalStore(list.selection.subscribe, list.selection.getRanges);
  const [computed, setComputed] = useState<{
    ranges: RowRanges;
    /** Another decision on a selected claim changes what is open of it. */
    cellsVersion: number;
    totals: SelectionTotals | null;
  } | null>(null);
  const count = countRows(ranges);
  const { snapshot, cellsVersion } = useSyncExternalStore(list.source.subscribe, list.source.getState);
  const isAll = snapshot?.snapshotId === list.rowsOf && count > maxOpenRows && count === snapshot?.total;
  const hasAmounts = snapshot?.totals !== null && snapshot !== null;

  useEffect(() => {
    if (count === 0 || isAll || !hasAmounts) return;
    let isOver = false;
    const timer = setTimeout(() => {
      sumRows(list.source, ranges, () => isOver).then(
        (totals) => {
          if (totals !== null && !isOver) setComputed({ ranges, cellsVersion, totals });
        },
        () => {
          if (!isOver) setComputed({ ranges, cellsVersion, totals: null });
        },
      );
    }, beginAfterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [list, ranges, count, isAll, hasAmounts, cellsVersion]);

  if (isAll) return { count, totals: snapshot.totals, isFailed: false };
  const current = computed?.ranges === ranges ? computed : null;
  return { count, totals: current?.totals ?? null, isFailed: current !== null && current.totals === null };
}
