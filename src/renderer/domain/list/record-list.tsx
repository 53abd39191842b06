import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconFileExport, IconLayoutSidebarRight, IconStack2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Entity } from '../../../rules/list-fields.ts';
import type { Condition } from '../../../rules/query.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
import { ToolButton } from '../../components/tool-button.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { isForDialog } from '../../lib/shortcuts.ts';
import { useIsShown } from '../../lib/shown.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { groupings } from './describe-group.ts';
import { ColumnChooser } from './grid/column-chooser.tsx';
import { FilterChips } from './grid/filter-chips.tsx';
import { FilterPopover, type OpenFilter } from './grid/filter-popover.tsx';
import type { ColumnLayout } from './grid/grid-columns.ts';
import { GroupPanel } from './grid/group-panel.tsx';
import { IncludeMissing, ShowArchived } from './grid/left-out.tsx';
import { ListToolbar } from './grid/list-toolbar.tsx';
import { RecordGrid } from './grid/record-grid.tsx';
import { serviceStatusPath } from './grid/service-status-cell.ts';
import { SortChooser } from './grid/sort-chooser.tsx';
import { TotalsBar } from './grid/totals-bar.tsx';
import { useFilterLabels } from './grid/use-filter-labels.ts';
import type { RowKeyPress } from './grid/use-grid-keys.ts';
import { type RememberedList, useRememberedList } from './list-memory.tsx';
import type { ListRef } from './list-ref.ts';
import { findTotalsAge } from './list-refresh.ts';
import { addConditions, isNarrowed, type ListPlan, type ListSettings, toListQuery } from './list-settings.ts';
import { listCover } from './nothing-yet.tsx';
import { nounsOf, recordIdOf, useOpenRecord } from './open-record.ts';
import styles from './record-list.module.css';
import { SplitPane } from './split-pane.tsx';
import { type GridActions, useFocusedRow, useHasSpaceBeside, useIsSplit } from './split-view.ts';
import { hideNoSpace, toggleSplitOrSay } from './toggle-split.ts';
import { useCopying } from './use-copying.tsx';
import { useIncompleteNotice } from './use-incomplete-notice.ts';
import { ViewsMenu } from './views/views-menu.tsx';

export interface RecordListProps {
  readonly listId: string;
  readonly entity: Entity;
  readonly plan: ListPlan;
  readonly layouts: readonly ColumnLayout[];
  /** A row opens the claim's page of duplicates. */
  readonly isCompared?: boolean;
  readonly frame: (actions: ReactNode, content: ReactNode) => ReactNode;
  readonly renderRecord?: (id: number, from: ListRef) => ReactNode;
  /** A key pressed in a row that the list itself does not use; true: it was handled. */
  readonly onRowKey?: (press: RowKeyPress, list: RememberedList) => boolean;
  readonly listActions?: (list: RememberedList, isEmpty: boolean) => ReactNode;
  /** Actions on the selected rows, beside copying them. */
  readonly selectionActions?: (list: RememberedList) => ReactNode;
  /** The text of a list that can be empty for a special reason (a member without claims). */
  readonly emptyText?: string;
  /** The text of a list whose rows appear only after a sync, not while it is running. */
  readonly waitText?: string;
  /** How many rows the list has now without filters, where that is counted anyway. */
  readonly countNow?: number | undefined;
  /** It is still being counted how many that are. */
  readonly isCounting?: boolean;
  /** The list's settings when the window was last open. */
  readonly start?: ListSettings | undefined;
  /** The list is a screen: its views can be saved. */
  readonly isScreen?: boolean;
}

