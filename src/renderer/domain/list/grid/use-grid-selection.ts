import type { CellClickedEvent, GridApi, RowSelectedEvent, RowSelectionOptions } from 'ag-grid-community';
import { useCallback, useEffect } from 'react';
import type { Row } from '../../../../rules/query.ts';
import type { RememberedList } from '../list-memory.tsx';
import { hasRow } from '../row-ranges.ts';

export const rowSelection: RowSelectionOptions<Row> = {
  mode: 'multiRow',
  checkboxes: true,
  headerCheckbox: false,
  enableClickSelection: false,
};

/** Sources of selections by the user; others come from the grid when rows are loaded and removed. */
const byHand: ReadonlySet<string> = new Set(['checkboxSelected', 'spaceKey']);

/** Keeps the grid's checkboxes equal to the list's selection; the grid knows only rows that it has loaded. */
export function useGridSelection(api: GridApi<Row> | null, list: RememberedList) {
  const show = useCallback(() => {
    if (api === null || api.isDestroyed()) return;
    const ranges = list.selection.getRanges();
    api.forEachNode((node) => {
      if (node.data === undefined || node.rowIndex === null) return;
      const isSelected = hasRow(ranges, node.rowIndex);
      if (node.isSelected() !== isSelected) node.setSelected(isSelected, false, 'api');
    });
  }, [api, list]);
  useEffect(() => list.selection.subscribe(show), [list, show]);

  return {
    /** Marks those of the newly loaded rows that are selected. */
    show,
    onRowSelected: (event: RowSelectedEvent<Row>) => {
      if (event.rowIndex === null || !byHand.has(event.source)) return;
      list.selection.set(event.rowIndex, event.node.isSelected() === true);
    },
    /** Ctrl adds one row, Shift a range. True: the click was for selecting. */
    onClick: (event: CellClickedEvent<Row>): boolean => {
      const { event: click, rowIndex } = event;
      if (!(click instanceof MouseEvent) || rowIndex === null) return false;
      if (click.shiftKey) list.selection.extendTo(rowIndex, rowIndex);
      else if (click.ctrlKey || click.metaKey) list.selection.toggle(rowIndex);
      else list.selection.anchorAt(rowIndex);
      return click.shiftKey || click.ctrlKey || click.metaKey;
    },
  };
}
