import {
  type CellClickedEvent,
  type CellFocusedEvent,
  type GridApi,
  type GridOptions,
  themeQuartz,
} from 'ag-grid-community';
import { getNonce } from 'get-nonce';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Entity } from '../../../../contract/fields.ts';
import type { Row } from '../../../../contract/query.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { ReportNotice, RetryButton } from '../../../components/error-notice.tsx';
import { useDeskQuery } from '../../../lib/desk-query.ts';
import { useIsShown } from '../../../lib/shown.ts';
import { useSingleKeys } from '../../../lib/use-single-keys.ts';
import { useOutsiders } from '../../team/use-outsiders.ts';
import type { RememberedList } from '../list-memory.tsx';
import type { ListSettings } from '../list-settings.ts';
import type { ListSourceState } from '../list-source.ts';
import { serviceStatusOf } from '../service-status.ts';
import type { GridActions, ShownRow } from '../split-view.ts';
import { type ColumnLayout, gridColumns } from './grid-columns.ts';
import styles from './record-grid.module.css';
import { SelectionHeader } from './selection-header.ts';
import { serviceStatusWidthPx } from './service-status-cell.ts';
import { useFittingColumns } from './use-fitting-columns.ts';
import { useGrid } from './use-grid.ts';
import { useGridColumns } from './use-grid-columns.ts';
import { type GridKeyActions, useGridKeys } from './use-grid-keys.ts';
import { rowSelection, useGridSelection } from './use-grid-selection.ts';
import { blockSize, useGridSource } from './use-grid-source.ts';
import { useListRefresh } from './use-list-refresh.ts';
import { useOpeners } from './use-openers.ts';

const selectionColumn = {
  width: 30,
  pinned: 'left',
  resizable: false,
  suppressMovable: true,
  headerName: 'Selected',
  headerComponentParams: { innerHeaderComponent: SelectionHeader },
} as const;
/**
 * As in global.css. Where the system hides scrollbars, a measured one would have no width, and would cover the last
 * column.
 */
const scrollbarWidthPx = 13;

const fixedOptions: GridOptions<Row> = {
  rowModelType: 'infinite',
  defaultColDef: {
    sortable: true,
    resizable: true,
    minWidth: 60,
    suppressHeaderMenuButton: true,
    lockPinned: true,
  },
  rowSelection,
  selectionColumnDef: selectionColumn,
  suppressFieldDotNotation: true,
  cacheBlockSize: blockSize,
  maxBlocksInCache: 40,
  maxConcurrentDatasourceRequests: 3,
  rowBuffer: 12,
  alwaysShowVerticalScroll: true,
  scrollbarWidth: scrollbarWidthPx,
  suppressDragLeaveHidesColumns: true,
  suppressMultiSort: false,
  animateRows: false,
  tooltipShowDelay: 700,
  rowClassRules: { [styles.loadingRow ?? 'loading']: ({ data }) => data === undefined },
  tabToNextCell: () => false,
  tabToNextHeader: () => false,
};

function loadedRows(grid: GridApi<Row>): Row[] {
  const rows: Row[] = [];
  grid.forEachNode(({ data }) => {
    if (data !== undefined) rows.push(data);
  });
  return rows;
}

/** How many frames to wait until a row that was scrolled to is rendered and can take the focus. */
const maxFrames = 30;

/** Returns the focus to the row where it was, and clears the mark that a record is open. */
function takeFocus(
  grid: GridApi<Row>,
  list: RememberedList,
  at: { row: number; column: string },
  frame: HTMLElement | null,
  framesLeft = maxFrames,
): void {
  if (grid.isDestroyed()) return;
  grid.setFocusedCell(at.row, at.column);
  requestAnimationFrame(() => {
    const isElsewhere = document.activeElement?.matches('input, select, button, a, [role="dialog"] *');
    if (framesLeft === 0 || isElsewhere || frame?.contains(document.activeElement)) {
      list.isReadInDetail = false;
      return;
    }
    // If the focus has moved since, it is left there.
    const now = grid.isDestroyed() ? null : grid.getFocusedCell();
    const wanted = now === null ? at : { row: now.rowIndex, column: now.column.getColId() };
    takeFocus(grid, list, wanted, frame, framesLeft - 1);
  });
}

