import {
  type CellClickedEvent,
  type CellFocusedEvent,
  type GridApi,
  type GridOptions,
  themeQuartz,
} from 'ag-grid-community';
import { getNonce } from 'get-nonce';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Settings } from '../../../../contract/settings.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Row } from '../../../../rules/query.ts';
import { ReportNotice, RetryButton } from '../../../components/error-notice.tsx';
import { useDeskQuery } from '../../../lib/desk-query.ts';
import { useIsShown } from '../../../lib/shown.ts';
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
import { focusedCellOf, focusRows, takeFocus, useGridFocus } from './use-grid-focus.ts';
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
 * The width that global.css sets. Where the system hides scrollbars, a measured one would have no width, and
 * would cover the last column.
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

interface RecordGridProps extends GridKeyActions {
  list: RememberedList;
  settings: ListSettings;
  state: ListSourceState;
  entity: Entity;
  label: string;
  isSyncing: boolean;
  /** Called when the list starts or stops keeping its rows although newer data exist. */
  onKept: (isKept: boolean) => void;
  layouts: readonly ColumnLayout[];
  /** Covers the table when there is nothing to show or an error. */
  cover: ReactNode;
  isSplit: boolean;
  /** A record or groups are beside the grid: it shows the columns that fit. */
  hasNeighbor: boolean;
  actions: RefObject<GridActions | null>;
  /** Called with the focused row, or the first one where none is; null: there is none. */
  onFocusedRow: (shown: ShownRow | null) => void;
}

/** The columns that have space, as the grid gets them; one for the service's status where a row has something to say. */
function useShownColumns(props: RecordGridProps, frame: RefObject<HTMLElement | null>) {
  const { settings, entity, layouts } = props;
  const { frozen, widths, sort, conditions } = settings;
  const [hasServiceStatus, setHasServiceStatus] = useState(false);
  const showsServiceStatus = (settings.includesArchived || settings.includesMissing) && hasServiceStatus;
  const shown = useFittingColumns({
    isOn: props.hasNeighbor,
    frame,
    entity,
    layouts,
    settings,
    usedPx: selectionColumn.width + scrollbarWidthPx + (showsServiceStatus ? serviceStatusWidthPx : 0),
  });
  const isOutsider = useOutsiders(shown.includes('review.owner'));
  const columns = useMemo(
    () =>
      gridColumns(
        entity,
        layouts,
        { columns: shown, frozen, widths, sort, conditions },
        showsServiceStatus,
        isOutsider,
      ),
    [entity, layouts, shown, frozen, widths, sort, conditions, showsServiceStatus, isOutsider],
  );
  return { shown, columns, setHasServiceStatus };
}

function useFilterColumn(frame: RefObject<HTMLElement | null>, onFilter: GridKeyActions['onFilter']): void {
  useEffect(() => {
    const element = frame.current;
    const listen = (event: Event) => {
      if (event instanceof CustomEvent && event.target instanceof HTMLElement)
        onFilter(String(event.detail), event.target);
    };
    element?.addEventListener('filtercolumn', listen);
    return () => element?.removeEventListener('filtercolumn', listen);
  }, [frame, onFilter]);
}

/** Reports which row has the focus, once it is loaded. */
function useFocusedRow(api: GridApi<Row> | null, { list, state, onFocusedRow }: RecordGridProps): () => void {
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
  return useCallback(() => latestReport.current(), []);
}

/**
 * Focuses the heading of the cover when the list on screen loses its last row, and the focus with it. When rows return,
 * the heading is removed; if it had the focus, the rows get it.
 */
function useCoverFocus(
  cover: RefObject<HTMLElement | null>,
  list: { readonly isShown: boolean; readonly isCovered: boolean; readonly total: number },
  actions: RefObject<GridActions | null>,
): void {
  const { isShown, isCovered, total } = list;
  const hadRows = useRef(false);
  const isOnHeading = useRef(false);
  useEffect(() => {
    if (!isShown) return;
    const active = document.activeElement;
    const isLost = active?.matches('body, :disabled, [role="gridcell"]') === true;
    if (isCovered && hadRows.current && isLost) {
      cover.current?.querySelector('h2')?.focus();
      isOnHeading.current = true;
    } else if (!isCovered && total > 0 && isOnHeading.current) {
      isOnHeading.current = false;
      if (active === document.body) actions.current?.takeFocus();
    }
    if (isCovered || total > 0) hadRows.current = total > 0;
  }, [cover, actions, isShown, isCovered, total]);
}

