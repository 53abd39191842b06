import { Button, Group } from '@mantine/core';
import { IconDatabase } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Workspace } from '../../contract/workspace.ts';
import { emptyWords } from '../lib/empty-words.ts';
import { useSync } from '../lib/use-sync.ts';
import { ErrorNotice } from './error-notice.tsx';
import { ButtonLink } from './links.tsx';
import { EmptyState } from './states.tsx';

/** A list without a row that nothing narrows: why, and what to do about it. */
export function NothingYet(props: {
  workspace: Workspace;
  many: string;
  /** Said where the list can be empty for a reason of its own (a member without claims). */
  emptyText?: string;
  /** Other ways to see rows, where a sync was complete. */
  more?: ReactNode;
}) {
  const sync = useSync(props.workspace);
  const { title, text, next } = emptyWords({
    many: props.many,
    status: sync.status,
    isServiceReachable: sync.isServiceReachable,
    ownText: props.emptyText,
  });
  return (
    <EmptyState
      icon={<IconDatabase size={34} stroke={1.4} />}
      title={title}
      text={text}
      action={
        <>
          {sync.startError !== null && (
            <ErrorNotice error={sync.startError} title="The sync could not be started" />
          )}
          <Group justify="center">
            {next === 'sync' && (
              <Button onClick={sync.start} loading={sync.isStarting}>
                Sync now
              </Button>
            )}
            {next === 'seeSync' && <ButtonLink to="/sync">Go to Sync</ButtonLink>}
            {Boolean(sync.status?.lastComplete) && props.more}
          </Group>
        </>
      }
    />
  );
}
