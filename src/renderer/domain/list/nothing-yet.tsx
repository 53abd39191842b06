import { Button } from '@mantine/core';
import { IconDatabase } from '@tabler/icons-react';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useSync } from '../sync/use-sync.ts';
import { describeEmptyList } from './describe-empty-list.ts';

/** The content of an unfiltered list without rows: why it is empty, and what to do about it. */
export function NothingYet(props: {
  workspace: Workspace;
  many: string;
  /** For lists that may be empty for a reason of their own (a member without claims). */
  emptyText?: string;
  /** For lists whose rows do not come as a sync receives them, but after it. */
  waitText?: string;
  /** A sentence about the records that the list hides. */
  leftOut?: string | null;
}) {
  const sync = useSync(props.workspace);
  const { title, text, next } = describeEmptyList({
    many: props.many,
    status: sync.status,
    isOffline: sync.isOffline,
    ownText: props.emptyText,
    waitText: props.waitText,
    leftOut: props.leftOut,
  });
  return (
    <EmptyState
      icon={<IconDatabase size={34} stroke={1.4} />}
      title={title}
      text={text}
      action={
        <>
          <ErrorNotice error={sync.startError} title="Couldn’t start the sync" />
          {next === 'sync' && (
            <Button onClick={sync.start} loading={sync.isStarting}>
              Sync now
            </Button>
          )}
          {next === 'seeSync' && <ButtonLink to="/sync">Go to Sync</ButtonLink>}
        </>
      }
    />
  );
}
