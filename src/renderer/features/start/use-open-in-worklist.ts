import { useNavigate } from '@tanstack/react-router';
import type { WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import type { ListSource } from '../../domain/list/list-source.ts';
import { useGoToRecord } from '../../domain/list/open-record.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/**
 * Opens a claim with its worklist behind it, so that the next claim of the worklist follows. `choose` returns the claim and
 * its position in the worklist, from 0; null: only the worklist opens, which also shows why it could not be read.
 */
export function useOpenInWorklist() {
  const { id: workspaceId } = useWorkspace();
  const memory = useListMemory();
  const navigate = useNavigate();
  const goToClaim = useGoToRecord('claims');
  return (
    worklistId: WorklistId,
    choose: (source: ListSource) => Promise<{ claimId: number; at: number } | null>,
  ): void => {
    const listId = worklistClaimsList(worklistId);
    const open = async (): Promise<void> => {
      await navigate({ to: '/worklists/$worklistId', params: { worklistId } });
      const list = await memory.whenMade(workspaceId, listId);
      // Claims that were decided meanwhile are still in it.
      if (list.source.getState().isStale) await list.source.reopen();
      const chosen = await choose(list.source);
      if (chosen !== null) await goToClaim(chosen.claimId, { list: listId, at: chosen.at });
    };
    void open().catch(() => undefined);
  };
}
