import './grid-modules.ts';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { CellClickedEvent, CellFocusedEvent, GridApi } from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { getNonce } from 'get-nonce';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Entity } from '../../../contract/fields.ts';
import type { Row } from '../../../contract/query.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import type { RememberedList } from '../../lib/list-memory.tsx';
import type { ListSettings } from '../../lib/list-settings.ts';
import type { ListSourceState } from '../../lib/list-source.ts';
import { useIsShown } from '../../lib/shown.ts';
import { ReportNotice, RetryButton } from '../error-notice.tsx';
import { type ColumnLayout, gridColumns } from './grid-columns.ts';
import { gridThemeFor } from './grid-theme.ts';
import styles from './record-grid.module.css';
import { SelectionHeader } from './selection-header.ts';
import { useGridColumns } from './use-grid-columns.ts';
import { type GridKeyActions, useGridKeys } from './use-grid-keys.ts';
import { rowSelection, useGridSelection } from './use-grid-selection.ts';
import { blockSize, useGridSource } from './use-grid-source.ts';

const defaultColumn = {
  sortable: true,
  resizable: true,
  minWidth: 60,
  suppressHeaderMenuButton: true,
  lockPinned: true,
};
const selectionColumn = {
  width: 30,
  pinned: 'left',
  resizable: false,
  suppressMovable: true,
  headerName: 'Selected',
  headerComponentParams: { innerHeaderComponent: SelectionHeader },
} as const;
const loadingRules = {
  [styles.loadingRow ?? 'loading']: (params: { data?: Row | undefined }) => params.data === undefined,
};

/** As global.css has it. Where bars are hidden, a measured one would be nothing wide, and lie over the last column. */
const scrollbarWidthPx = 13;

/** A row that has just been scrolled to is drawn some frames later; until then it cannot take the focus. */
const mostFrames = 30;

function takeFocus(
  grid: GridApi<Row>,
  at: { row: number; column: string },
  frame: HTMLElement | null,
  framesLeft = mostFrames,
): void {
  if (grid.isDestroyed()) return;
  grid.setFocusedCell(at.row, at.column);
  requestAnimationFrame(() => {
    const isElsewhere = document.activeElement?.matches('input, select, button, a, [role="dialog"] *');
    if (framesLeft === 0 || isElsewhere || frame?.contains(document.activeElement)) return;
    // A key may have gone on meanwhile: it is not taken back.
    const now = grid.isDestroyed() ? null : grid.getFocusedCell();
    const wanted = now === null ? at : { row: now.rowIndex, column: now.column.getColId() };
    takeFocus(grid, wanted, frame, framesLeft - 1);
  });
}

