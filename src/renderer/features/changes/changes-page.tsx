import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconFileExport, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { type ChangeKind, changeKinds } from '../../../contract/sync.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { describeCounts } from '../../domain/sync/sync-messages.ts';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { titleWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ChangesTable } from './changes-table.tsx';
import { changeLabels, countUnlisted } from './describe-change.ts';

const pageSize = 50;

/** Shows what the last syncs changed on this computer: each record with its fields before and after. */
export function ChangesPage() {
  const { id: workspaceId } = useWorkspace();
  const now = useNow();
  const { requestExport } = useAppActions();
  const [syncId, setSyncId] = useState<string | null>(null);
  const [change, setChange] = useState<ChangeKind | null>(null);
  const [offset, setOffset] = useState(0);
  const query = useWorkspaceQuery(
    'sync:listChanges',
    {
      offset,
      limit: pageSize,
      ...(syncId === null ? {} : { syncId }),
      ...(change === null ? {} : { change }),
    },
    { keepsPrevious: true },
  );
  const answer = query.data;
  if (answer === undefined) {
    return (
      <Page title="What changed" documentTitle="What changed">
        <NotLoaded query={query} what="the changes" />
      </Page>
    );
  }
  const { syncs, counts, total, changes } = answer;
  const unlisted = countUnlisted(counts, change, total);
  if (syncs.length === 0) {
    return (
      <Page title="What changed" documentTitle="What changed">
        <EmptyState
          icon={<IconHistory size={34} stroke={1.4} />}
          title="No changes yet"
          text="When a sync adds or changes records, they are listed here."
          action={<ButtonLink to="/sync">Go to Sync</ButtonLink>}
        />
      </Page>
    );
  }
  return (
    <Page title="What changed" documentTitle="What changed">
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <NativeSelect
            label="Sync"
            maw="100%"
            value={answer.syncId ?? ''}
            onChange={({ currentTarget }) => {
              setSyncId(currentTarget.value);
              setOffset(0);
            }}
            data={syncs.map((sync) => ({
              value: sync.syncId,
              label: `${titleWhen(sync.at, now)} · ${describeCounts(sync.counts) ?? 'no changes'}`,
            }))}
          />
          <NativeSelect
            label="Show"
            value={change ?? ''}
            onChange={({ currentTarget }) => {
              setChange(changeKinds.find((kind) => kind === currentTarget.value) ?? null);
              setOffset(0);
            }}
            data={[
              { value: '', label: 'All changes' },
              ...changeKinds.map((kind) => ({
                value: kind,
                label: `${changeLabels[kind]} (${formatCount(counts[kind])})`,
              })),
            ]}
          />
          <Button
            variant="default"
            leftSection={<IconFileExport size={14} aria-hidden />}
            disabled={answer.syncId === null}
            onClick={() =>
              answer.syncId !== null &&
              requestExport({
                workspaceId,
                source: { kind: 'changes', syncId: answer.syncId },
                total,
                shownColumns: [],
              })
            }
          >
            Export…
          </Button>
        </Group>
        {unlisted > 0 && (
          <Text size="sm" role="note">
            {formatCountOf(unlisted, 'change')} {unlisted === 1 ? 'is' : 'are'} counted but not listed. New
            records of a first sync aren’t listed, and one sync lists up to 20,000 changes.
          </Text>
        )}
        {changes.length > 0 ? (
          <ChangesTable changes={changes} />
        ) : (
          unlisted === 0 && <Hint>No changes to list.</Hint>
        )}
        {total > 0 && (
          <Pager
            offset={offset}
            pageSize={pageSize}
            total={total}
            names={['change', 'changes']}
            back="Previous"
            onward="Next"
            onMove={setOffset}
          />
        )}
        <SmallPrint>
          The last 100 syncs that changed something are kept, and up to 100,000 changes in all.
        </SmallPrint>
      </Stack>
    </Page>
  );
}
