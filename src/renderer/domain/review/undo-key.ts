import { useHotkeys } from '@mantine/hooks';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { ReviewEvent } from '../../../rules/review/review.ts';
import { worklistIds } from '../../../rules/worklists/worklist-table.ts';
import { takePress } from '../../lib/presses.ts';
import { isForDialog } from '../../lib/shortcuts.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { type ListMemory, useListMemory } from '../list/list-memory.tsx';
import { type ListRef, parseListRef, worklistClaimsList } from '../list/list-ref.ts';
import { findUndoRoute } from './undo-route.ts';
import { useUndoNewest } from './use-undo.ts';

/** The list on screen, or the list that the record on screen was opened from, and the current row. */
function findListOnShow(
  memory: ListMemory,
  workspaceId: string,
  { pathname, search }: { pathname: string; search: object },
): ListRef {
  if (/^\/claims\/\d+/.test(pathname)) return parseListRef({ ...search });
  const worklist = worklistIds.find((id) => pathname === `/worklists/${id}`);
  const list =
    worklist === undefined ? (pathname === '/claims' ? 'claims' : null) : worklistClaimsList(worklist);
  if (list === null) return {};
  const at = memory.find(workspaceId, list)?.focus?.row;
  return { list, ...(at === undefined ? {} : { at }) };
}

/** The same list with the row of a claim; without a row where the claim is not nearby. */
async function findInList(
  memory: ListMemory,
  workspaceId: string,
  claimId: number,
  { list, at = 0 }: ListRef,
): Promise<ListRef> {
  const source = list === undefined ? undefined : memory.find(workspaceId, list)?.source;
  if (list === undefined || source === undefined) return {};
  const row = await source.findNear(claimId, at).catch(() => null);
  return row === null ? { list } : { list, at: row };
}

/** Shows what was undone: the claim, the judged pair or, for many claims, their list. */
function useGoToUndone() {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const navigate = useNavigate();
  const memory = useListMemory();
  return async (event: ReviewEvent): Promise<void> => {
    const route = findUndoRoute(event);
    if (route === null) return;
    if (route.kind === 'worklist') {
      const { id, filter } = route;
      memory.narrow(workspaceId, worklistClaimsList(id), filter, new Map());
      return navigate({ to: '/worklists/$worklistId', params: { worklistId: id } });
    }
    if (route.kind === 'claims') {
      memory.narrow(workspaceId, 'claims', route.filter, new Map());
      return navigate({ to: '/claims' });
    }
    if (route.kind === 'member')
      return navigate({ to: '/members/$memberId', params: { memberId: route.memberId } });
    const { claimId, kind } = route;
    const onShow = router.state.location;
    const to = kind === 'claim' ? '/claims/$claimId' : '/claims/$claimId/duplicates';
    if (onShow.pathname === to.replace('$claimId', String(claimId))) return;
    const search = await findInList(
      memory,
      workspaceId,
      claimId,
      findListOnShow(memory, workspaceId, onShow),
    );
    const replace = onShow.pathname.startsWith('/claims/');
    return navigate({ to, params: { claimId }, search, replace });
  };
}

/** Undoes by Ctrl+Z, Command+Z on a Mac; not in text fields, where these keys undo typing. */
export function UndoKey() {
  const undoing = useUndoNewest();
  const goTo = useGoToUndone();
  useHotkeys([
    [
      'mod+Z',
      (event) =>
        !isForDialog(event) &&
        takePress() &&
        undoing.mutate(undefined, { onSuccess: (undone) => undone !== null && void goTo(undone) }),
    ],
  ]);
  return null;
}