/** The rows of one list of any length: only blocks around the visible rows are in memory. */
export function RecordGrid(props: RecordGridProps) {
  const { list, settings, state, entity, isSyncing, onKept, isSplit } = props;
  const density = useDeskQuery('settings:get', {}).data?.density ?? 'compact';
  const theme = useMemo(() => gridThemeFor(density), [density]);
  const frame = useRef<HTMLDivElement>(null);
  const { api, setApi, datasource, rowsError, readAgain } = useGridSource(list, entity, settings.columns);
  const isKept = useListRefresh({ list, api, frame, isStale: state.isStale, isSyncing, isSplit });
  useEffect(() => onKept(isKept), [isKept, onKept]);
  const { shown, columns, setHasServiceStatus } = useShownColumns(props, frame);
  const columnEvents = useGridColumns(list, settings.columns);
  const selection = useGridSelection(api, list);
  const isShown = useIsShown();
  const openers = useOpeners(api, entity === 'claims' && isShown);
  useGridKeys(frame, api, list, props);
  useFilterColumn(frame, props.onFilter);
  const restore = (grid: GridApi<Row>) => {
    grid.setGridAriaProperty('label', props.label);
    selection.show();
    const { focus } = list;
    if (focus === null) return;
    grid.ensureIndexVisible(focus.row, 'middle');
    takeFocus(grid, focus, frame.current);
  };

  useGridFocus({ api, list, frame, shown, isShown, isSplit, actions: props.actions });
  const report = useFocusedRow(api, props);
  const onClick = (event: CellClickedEvent<Row>) => {
    if (selection.onClick(event)) return;
    const isLink = props.layouts.some((layout) => layout.isLink && layout.path === event.column.getColId());
    if (isLink && event.data !== undefined && event.rowIndex !== null)
      props.onOpen(event.data, event.rowIndex);
  };

  // The event is late: the focus may have moved since, and the grid may be destroyed.
  const onFocused = ({ api: grid }: CellFocusedEvent<Row>) => {
    const focused = focusedCellOf(grid);
    if (focused === null) return;
    list.focus = { row: focused.rowIndex, column: focused.column.getColId() };
    report();
  };

  const total = state.snapshot?.total ?? 0;
  const cover = useRef<HTMLDivElement>(null);
  useCoverFocus(cover, { isShown, isCovered: props.cover !== null, total }, props.actions);
  const host = useGrid({
    fixed: {
      ...fixedOptions,
      styleNonce: getNonce() ?? '',
      infiniteInitialRowCount: total || 30,
      context: openers,
    },
    changing: { theme, datasource, columnDefs: columns, suppressMovableColumns: props.hasNeighbor },
    handlers: {
      focusGridInnerElement: (params) => total > 0 && focusRows(params.api, list, shown),
      onFirstDataRendered: (event) => restore(event.api),
      onModelUpdated: ({ api: grid }) => {
        setHasServiceStatus(loadedRows(grid).some((row) => serviceStatusOf(row) !== null));
        selection.show();
        report();
      },
      onRowSelected: selection.onRowSelected,
      onColumnMoved: columnEvents.onMoved,
      onColumnResized: columnEvents.onResized,
      onCellClicked: onClick,
      onCellFocused: onFocused,
      onRowDoubleClicked: (event) => {
        if (event.data !== undefined && event.rowIndex !== null) props.onOpen(event.data, event.rowIndex);
      },
    },
    onMade: setApi,
  });

  return (
    <div className={styles.grid} ref={frame}>
      <div ref={host} />
      {props.cover !== null && (
        <div className={styles.cover} ref={cover}>
          {props.cover}
        </div>
      )}
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
