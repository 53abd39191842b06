import { Button } from '@mantine/core';
import { IconDatabase, IconSearchOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Entity } from '../../../rules/list-fields.ts';
import { ErrorNotice, ReportNotice, RetryButton } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useSync } from '../sync/use-sync.ts';
import { useUnfinishedStep } from '../workspace/use-unfinished-step.ts';
import { describeEmptyList, describeLeftOut, describeNoMatch } from './describe-empty-list.ts';
import { useFilterLabels } from './grid/use-filter-labels.ts';
import type { RememberedList } from './list-memory.tsx';
import { isNarrowed, type ListSettings } from './list-settings.ts';
import type { ListSourceState } from './list-source.ts';

/** The content of an unfiltered list without rows: why it is empty, and what to do about it. */
export function NothingYet(props: {
  many: string;
  /** The text of a list that may be empty for another reason (a member without claims). */
  emptyText?: string;
  /** The text of a list whose rows appear only after a sync, not while it is running. */
  waitText?: string;
  /** A sentence about the records that the list hides. */
  leftOut?: string | null;
}) {
  const sync = useSync();
  // A sync with a key that the service doesn't know fails.
  const step = useUnfinishedStep();
  const isSetUp = step === null || step === 'sync';
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
          {next === 'sync' && !isSetUp && <ButtonLink to="/welcome/connect">Finish setup</ButtonLink>}
          {next === 'sync' && isSetUp && (
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

interface CoverProps {
  readonly entity: Entity;
  readonly many: string;
  readonly list: RememberedList;
  readonly settings: ListSettings;
  readonly state: ListSourceState;
  readonly emptyText?: string;
  readonly waitText?: string;
  readonly onClear: () => void;
}

/** Returns what covers a table that has nothing to show, or cannot show it; null where there are rows. */
export function listCover(props: CoverProps): ReactNode {
  const { state } = props;
  if (state.status === 'failed' && state.error !== null) {
    return (
      <div>
        <ReportNotice
          report={state.error}
          title={`Couldn’t load the ${props.many}`}
          action={<RetryButton onRetry={() => void props.list.source.reopen().catch(() => undefined)} />}
        />
      </div>
    );
  }
  const hasRows = state.status === 'opening' && state.hasRowsAhead;
  if (state.snapshot === null || state.snapshot.total > 0 || hasRows) return null;
  return isNarrowed(props.settings) ? (
    <NoMatch {...props} />
  ) : (
    <NothingYet {...props} leftOut={describeLeftOut(props.entity, props.settings)} />
  );
}

function NoMatch(props: CoverProps) {
  const { list, settings } = props;
  const { status } = useSync();
  const describe = useFilterLabels(list, props.entity);
  const criteria = [
    ...(settings.search === '' ? [] : [`Search for “${settings.search}”`]),
    ...settings.conditions.map(describe),
  ];
  return (
    <EmptyState
      icon={<IconSearchOff size={34} stroke={1.4} />}
      title={`No ${props.many} match`}
      text={`${describeNoMatch(settings, status)} ${describeLeftOut(props.entity, settings) ?? ''}`}
      items={criteria}
      action={<Button onClick={props.onClear}>Clear search and filters</Button>}
    />
  );
}
