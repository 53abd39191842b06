import { Button } from '@mantine/core';
import { useOpenInWorklist } from './use-open-in-worklist.ts';

/** How many of the first claims are searched for one without any entry yet. */
const lookedAt = 50;

/** Opens the first claim of *To decide* that has no entry yet. */
export function StartReviewing({ workspaceId }: { workspaceId: string }) {
  const open = useOpenInWorklist(workspaceId);
  const start = () =>
    open('toDecide', async (source) => {
      const { rows } = await source.getWindow(0, lookedAt, ['id', 'review.last_event_at']);
      const fresh = rows.findIndex((row) => row['review.last_event_at'] === null);
      const at = Math.max(0, fresh);
      const claimId = rows[at]?.id;
      return typeof claimId === 'number' ? { claimId, at } : null;
    });
  return <Button onClick={start}>Start reviewing</Button>;
}
