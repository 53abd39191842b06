import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { showEveryMs } from '../../../contract/lease-procedures.ts';
import { useAsk, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useIsShown } from '../../lib/shown.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** Another user, or computer, that has the claim open; `isFirst`: it opened the claim before all others. */
export interface Opener {
  readonly email: string;
  readonly isFirst: boolean;
}
const noOpeners: readonly Opener[] = [];

/**
 * Reports to the team that this page shows a claim, until it is left. `page`: names the page to
 * `leases:next`; null without a team. `others`: the others who have the claim open.
 */
export function useLease(claimId: number) {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  const cache = useQueryClient();
  const isShown = useIsShown();
  const [page] = useState(() => crypto.randomUUID());
  const status = useWorkspaceQuery('team:getStatus', {}, { enabled: isShown });
  const hasTeam = status.data !== undefined && status.data !== null;
  const isOn = hasTeam && isShown;
  const others = useWorkspaceQuery('leases:list', { claimIds: [claimId] }, { enabled: isOn });

  useEffect(() => {
    if (!isShown) return;
    const show = (): void => void ask('leases:show', { page, claimId }).catch(() => undefined);
    show();
    const timer = setInterval(show, showEveryMs);
    return () => clearInterval(timer);
  }, [ask, page, claimId, isShown]);
  useEffect(() => {
    if (!isShown) return;
    const leave = (): void => void ask('leases:show', { page, claimId: null }).catch(() => undefined);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
      cache.removeQueries({
        queryKey: keyPrefixes.ofProcedure(workspaceId, 'leases:list'),
        type: 'inactive',
      });
    };
  }, [ask, cache, workspaceId, page, isShown]);

  return {
    page: isOn ? page : null,
    others: isOn ? (others.data?.leases ?? noOpeners) : noOpeners,
  };
}
