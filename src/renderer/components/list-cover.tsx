import { Button } from '@mantine/core';
import { IconDatabase, IconSearchOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Workspace } from '../../contract/workspace.ts';
import type { RememberedList } from '../lib/list-memory.tsx';
import type { ListSourceState } from '../lib/list-source.ts';
import { useSync } from '../lib/use-sync.ts';
import { ReportNotice, RetryButton } from './error-notice.tsx';
import { EmptyState } from './states.tsx';

/** What lies over a table that has nothing to show, or cannot show it; null where rows are. */
export function ListCover(props: {
  workspace: Workspace;
  many: string;
  list: RememberedList;
  state: ListSourceState;
  isNarrowed: boolean;
  emptyText?: string;
  onClear: () => void;
}): ReactNode {
  const { state, many } = props;
  if (state.status === 'failed' && state.error !== null) {
    return (
      <div>
        <ReportNotice
          report={state.error}
          title={`The ${many} cannot be shown`}
          action={<RetryButton onRetry={() => void props.list.source.reopen().catch(() => undefined)} />}
        />
      </div>
    );
  }
  if (state.snapshot === null || state.snapshot.total > 0) return null;
  if (!props.isNarrowed) return <NothingYet workspace={props.workspace} many={many} text={props.emptyText} />;
  return (
    <EmptyState
      icon={<IconSearchOff size={34} stroke={1.4} />}
      title={`No ${many} match`}
      text="Nothing on this computer fits the search and the filters."
      action={<Button onClick={props.onClear}>Clear search and filters</Button>}
    />
  );
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
