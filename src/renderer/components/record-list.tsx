import { Button } from '@mantine/core';
import { IconDatabase, IconFileExport, IconSearchOff } from '@tabler/icons-react';
import { type ReactNode, useCallback } from 'react';
import type { Entity } from '../../contract/fields.ts';
import type { Row } from '../../contract/query.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { useAppActions } from '../lib/app-actions.tsx';
import { type ListPlan, type ListSettings, useRememberedList } from '../lib/list-memory.tsx';
import { useSync } from '../lib/use-sync.ts';
import { ReportNotice, RetryButton } from './error-notice.tsx';
import { ColumnChooser } from './record-grid/column-chooser.tsx';
import type { ColumnLayout } from './record-grid/grid-columns.ts';
import { ListToolbar } from './record-grid/list-toolbar.tsx';
import { RecordGrid } from './record-grid/record-grid.tsx';
import { TotalsBar } from './record-grid/totals-bar.tsx';
import { EmptyState } from './states.tsx';

/** A whole list: search, filters, table, totals, export, and its empty and failed states. */
export function RecordList<F>(props: {
  workspace: Workspace;
  listId: string;
  entity: Entity;
  /** How one and many of them are called: claim, claims. */
  one: string;
  many: string;
  plan: ListPlan<F>;
  layouts: readonly ColumnLayout[];
  filters?: (filter: F, onChange: (filter: F) => void) => ReactNode;
  onOpen: (row: Row, at: number) => void;
  /** Puts the list's actions and the list itself where the page wants them. */
  frame: (actions: ReactNode, content: ReactNode) => ReactNode;
  /** Said where the list can be empty for a reason of its own (a member without claims). */
  emptyText?: string;
}) {
  const { workspace, entity, plan } = props;
  const { list, settings, state } = useRememberedList(workspace.id, props.listId, plan);
  const { requestExport } = useAppActions();
  const setFilter = useCallback((filter: F) => list.change({ filter }), [list]);
  const total = state.snapshot?.total ?? 0;

  const exportList = () => {
    if (list.source.query === null) return;
    requestExport({
      workspaceId: workspace.id,
      query: list.source.query,
      total,
      shownColumns: settings.columns,
    });
  };
  const isNarrowed =
    settings.search !== '' || JSON.stringify(settings.filter) !== JSON.stringify(plan.initial.filter);
  const clear = () => list.change({ search: '', filter: plan.initial.filter });

  const actions = (
    <>
      {isNarrowed && (
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
      <ColumnChooser
        entity={entity}
        layouts={props.layouts}
        shown={settings.columns}
        onChange={(columns) => list.change({ columns })}
      />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconFileExport size={14} aria-hidden />}
        disabled={total === 0}
        onClick={exportList}
      >
        Export…
      </Button>
    </>
  );
  const content = (
    <>
      <ListToolbar
        label={props.many}
        search={settings.search}
        onSearch={(search) => list.change({ search })}
        filters={props.filters?.(settings.filter, setFilter)}
      />
      <RecordGrid
        list={list}
        settings={settings as ListSettings<F>}
        state={state}
        entity={entity}
        label={props.many}
        layouts={props.layouts}
        onOpen={props.onOpen}
        cover={
          state.status === 'failed' && state.error !== null ? (
            <div>
              <ReportNotice
                report={state.error}
                title={`The ${props.many} cannot be shown`}
                action={<RetryButton onRetry={() => void list.source.reopen().catch(() => undefined)} />}
              />
            </div>
          ) : state.snapshot !== null && total === 0 ? (
            isNarrowed ? (
              <EmptyState
                icon={<IconSearchOff size={34} stroke={1.4} />}
                title={`No ${props.many} match`}
                text="Nothing on this computer fits the search and the filters."
                action={<Button onClick={clear}>Clear search and filters</Button>}
              />
            ) : (
              <NothingYet workspace={workspace} many={props.many} text={props.emptyText} />
            )
          ) : null
        }
      />
      <TotalsBar state={state} one={props.one} many={props.many} />
    </>
  );
  return props.frame(actions, content);
}

function NothingYet(props: { workspace: Workspace; many: string; text: string | undefined }) {
  const sync = useSync(props.workspace);
  const isRunning = Boolean(sync.status?.running);
  const hasSynced = sync.status?.lastReceipt !== null && sync.status?.lastReceipt !== undefined;
  if (isRunning) {
    return (
      <EmptyState
        icon={<IconDatabase size={34} stroke={1.4} />}
        title={`No ${props.many} yet`}
        text="The sync is running. Rows appear here as soon as they come."
      />
    );
  }
  return (
    <EmptyState
      icon={<IconDatabase size={34} stroke={1.4} />}
      title={`No ${props.many}${hasSynced ? '' : ' on this computer yet'}`}
      text={
        hasSynced
          ? (props.text ?? `The service has no ${props.many} for this account.`)
          : 'Sync once, then everything here works without a network.'
      }
      action={
        <Button onClick={sync.start} loading={sync.isStarting}>
          Sync now
        </Button>
      }
    />
  );
}