/** A complete list: search, filters, table, groups, totals, copy, export, and its empty and failed states. */
export function RecordList(props: RecordListProps) {
  const { listId, entity, plan } = props;
  const { columns, frozen, widths } = plan.initial;
  const { one, many } = nounsOf[entity];
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const openRecord = useOpenRecord(entity, listId, props.isCompared);
  const { list, settings, state } = useRememberedList(listId, plan, props.start);
  const { requestExport } = useAppActions();
  const describeFilter = useFilterLabels(list, entity);
  const [openFilter, setOpenFilter] = useState<OpenFilter | null>(null);
  const copying = useCopying(list, one, many);
  const partial = useIncompleteNotice();
  const sync = useWorkspaceQuery('sync:getStatus');
  const isSyncing = (sync.data?.running ?? null) !== null;
  const isFirstSync = isSyncing && sync.data?.lastComplete === null;
  const [isKept, setIsKept] = useState(false);
  const isShown = useIsShown();
  const total = state.snapshot?.total ?? 0;
  const isWhole = !isNarrowed(settings) && settings.includesMissing === plan.initial.includesMissing;
  useNewerCount(list, isWhole ? props.countNow : undefined);
  const selected = useSyncExternalStore(list.selection.subscribe, list.selection.getRanges);
  const isExportable = total > 0 && (!state.isSimilar || selected.length > 0);
  const clear = () => list.change({ search: '', conditions: [] });

  /** Asks how to export the list or its selected rows, as soon as these are counted. */
  const exportRows = async () => {
    const shown = list.source.query;
    if (shown === null) return;
    const counted = await list.source.current();
    if (list.source.query !== shown) return;
    const { selection } = list;
    const { findsSimilar: _similar, ...query } = shown;
    requestExport({
      workspaceId: workspace.id,
      source: { kind: 'list', query },
      total: state.isSimilar ? 0 : counted.total,
      shownColumns: settings.columns,
      filters: settings.conditions.map((condition) => ({
        field: condition.field,
        text: describeFilter(condition),
      })),
      groupBy: isGrouped ? settings.groupBy : null,
      ...(selection.count === 0
        ? {}
        : {
            selected: {
              snapshotId: counted.snapshotId,
              places: selection.getRanges().map(([first, last]) => [first, last]),
              count: selection.count,
            },
          }),
    });
  };

  const print = (event: KeyboardEvent) => {
    if (!isForDialog(event) && isExportable) exportRows().catch(() => undefined);
  };
  useHotkeys(props.isScreen && isShown ? [['mod+P', print]] : [], [], true);

  const removeFilter = (index: number) =>
    list.change({ conditions: settings.conditions.filter((_one, at) => at !== index) });
  const applyFilter = (condition: Condition, index: number | null, labels: ReadonlyMap<string, string>) => {
    for (const [value, label] of labels) list.labels.set(`${condition.field} ${value}`, label);
    const { conditions } = settings;
    list.change({
      conditions:
        index === null
          ? addConditions(conditions, [condition])
          : conditions.map((existing, at) => (at === index ? condition : existing)),
    });
  };
  const chooseGroup = (conditions: readonly Condition[], name: string | null) => {
    const added = conditions.filter((condition) => !settings.conditions.includes(condition));
    for (const { field, values } of added) {
      if (values[0] !== undefined && name !== null) list.labels.set(`${field} ${values[0]}`, name);
    }
    list.change({ conditions });
  };
  // A header opens the filter of its column, or a new one.
  const openFilterOf = useCallback(
    (path: string, anchor: HTMLElement) => {
      if (path === serviceStatusPath) return;
      const index = list.getSettings().conditions.findIndex(({ field }) => field === path);
      setOpenFilter({ path, index: index < 0 ? null : index, anchor });
    },
    [list],
  );

  const queryWithout = (path: string) => {
    const conditions = settings.conditions.filter(({ field }) => field !== path);
    const { sort: _sort, ...query } = toListQuery(plan, { ...settings, conditions });
    return query;
  };
  const addFilter = useRef<HTMLButtonElement>(null);
  useSingleKeys({ F: () => addFilter.current?.click() });
  const { renderRecord } = props;
  const isSplit = useIsSplit(list.id) && renderRecord !== undefined;
  const hasSpaceBeside = useHasSpaceBeside();
  const { shownRow, onFocusedRow, findFocused } = useFocusedRow(entity, list);
  const pane = useRef<HTMLElement>(null);
  const paneGate = useRef<{ isOpen: (id?: number) => boolean }>(null);
  const pressRow = (press: RowKeyPress): boolean => {
    if (props.onRowKey === undefined) return false;
    // Beside the list, keys are for the record that both show.
    const isSameBeside =
      !isSplit || paneGate.current?.isOpen(recordIdOf(entity, press.row) ?? undefined) === true;
    return props.onRowKey({ ...press, isReady: press.isReady && isSameBeside }, list);
  };
  const grid = useRef<GridActions>(null);
  const goToFirst = () => {
    const { snapshot, isOfOlderQuery } = list.source.getState();
    if (snapshot?.total === 0 && !isOfOlderQuery) return;
    list.focus = null;
    // The grid leaves the focus where it is in a field.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    grid.current?.takeFocus();
  };
  const toggleSplitView = () => toggleSplitOrSay(list.id);
  useSingleKeys(renderRecord === undefined ? {} : { v: toggleSplitView });
  useEffect(() => (isShown ? hideNoSpace : undefined), [isShown]);

  // There is space for one of them beside the list.
  const isGrouped = settings.groupBy !== null && !isSplit;
  const actions = (
    <>
      {isNarrowed(settings) && (
        <SmallButton variant="subtle" onClick={clear}>
          Clear filters
        </SmallButton>
      )}
      {entity === 'claims' && settings.conditions.length > 0 && (
        <SmallButton
          variant="subtle"
          onClick={() =>
            void navigate({
              to: '/settings/rules/$ruleId',
              params: { ruleId: 'new' },
              search: { list: listId },
            })
          }
        >
          Make rule…
        </SmallButton>
      )}
      {props.isScreen && <ViewsMenu list={list} settings={settings} />}
      {props.listActions?.(list, state.snapshot?.total === 0 && !state.isOfOlderQuery)}
      <ActionIcon.Group>
        <SortChooser entity={entity} sort={settings.sort} onChange={(sort) => list.change({ sort })} />
        <ToolButton
          label="Groups"
          isOn={isGrouped}
          icon={<IconStack2 size={16} aria-hidden />}
          onClick={() => {
            if (isSplit) toggleSplitView();
            list.change({
              groupBy: isGrouped ? null : (settings.groupBy ?? groupings[entity][0]?.path ?? null),
            });
          }}
        />
        {renderRecord !== undefined && (
          <ToolButton
            label="Split view"
            isOn={isSplit}
            aria-keyshortcuts="v"
            icon={<IconLayoutSidebarRight size={16} aria-hidden />}
            onClick={toggleSplitView}
          />
        )}
        <ColumnChooser
          entity={entity}
          columns={settings}
          initial={{ columns, frozen, widths }}
          onChange={list.change}
        />
      </ActionIcon.Group>
      <SmallButton
        leftSection={<IconFileExport size={14} aria-hidden />}
        disabled={!isExportable}
        onClick={() => exportRows().catch(() => undefined)}
      >
        Export…
      </SmallButton>
    </>
  );
  const content = (
    <>
      <ListToolbar
        label={many}
        search={settings.search}
        onSearch={(search) => list.change({ search })}
        onRows={goToFirst}
        filters={
          <>
            <FilterChips
              list={list}
              entity={entity}
              conditions={settings.conditions}
              includesMissing={settings.includesMissing && !plan.initial.includesMissing}
              adder={addFilter}
              onOpen={setOpenFilter}
              onRemove={removeFilter}
              onLeaveOutMissing={() => list.change({ includesMissing: false })}
            />
            <ShowArchived entity={entity} settings={settings} onChange={list.change} />
          </>
        }
      />
      <FilterPopover
        entity={entity}
        open={isShown ? openFilter : null}
        conditions={settings.conditions}
        queryWithout={queryWithout}
        onConditions={(conditions, labels = new Map()) => {
          for (const [value, label] of labels) list.labels.set(value, label);
          list.change({ conditions });
        }}
        more={<IncludeMissing settings={settings} onChange={list.change} />}
        onApply={applyFilter}
        onRemove={removeFilter}
        onClose={() => setOpenFilter(null)}
      />
      {copying.error !== null && <ReportNotice report={copying.error} title="Couldn’t copy" />}
      {state.isSimilar && !state.isOfOlderQuery && (
        <Status>
          No exact match for “{settings.search}”: showing similar spellings. To export or print, correct the
          search or select rows.
        </Status>
      )}
      <div className={styles.body}>
        <RecordGrid
          list={list}
          settings={settings}
          state={state}
          entity={entity}
          label={many}
          isSyncing={isSyncing}
          onKept={setIsKept}
          layouts={props.layouts}
          isSplit={isSplit}
          hasNeighbor={isSplit || (isGrouped && hasSpaceBeside)}
          actions={grid}
          onFocusedRow={onFocusedRow}
          onOpen={isSplit ? () => pane.current?.focus() : openRecord}
          onFilter={openFilterOf}
          onCopy={({ row, column }) => {
            if (list.selection.count > 0) copying.copySelected();
            else if (column !== serviceStatusPath) copying.copy([[row, row]], column);
          }}
          onRowKey={pressRow}
          cover={listCover({ ...props, many, list, settings, state, onClear: clear })}
        />
        {isSplit && (
          <SplitPane
            one={one}
            shown={shownRow}
            pane={pane}
            grid={grid}
            gate={paneGate}
            findFocused={findFocused}
            onOpen={openRecord}
            renderRecord={(row, at) => {
              const id = recordIdOf(entity, row);
              return id === null ? null : renderRecord(id, { list: listId, at });
            }}
          />
        )}
        {isGrouped && list.source.query !== null && (
          <GroupPanel
            entity={entity}
            conditions={settings.conditions}
            queryWithout={queryWithout}
            by={settings.groupBy ?? ''}
            made={
              state.isOfOlderQuery || state.snapshot === null
                ? null
                : { query: list.source.query, snapshotId: state.snapshot.snapshotId }
            }
            onBy={(groupBy) => list.change({ groupBy })}
            onChoose={chooseGroup}
          />
        )}
      </div>
      <TotalsBar
        list={list}
        state={state}
        one={one}
        many={many}
        partial={partial}
        countNow={isWhole ? props.countNow : undefined}
        isUncounted={total === 0 && (props.isCounting === true || isFirstSync)}
        age={findTotalsAge({
          isStale: state.isStale,
          isKept,
          isOpening: state.status === 'opening' && state.snapshot !== null,
          isSyncing,
        })}
        onRefresh={() => {
          // The request is for the newest list, even where still newer data follow at once.
          list.isWorkedIn = false;
          list.source.reopen().catch(() => undefined);
        }}
        onCopy={copying.copySelected}
        actions={props.selectionActions?.(list)}
      />
      {copying.dialog}
      <span role="status" className={styles.said}>
        {copying.said}
      </span>
    </>
  );
  // Popovers of the actions close when the screen is left.
  return props.frame(isShown ? actions : null, content);
}

/** A count of its rows that is newer than the list makes the list older: once for each number, which may differ for good. */
function useNewerCount(list: RememberedList, countNow: number | undefined): void {
  const { source } = list;
  useEffect(() => {
    const { status, snapshot, isStale, isOfOlderQuery } = source.getState();
    if (countNow === undefined || status !== 'ready' || snapshot === null || isStale || isOfOlderQuery)
      return;
    if (snapshot.total !== countNow) source.markStale();
  }, [source, countNow]);
}
