import { Button } from '@mantine/core';
import { IconFileExport, IconLayoutSidebarRight } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import type { Entity } from '../../contract/fields.ts';
import type { Condition, Row } from '../../contract/query.ts';
import type { ErrorReport } from '../../contract/result.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { useAppActions } from '../lib/app-actions.tsx';
import { copyRows } from '../lib/copy-rows.ts';
import { useBridge } from '../lib/desk-context.tsx';
import { reportOf } from '../lib/desk-error.ts';
import { formatCountOf } from '../lib/format-value.ts';
import { groupings } from '../lib/group-words.ts';
import { useRememberedList } from '../lib/list-memory.tsx';
import { addConditions, isNarrowed, type ListPlan, type ListSettings } from '../lib/list-settings.ts';
import type { Places } from '../lib/places.ts';
import { useIsShown } from '../lib/shown.ts';
import { useListSteps } from '../lib/use-list-steps.ts';
import { ReportNotice } from './error-notice.tsx';
import { listCover } from './list-cover.tsx';
import { ColumnChooser } from './record-grid/column-chooser.tsx';
import { FilterChips } from './record-grid/filter-chips.tsx';
import { FilterPopover, type OpenFilter } from './record-grid/filter-popover.tsx';
import type { ColumnLayout } from './record-grid/grid-columns.ts';
import { GroupPanel } from './record-grid/group-panel.tsx';
import { LeftOut } from './record-grid/left-out.tsx';
import { ListToolbar } from './record-grid/list-toolbar.tsx';
import { RecordGrid } from './record-grid/record-grid.tsx';
import { SortChooser } from './record-grid/sort-chooser.tsx';
import { standingPath } from './record-grid/standing-cell.ts';
import { TotalsBar } from './record-grid/totals-bar.tsx';
import styles from './record-list.module.css';
import { usePartialWords } from './use-partial-words.ts';
import { ViewsMenu } from './views/views-menu.tsx';

export interface RecordListProps {
  readonly workspace: Workspace;
  readonly listId: string;
  readonly entity: Entity;
  /** How one and many of them are called: claim, claims. */
  readonly one: string;
  readonly many: string;
  readonly plan: ListPlan;
  readonly layouts: readonly ColumnLayout[];
  readonly onOpen: (row: Row, at: number) => void;
  /** Puts the list's actions and the list itself where the page wants them. */
  readonly frame: (actions: ReactNode, content: ReactNode) => ReactNode;
  /** Said where the list can be empty for a reason of its own (a member without claims). */
  readonly emptyText?: string;
  /** How the list was when the window was last open. */
  readonly start?: ListSettings | undefined;
  /** The list is a screen: its views can be saved, and back and forward go through its filters. */
  readonly isScreen?: boolean;
}

