import { Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { Total } from '../../components/amount.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useOpenList } from '../list/use-open-list.ts';

/** Shows once after the update how many claims have another open amount because of their chains, with the list of them. */
export function MovedNotice({ moved }: { moved: WorklistCounts['moved'] }) {
  const { id: workspaceId } = useWorkspace();
  const openList = useOpenList();
  const cache = useQueryClient();
  const dismiss = useWorkspaceMutation('worklists:dismissMoved');
  if (moved === null) return null;
  const show = () =>
    openList('claims', [{ field: 'facts.chain_moved', operator: 'isNotEmpty', values: [] }], [], {
      includesMissing: true,
    });
  const end = () =>
    dismiss.mutate(
      {},
      {
        onSuccess: () =>
          cache.invalidateQueries({ queryKey: keyPrefixes.ofProcedure(workspaceId, 'worklists:counts') }),
      },
    );
  return (
    <Notice tone="open" title="A claim and its corrections now have one balance">
      <Text size="sm">
        This changes the open amount of {formatCountOf(moved.claims, 'claim')}, by{' '}
        <Total amount={moved.amount} /> in all: claims that were replaced, reversed, or are no longer in the
        service have no open amount. Nothing was decided, paid, or offset by the update.
      </Text>
      <ErrorNotice error={dismiss.error} title="Couldn’t dismiss this" />
      <Group gap={6} mt={6}>
        <SmallButton onClick={show}>Show {formatCountOf(moved.claims, 'claim')}</SmallButton>
        <SmallButton variant="subtle" disabled={dismiss.isPending} onClick={end}>
          Dismiss
        </SmallButton>
      </Group>
    </Notice>
  );
}