/** The rows of one list of any length: only blocks around the visible rows are in memory. */
export function RecordGrid(
  props: {
    list: RememberedList;
    settings: ListSettings;
    state: ListSourceState;
    entity: Entity;
    label: string;
    isSyncing: boolean;
    /** Called when the list starts or stops keeping its rows although newer data exist. */
    onKept: (isKept: boolean) => void;
    layouts: readonly ColumnLayout[];
    /** The columns to show, where they have space. */
    columns: readonly string[];
    /** Called with the rows that are loaded whenever these change. */
    onRows: (rows: readonly Row[]) => void;
    /** Covers the table when there is nothing to show or an error. */
    cover: ReactNode;
    /** The record of the focused row is shown beside the grid. */
    isSplit: boolean;
    /** A record or groups are beside the grid: it shows the columns that fit. */
    hasNeighbor: boolean;
    actions: RefObject<GridActions | null>;
    /** Called with the focused row, or the first one where none is; null: there is none. */
    onFocusedRow: (shown: ShownRow | null) => void;
  } & GridKeyActions,
) {
  const { list, settings, state, entity, isSyncing, onKept } = props;
  const onOpen = (row: Row, at: number) => {
    list.isReadInDetail = true;
    props.onOpen(row, at);
  };
  const density = useDeskQuery('settings:get', {}).data?.density ?? 'compact';
  const theme = useMemo(() => gridThemeFor(density), [density]);
  const frame = useRef<HTMLDivElement>(null);
  const { api, setApi, datasource, rowsError, readAgain } = useGridSource(list, entity, settings.columns);
  const { isSplit, onFocusedRow } = props;
  const isKept = useListRefresh({ list, api, frame, isStale: state.isStale, isSyncing, isSplit });
  useEffect(() => onKept(isKept), [isKept, onKept]);
  const { frozen, widths, sort, conditions } = settings;
  const [hasServiceStatus, setHasServiceStatus] = useState(false);
  const showsServiceStatus = (settings.includesArchived || settings.includesMissing) && hasServiceStatus;
  const shown = useFittingColumns({
    isOn: props.hasNeighbor,
    frame,
    entity,
    layouts: props.layouts,
    settings: { columns: props.columns, frozen, widths },
    usedPx: selectionColumn.width + scrollbarWidthPx + (showsServiceStatus ? serviceStatusWidthPx : 0),
  });
  const isOutsider = useOutsiders(list.source.workspaceId, shown.includes('review.owner'));
  const columns = useMemo(
    () =>
      gridColumns(
        entity,
        props.layouts,
        { columns: shown, frozen, widths, sort, conditions },
        showsServiceStatus,
        isOutsider,
      ),
    [entity, props.layouts, shown, frozen, widths, sort, conditions, showsServiceStatus, isOutsider],
  );
  const columnEvents = useGridColumns(list, props.columns);
  const selection = useGridSelection(api, list);
  const isShown = useIsShown();
  const openers = useOpeners(api, list.source.workspaceId, entity === 'claims' && isShown);
  useGridKeys(frame, api, list, { ...props, onOpen });

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
    if (focus === null) {
      list.isReadInDetail = false;
      return;
    }
    grid.ensureIndexVisible(focus.row, 'middle');
    takeFocus(grid, list, focus, frame.current);
  };

  const wasShown = useRef(isShown);
  useEffect(() => {
    const isBack = isShown && !wasShown.current;
    wasShown.current = isShown;
    if (!isBack || api === null) return;
    if (list.focus === null) {
      list.isReadInDetail = false;
      return;
    }
    api.ensureIndexVisible(list.focus.row);
    takeFocus(api, list, list.focus, frame.current);
  }, [isShown, api, list]);

  const reported = useRef<ShownRow | null>(null);
  const report = () => {
    if (api === null || api.isDestroyed()) return;
    const at = list.focus?.row ?? 0;
    const row = api.getDisplayedRowAtIndex(at)?.data;
    const { snapshot, isOfOlderQuery } = state;
    const isEmpty = !isOfOlderQuery && snapshot?.total === 0;
    // A row that is not loaded yet is reported when it is.
    if (row === undefined && !isEmpty) return;
    const before = reported.current;
    if (row !== undefined && before?.at === at && before.row.id === row.id) return;
    reported.current = row === undefined ? null : { row, at };
    onFocusedRow(reported.current);
  };
  const latestReport = useRef(report);
  useEffect(() => {
    latestReport.current = report;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that is made again may have become empty
  useEffect(() => latestReport.current(), [api, state]);

  const takeListFocus = () => {
    if (api === null || api.isDestroyed()) return;
    const at = list.focus ?? { row: 0, column: shown[0] ?? 'id' };
    api.ensureIndexVisible(at.row);
    takeFocus(api, list, at, frame.current);
  };
  const enterFromHeading = () => document.activeElement?.matches('body, h1') === true && takeListFocus();
  // These keys work from the heading, where the focus is first. Beside a record they belong to the record.
  useSingleKeys(isSplit ? {} : { j: takeListFocus, k: takeListFocus, ArrowDown: enterFromHeading });

  useImperativeHandle(props.actions, () => ({
    goTo: (row, focused) => {
      if (api === null || api.isDestroyed()) return;
      const before = document.activeElement;
      const column = list.focus?.column ?? shown[0] ?? 'id';
      api.ensureIndexVisible(row);
      api.setFocusedCell(row, column);
      if (!(before instanceof HTMLElement) || focused?.contains(before) !== true) return;
      // The grid takes the focus at once, or as soon as the row is drawn.
      before.focus({ preventScroll: true });
      requestAnimationFrame(() => {
        if (frame.current?.contains(document.activeElement)) before.focus({ preventScroll: true });
      });
    },
    takeFocus: takeListFocus,
  }));

  // A column without space is removed together with the focus; the first column then gets it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other columns can have done so
  useEffect(() => {
    const { focus } = list;
    if (api === null || focus === null || shown.includes(focus.column) || shown[0] === undefined) return;
    list.focus = { row: focus.row, column: shown[0] };
    if (
      isShown &&
      (document.activeElement === document.body || frame.current?.contains(document.activeElement))
    )
      takeFocus(api, list, list.focus, frame.current);
  }, [shown]);

  // Tab moves to the last focused row, or the first one; the grid's default would be its very last cell.
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
    report();
  };

  const host = useGrid({
    fixed: {
      ...fixedOptions,
      styleNonce: getNonce() ?? '',
      infiniteInitialRowCount: state.snapshot?.total || 30,
      context: openers,
    },
    changing: { theme, datasource, columnDefs: columns, suppressMovableColumns: props.hasNeighbor },
    handlers: {
      focusGridInnerElement: (params) => focusRows(params.api),
      onFirstDataRendered: (event) => restore(event.api),
      onModelUpdated: ({ api: grid }) => {
        const rows = loadedRows(grid);
        setHasServiceStatus(rows.some((row) => serviceStatusOf(row) !== null));
        props.onRows(rows);
        selection.show();
        latestReport.current();
      },
      onRowSelected: selection.onRowSelected,
      onColumnMoved: columnEvents.onMoved,
      onColumnResized: columnEvents.onResized,
      onCellClicked: onClick,
      onCellFocused: onFocused,
      onRowDoubleClicked: (event) => {
        if (event.data !== undefined && event.rowIndex !== null) onOpen(event.data, event.rowIndex);
      },
    },
    onMade: setApi,
  });

  return (
    <div className={styles.grid} ref={frame}>
      <div ref={host} />
      {props.cover !== null && <div className={styles.cover}>{props.cover}</div>}
      {props.cover === null && rowsError !== null && (
        <div className={styles.failure}>
          <ReportNotice
            report={rowsError}
            title="Couldn’t load some rows"
            action={<RetryButton onRetry={readAgain} />}
          />
        </div>
      )}
    </div>
  );
}

