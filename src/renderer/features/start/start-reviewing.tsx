import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import { useGoToRecord } from '../../domain/list/open-record.ts';

const worklistId = 'ready';
const listId = worklistClaimsList(worklistId);

/** How many of the first claims are searched for one that nobody has worked on. */
const lookedAt = 50;

/**
 * Opens the first claim of *Ready to review* that nobody has worked on, from its worklist, so that the next one
 * follows.
 */
export function StartReviewing({ workspaceId }: { workspaceId: string }) {
  const memory = useListMemory();
  const navigate = useNavigate();
  const goToClaim = useGoToRecord('claims');
  const start = async () => {
    await navigate({ to: '/worklists/$worklistId', params: { worklistId } });
    const list = await memory.whenMade(workspaceId, listId);
    // Claims that were decided meanwhile are still in it.
    if (list.source.getState().isStale) await list.source.reopen();
    const { rows } = await list.source.getWindow(0, lookedAt, ['id', 'review.last_event_at']);
    const fresh = rows.findIndex((row) => row['review.last_event_at'] === null);
    const at = Math.max(0, fresh);
    const claimId = rows[at]?.id;
    if (typeof claimId === 'number') goToClaim(claimId, { list: listId, at });
  };
  // An error is shown by the worklist's page, which opens in any case.
  return <Button onClick={() => void start().catch(() => undefined)}>Start reviewing</Button>;
}