/** The rows of one list, however many: only blocks around what is on screen are in memory. */
export function RecordGrid(
  props: {
    list: RememberedList;
    settings: ListSettings;
    state: ListSourceState;
    entity: Entity;
    label: string;
    layouts: readonly ColumnLayout[];
    /** Lies over the table, when there is nothing to show or an error. */
    cover: ReactNode;
  } & GridKeyActions,
) {
  const { list, settings, state, entity, onOpen } = props;
  const density = useDeskQuery('settings:get', {}).data?.density ?? 'compact';
  const theme = useMemo(() => gridThemeFor(density), [density]);
  const frame = useRef<HTMLDivElement>(null);
  const { api, setApi, datasource, refresh, rowsError, readAgain } = useGridSource(
    list,
    entity,
    state.isStale,
    settings.columns,
    frame,
  );
  const { columns: shown, frozen, widths, sort, conditions } = settings;
  const showsStanding = settings.includesArchived || settings.includesGone;
  const columns = useMemo(
    () =>
      gridColumns(entity, props.layouts, { columns: shown, frozen, widths, sort, conditions }, showsStanding),
    [entity, props.layouts, shown, frozen, widths, sort, conditions, showsStanding],
  );
  const columnEvents = useGridColumns(list);
  const selection = useGridSelection(api, list);
  useGridKeys(frame, api, list, props);

  const { onFilter } = props;
  useEffect(() => {
    const element = frame.current;
    const listen = (event: Event) => {
      if (event instanceof CustomEvent && event.target instanceof HTMLElement) {
        onFilter(String(event.detail), event.target);
      }
    };
    element?.addEventListener('filtercolumn', listen);
    return () => element?.removeEventListener('filtercolumn', listen);
  }, [onFilter]);

  const restore = (grid: GridApi<Row>) => {
    grid.setGridAriaProperty('label', props.label);
    selection.show();
    const { focus } = list;
    if (focus === null) return;
    grid.ensureIndexVisible(focus.row, 'middle');
    takeFocus(grid, focus, frame.current);
  };

  const isShown = useIsShown();
  const wasShown = useRef(isShown);
  useEffect(() => {
    const isBack = isShown && !wasShown.current;
    wasShown.current = isShown;
    if (!isBack || api === null || list.focus === null) return;
    api.ensureIndexVisible(list.focus.row);
    takeFocus(api, list.focus, frame.current);
  }, [isShown, api, list]);

  // Tab comes to where one was, or to the first row; the grid's own choice would be its very last cell.
  const focusRows = (grid: GridApi<Row>): boolean => {
    const first = grid.getAllDisplayedColumns().find((column) => shown.includes(column.getColId()));
    if (first === undefined || (state.snapshot?.total ?? 0) === 0) return false;
    const { row, column } = list.focus ?? {
      row: Math.max(0, grid.getFirstDisplayedRowIndex()),
      column: first.getColId(),
    };
    grid.ensureIndexVisible(row);
    grid.setFocusedCell(row, column);
    return true;
  };

  const onClick = (event: CellClickedEvent<Row>) => {
    if (selection.onClick(event)) return;
    const isLink = props.layouts.some((layout) => layout.isLink && layout.path === event.column.getColId());
    if (isLink && event.data !== undefined && event.rowIndex !== null) onOpen(event.data, event.rowIndex);
  };

  const onFocused = (event: CellFocusedEvent<Row>) => {
    if (event.rowIndex === null || event.column === null) return;
    const column = typeof event.column === 'string' ? event.column : event.column.getColId();
    list.focus = { row: event.rowIndex, column };
  };

  return (
    <div className={styles.grid} ref={frame}>
      <AgGridReact<Row>
        theme={theme}
        styleNonce={getNonce() ?? ''}
        rowModelType="infinite"
        datasource={datasource}
        columnDefs={columns}
        defaultColDef={defaultColumn}
        rowSelection={rowSelection}
        selectionColumnDef={selectionColumn}
        suppressFieldDotNotation
        cacheBlockSize={blockSize}
        maxBlocksInCache={40}
        maxConcurrentDatasourceRequests={3}
        infiniteInitialRowCount={state.snapshot?.total || 30}
        rowBuffer={12}
        alwaysShowVerticalScroll
        scrollbarWidth={scrollbarWidthPx}
        suppressDragLeaveHidesColumns
        suppressMultiSort={false}
        animateRows={false}
        tooltipShowDelay={700}
        rowClassRules={loadingRules}
        focusGridInnerElement={(params) => focusRows(params.api)}
        tabToNextCell={() => false}
        tabToNextHeader={() => false}
        onGridReady={(event) => setApi(event.api)}
        onFirstDataRendered={(event) => restore(event.api)}
        onModelUpdated={selection.show}
        onRowSelected={selection.onRowSelected}
        onColumnMoved={columnEvents.onMoved}
        onColumnResized={columnEvents.onResized}
        onCellClicked={onClick}
        onCellFocused={onFocused}
        onRowDoubleClicked={(event) => {
          if (event.data !== undefined && event.rowIndex !== null) onOpen(event.data, event.rowIndex);
        }}
      />
      {props.cover !== null && <div className={styles.cover}>{props.cover}</div>}
      {props.cover === null && rowsError !== null && (
        <div className={styles.failure}>
          <ReportNotice
            report={rowsError}
            title="Some rows cannot be shown"
            action={<RetryButton onRetry={readAgain} />}
          />
        </div>
      )}
      {state.isStale && props.cover === null && (
        <Button
          className={styles.fresh ?? ''}
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={refresh}
        >
          Newer data: show them
        </Button>
      )}
    </div>
  );
}
