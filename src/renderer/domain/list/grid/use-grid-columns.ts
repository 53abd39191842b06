import type { ColumnMovedEvent, ColumnResizedEvent } from 'ag-grid-community';
import { useMemo } from 'react';
import type { Row } from '../../../../rules/query.ts';
import type { RememberedList } from '../list-memory.tsx';

/**
 * Stores the user's changes to the columns in the table itself, by mouse or keyboard, in the list's settings.
 */
export const useGridColumns = (list: RememberedList, shown: readonly string[]) =>
  useMemo(
    () => ({
      onMoved: (event: ColumnMovedEvent<Row>) => {
        if (!event.finished || event.source !== 'uiColumnMoved') return;
        const columns = event.api
          .getAllDisplayedColumns()
          .map((column) => column.getColId())
          .filter((path) => shown.includes(path));
        if (columns.length === shown.length) list.change({ columns });
      },
      onResized: (event: ColumnResizedEvent<Row>) => {
        if (!event.finished || event.source !== 'uiColumnResized' || event.column === null) return;
        const { widths } = list.getSettings();
        list.change({
          widths: { ...widths, [event.column.getColId()]: event.column.getActualWidth() },
        });
      },
    }),
    [list, shown],
  );
