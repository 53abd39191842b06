import type { CellClickedEvent, GridApi, RowSelectedEvent, RowSelectionOptions } from 'ag-grid-community';
import { useCallback, useEffect } from 'react';
import type { Row } from '../../../../contract/query.ts';
import type { RememberedList } from '../list-memory.tsx';
import { hasPlace } from '../row-ranges.ts';

export const rowSelection: RowSelectionOptions<Row> = {
  mode: 'multiRow',
  checkboxes: true,
  headerCheckbox: false,
  enableClickSelection: false,
};

/** What a person does; the rest is the grid's own, when rows come and go. */
const byHand: ReadonlySet<string> = new Set(['checkboxSelected', 'spaceKey']);

/** The selection is ours (the grid knows only rows that it has loaded); the grid shows it. */
export function useGridSelection(api: GridApi<Row> | null, list: RememberedList) {
  const show = useCallback(() => {
    if (api === null || api.isDestroyed()) return;
    const places = list.selection.getPlaces();
    api.forEachNode((node) => {
      if (node.data === undefined || node.rowIndex === null) return;
      const isSelected = hasPlace(places, node.rowIndex);
      if (node.isSelected() !== isSelected) node.setSelected(isSelected, false, 'api');
    });
  }, [api, list]);
  useEffect(() => list.selection.subscribe(show), [list, show]);

  return {
    /** Rows came: those of them that are selected must look so. */
    show,
    onRowSelected: (event: RowSelectedEvent<Row>) => {
      if (event.rowIndex === null || !byHand.has(event.source)) return;
      list.selection.set(event.rowIndex, event.node.isSelected() === true);
    },
    /** Ctrl adds one, Shift everything in between. True: the click was for selecting. */
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
