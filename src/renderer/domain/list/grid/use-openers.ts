import type { GridApi } from 'ag-grid-community';
import { useEffect, useRef, useState } from 'react';
import type { Row } from '../../../../rules/query.ts';
import { useWorkspaceQuery } from '../../../lib/desk-query.ts';
import type { Openers } from './open-elsewhere-cell.ts';

/** Debounce before asking who has the visible claims open. */
const restMs = 100;
const noClaims: readonly number[] = [];

/**
 * Marks those of a list's drawn claims that others of the team have open, as soon as they open and leave them. Returns
 * what the cells of numbers read. Without a team nothing is asked and nothing is drawn again.
 */
export function useOpeners(api: GridApi<Row> | null, isOn: boolean): { openers: Openers } {
  const { current: context } = useRef<{ openers: Openers }>({ openers: new Map() });
  const status = useWorkspaceQuery('team:getStatus', {}, { enabled: isOn });
  const hasTeam = isOn && status.data !== undefined && status.data !== null;
  const [claimIds, setClaimIds] = useState(noClaims);
  const leases = useWorkspaceQuery(
    'leases:list',
    { claimIds: [...claimIds] },
    { enabled: hasTeam && claimIds.length > 0, keepsPrevious: true },
  ).data?.leases;

  useEffect(() => {
    if (api === null || !hasTeam) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      if (api.isDestroyed()) return;
      const ids = api
        .getRenderedNodes()
        .flatMap(({ data }) => (typeof data?.id === 'number' ? [data.id] : []));
      setClaimIds((before) => (before.join() === ids.join() ? before : ids));
    };
    const listen = (): void => {
      clearTimeout(timer);
      timer = setTimeout(read, restMs);
    };
    const events = ['modelUpdated', 'viewportChanged'] as const;
    for (const event of events) api.addEventListener(event, listen);
    listen();
    return () => {
      clearTimeout(timer);
      if (!api.isDestroyed()) for (const event of events) api.removeEventListener(event, listen);
    };
  }, [api, hasTeam]);

  useEffect(() => {
    const before = context.openers;
    const emails = new Map<number, Set<string>>();
    for (const { claimId, email } of hasTeam ? (leases ?? []) : [])
      emails.set(claimId, (emails.get(claimId) ?? new Set()).add(email));
    const openers = new Map([...emails].map(([claimId, all]) => [claimId, [...all].join(', ')]));
    context.openers = openers;
    if (api === null || api.isDestroyed()) return;
    const rowNodes = api.getRenderedNodes().filter(({ data }) => {
      const id = Number(data?.id);
      return before.get(id) !== openers.get(id);
    });
    if (rowNodes.length > 0) api.refreshCells({ rowNodes, columns: ['id'], force: true });
  }, [api, context, leases, hasTeam]);
  return context;
}
