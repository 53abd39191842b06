import { Button } from '@mantine/core';
import { IconDatabase } from '@tabler/icons-react';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useSync } from '../sync/use-sync.ts';
import { emptyWords } from './describe-empty-list.ts';

/** A list without a row that nothing narrows: why, and what to do about it. */
export function NothingYet(props: {
  workspace: Workspace;
  many: string;
  /** Said where the list can be empty for a reason of its own (a member without claims). */
  emptyText?: string;
  /** What the list does not show unless it is asked to. */
  leftOut?: string | null;
}) {
  const sync = useSync(props.workspace);
  const { title, text, next } = emptyWords({
    many: props.many,
    status: sync.status,
    isOffline: sync.isOffline,
    ownText: props.emptyText,
    leftOut: props.leftOut,
  });
  return (
    <EmptyState
      icon={<IconDatabase size={34} stroke={1.4} />}
      title={title}
      text={text}
      action={
        <>
          {sync.startError !== null && (
            <ErrorNotice error={sync.startError} title="Couldn’t start the sync" />
          )}
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
