import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { LastRead } from '../../../contract/views.ts';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { parseListRef } from '../../domain/list/list-ref.ts';
import { findSession } from '../../domain/list/view-settings.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** The claim of an address with the list that it was opened from; null: not the address of a claim. */
export function lastReadOf(pathname: string, search: Record<string, unknown>): LastRead | null {
  const claimId = Number(/^\/claims\/(\d{1,15})(\/duplicates)?$/.exec(pathname)?.[1]);
  if (!Number.isSafeInteger(claimId)) return null;
  const { list = null, at = null } = parseListRef(search);
  return { claimId, list, at };
}

/**
 * Stores the claim that was read last in the encrypted user data, so that the next start can continue there. It renders
 * nothing. It is a separate component because each change of the address would otherwise render its parent again.
 */
export function KeepLastRead(): null {
  const { id: workspaceId } = useWorkspace();
  const memory = useListMemory();
  const views = useWorkspaceQuery('views:list');
  const { pathname, search } = useLocation();
  const isReady = views.data !== undefined;
  if (isReady) memory.session.begin(workspaceId, findSession(views.data.views));
  useEffect(() => {
    const lastRead = lastReadOf(pathname, { ...search });
    if (isReady && lastRead !== null) memory.session.keepLastRead(workspaceId, lastRead);
  }, [isReady, memory, workspaceId, pathname, search]);
  return null;
}