/** A whole list: search, filters, table, groups, totals, copy, export, and its empty and failed states. */
export function RecordList(props: RecordListProps) {
  const { workspace, entity, plan, many } = props;
  const { list, settings, state } = useRememberedList(workspace.id, props.listId, plan, props.start);
  const { requestExport } = useAppActions();
  const [openFilter, setOpenFilter] = useState<OpenFilter | null>(null);
  const copying = useCopying(list, props.one, many);
  const partial = usePartialWords(workspace);
  const isShown = useIsShown();
  useListSteps(list, props.isScreen === true && isShown);
  const total = state.snapshot?.total ?? 0;
  const clear = () => list.change({ search: '', conditions: [] });

  const removeFilter = (index: number) =>
    list.change({ conditions: settings.conditions.filter((_one, at) => at !== index) });
  const applyFilter = (condition: Condition, index: number | null, labels: ReadonlyMap<string, string>) => {
    for (const [value, label] of labels) list.labels.set(`${condition.field} ${value}`, label);
    const { conditions } = settings;
    list.change({
      conditions:
        index === null
          ? addConditions(conditions, [condition])
          : conditions.map((one, at) => (at === index ? condition : one)),
    });
  };
  const filterByGroup = (conditions: readonly Condition[], name: string) => {
    for (const { field, values } of conditions) {
      if (values[0] !== undefined) list.labels.set(`${field} ${values[0]}`, name);
    }
    list.change({ conditions: addConditions(settings.conditions, conditions) });
  };
  // A header opens the filter that its column has, or a new one.
  const openFilterOf = useCallback(
    (path: string, anchor: HTMLElement) => {
      if (path === standingPath) return;
      const index = list.getSettings().conditions.findIndex(({ field }) => field === path);
      setOpenFilter({ path, index: index < 0 ? null : index, anchor });
    },
    [list],
  );

  const isGrouped = settings.groupBy !== null;
  const actions = (
    <>
      {isNarrowed(settings) && (
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
      {props.isScreen && <ViewsMenu workspace={workspace} list={list} settings={settings} />}
      <SortChooser entity={entity} sort={settings.sort} onChange={(sort) => list.change({ sort })} />
      <Button
        size="compact-sm"
        variant={isGrouped ? 'light' : 'default'}
        aria-pressed={isGrouped}
        leftSection={<IconLayoutSidebarRight size={14} aria-hidden />}
        onClick={() => list.change({ groupBy: isGrouped ? null : (groupings[entity][0]?.path ?? null) })}
      >
        Groups
      </Button>
      <ColumnChooser
        entity={entity}
        columns={settings}
        initial={{ columns: plan.initial.columns, frozen: plan.initial.frozen, widths: plan.initial.widths }}
        onChange={list.change}
      />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconFileExport size={14} aria-hidden />}
        disabled={total === 0}
        onClick={() => {
          const { query } = list.source;
          if (query === null) return;
          requestExport({ workspaceId: workspace.id, query, total, shownColumns: settings.columns });
        }}
      >
        Export…
      </Button>
    </>
  );
  const content = (
    <>
      <ListToolbar
        label={many}
        search={settings.search}
        onSearch={(search) => list.change({ search })}
        filters={
          <>
            <FilterChips
              list={list}
              entity={entity}
              conditions={settings.conditions}
              onOpen={setOpenFilter}
              onRemove={removeFilter}
            />
            <LeftOut entity={entity} settings={settings} onChange={list.change} />
          </>
        }
      />
      <FilterPopover
        workspaceId={workspace.id}
        entity={entity}
        open={isShown ? openFilter : null}
        conditions={settings.conditions}
        onApply={applyFilter}
        onRemove={removeFilter}
        onClose={() => setOpenFilter(null)}
      />
      {copying.error !== null && <ReportNotice report={copying.error} title="Nothing was copied" />}
      <div className={styles.body}>
        <RecordGrid
          list={list}
          settings={settings}
          state={state}
          entity={entity}
          label={many}
          layouts={props.layouts}
          onOpen={props.onOpen}
          onFilter={openFilterOf}
          onCopy={({ row, column }) => {
            if (list.selection.count > 0) copying.copySelected();
            else if (column !== standingPath) copying.copy([[row, row]], column);
          }}
          cover={listCover({ ...props, list, settings, state, onClear: clear })}
        />
        {isGrouped && list.source.query !== null && (
          <GroupPanel
            workspaceId={workspace.id}
            entity={entity}
            query={list.source.query}
            by={settings.groupBy ?? ''}
            onBy={(groupBy) => list.change({ groupBy })}
            onFilter={filterByGroup}
          />
        )}
      </div>
      <TotalsBar
        list={list}
        state={state}
        one={props.one}
        many={many}
        partial={partial}
        onCopy={copying.copySelected}
      />
      <span role="status" className={styles.said}>
        {copying.said}
      </span>
    </>
  );
  // What opens out of the actions is closed by leaving.
  return props.frame(isShown ? actions : null, content);
}

/** Copies rows and says so. */
function useCopying(list: ReturnType<typeof useRememberedList>['list'], one: string, many: string) {
  const bridge = useBridge();
  const [said, setSaid] = useState('');
  const [error, setError] = useState<ErrorReport | null>(null);
  const copy = (places: Places, cell?: string) => {
    setError(null);
    copyRows(bridge, list, places, cell).then(
      (rows) => setSaid(cell === undefined ? `${formatCountOf(rows, one, many)} copied` : 'Cell copied'),
      (thrown: unknown) => setError(reportOf(thrown)),
    );
  };
  return { said, error, copy, copySelected: () => copy(list.selection.getPlaces()) };
}