/** The grid's theme with the colors of the window, which change without a new grid. */
function gridThemeFor(density: Settings['density']) {
  const isCompact = density === 'compact';
  return themeQuartz.withParams({
    accentColor: 'var(--mantine-primary-color-filled)',
    backgroundColor: 'var(--mantine-color-body)',
    foregroundColor: 'var(--mantine-color-text)',
    textColor: 'var(--mantine-color-text)',
    borderColor: 'var(--desk-border)',
    chromeBackgroundColor: 'var(--desk-surface)',
    headerBackgroundColor: 'var(--desk-surface)',
    headerTextColor: 'var(--mantine-color-dimmed)',
    headerFontWeight: 600,
    headerFontSize: 12,
    headerHeight: isCompact ? 30 : 36,
    rowHeight: isCompact ? 28 : 36,
    rowHoverColor: 'var(--desk-hover)',
    selectedRowBackgroundColor: 'var(--desk-selected)',
    oddRowBackgroundColor: 'var(--desk-stripe)',
    fontFamily: 'inherit',
    fontSize: 13,
    cellHorizontalPadding: 5,
    spacing: 6,
    iconSize: 14,
    wrapperBorder: false,
    wrapperBorderRadius: 0,
    headerColumnResizeHandleColor: 'var(--desk-border)',
    browserColorScheme: 'inherit',
    checkboxUncheckedBorderColor: 'var(--desk-control)',
    checkboxCheckedShapeColor: 'var(--mantine-color-white)',
  });
}
