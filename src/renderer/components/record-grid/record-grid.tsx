import './grid-modules.ts';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type {
  CellClickedEvent,
  CellFocusedEvent,
  CellKeyDownEvent,
  FullWidthCellKeyDownEvent,
  GridApi,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { getNonce } from 'get-nonce';
import { type ReactNode, useMemo, useRef } from 'react';
import type { Entity } from '../../../contract/fields.ts';
import type { Row } from '../../../contract/query.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import type { ListSettings, RememberedList } from '../../lib/list-memory.tsx';
import type { ListSourceState } from '../../lib/list-source.ts';
import { areSingleKeysOn } from '../../lib/shortcuts.ts';
import { type ColumnLayout, gridColumns } from './grid-columns.ts';
import { gridThemeFor } from './grid-theme.ts';
import styles from './record-grid.module.css';
import { blockSize, useGridSource } from './use-grid-source.ts';

const defaultColumn = { sortable: true, resizable: true, minWidth: 60, suppressHeaderMenuButton: true };
const loadingRules = {
  [styles.loadingRow ?? 'loading']: (params: { data?: Row | undefined }) => params.data === undefined,
};

/** The rows of one list, however many: only blocks around what is on screen are in memory. */
export function RecordGrid<F>(props: {
  list: RememberedList<F>;
  settings: ListSettings<F>;
  state: ListSourceState;
  entity: Entity;
  label: string;
  layouts: readonly ColumnLayout[];
  onOpen: (row: Row, at: number) => void;
  /** Lies over the table, when there is nothing to show or an error. */
  cover: ReactNode;
}) {
  const { list, settings, state, entity, onOpen } = props;
  const density = useDeskQuery('settings:get', {}).data?.density ?? 'compact';
  const theme = useMemo(() => gridThemeFor(density), [density]);
  const frame = useRef<HTMLDivElement>(null);
  const { setApi, datasource, refresh } = useGridSource(list, entity, state.isStale, settings.columns, frame);
  // The grid owns the sort once it stands; giving it back on every change would start it anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sort counts only at the start
  const columns = useMemo(
    () => gridColumns(entity, props.layouts, settings.columns, settings.sort),
    [entity, props.layouts, settings.columns],
  );

  const restore = (api: GridApi<Row>) => {
    api.setGridAriaProperty('label', props.label);
    const { focus } = list;
    if (focus === null) return;
    api.ensureIndexVisible(focus.row, 'middle');
    api.setFocusedCell(focus.row, focus.column);
  };

  // Tab comes to where one was, or to the first row; the grid's own choice would be its very last cell.
  const focusRows = (api: GridApi<Row>): boolean => {
    const first = api.getAllDisplayedColumns()[0];
    if (first === undefined || (state.snapshot?.total ?? 0) === 0) return false;
    const { row, column } = list.focus ?? {
      row: Math.max(0, api.getFirstDisplayedRowIndex()),
      column: first.getColId(),
    };
    api.ensureIndexVisible(row);
    api.setFocusedCell(row, column);
    return true;
  };

  const onKeyDown = (event: CellKeyDownEvent<Row> | FullWidthCellKeyDownEvent<Row>) => {
    const pressed = event.event;
    if (!(pressed instanceof KeyboardEvent) || !('column' in event)) return;
    if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    const at = event.rowIndex ?? 0;
    if (pressed.key === 'Enter' && event.data !== undefined) onOpen(event.data, at);
    const step = pressed.key === 'j' ? 1 : pressed.key === 'k' ? -1 : 0;
    if (step === 0 || !areSingleKeysOn(window.localStorage)) return;
    const next = at + step;
    if (next < 0 || next >= (state.snapshot?.total ?? 0)) return;
    event.api.ensureIndexVisible(next);
    event.api.setFocusedCell(next, event.column);
  };

  const onClick = (event: CellClickedEvent<Row>) => {
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
        suppressFieldDotNotation
        cacheBlockSize={blockSize}
        maxBlocksInCache={40}
        maxConcurrentDatasourceRequests={3}
        infiniteInitialRowCount={state.snapshot?.total || 30}
        rowBuffer={12}
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
        onCellKeyDown={onKeyDown}
        onCellClicked={onClick}
        onCellFocused={onFocused}
        onRowDoubleClicked={(event) => {
          if (event.data !== undefined && event.rowIndex !== null) onOpen(event.data, event.rowIndex);
        }}
      />
      {props.cover !== null && <div className={styles.cover}>{props.cover}</div>}
      {state.isStale && props.cover === null && (
        <Button
          className={styles.fresh ?? ''}
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={refresh}
        >
          Records changed: show the newest
        </Button>
      )}
    </div>
  );
}
