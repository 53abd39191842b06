import { useMemo } from 'react';
import type { ViewContent } from '../../../contract/views.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { type NamedView, namedViews } from './saved-views.ts';

/** The saved views of a workspace and the operations on them. */
export function useSavedViews(workspaceId: string, isOn = true) {
  const answer = useDeskQuery('views:list', { workspaceId }, { enabled: isOn });
  const save = useDeskMutation('views:save');
  const remove = useDeskMutation('views:remove');
  const views = useMemo(() => namedViews(answer.data?.views ?? []), [answer.data]);
  const put = (name: string, content: ViewContent, id?: string) =>
    save.mutateAsync({
      workspaceId,
      name,
      query: JSON.stringify(content),
      ...(id === undefined ? {} : { id }),
    });
  return {
    views,
    error: save.error ?? remove.error ?? answer.error,
    isBusy: save.isPending || remove.isPending,
    put,
    rename: (view: NamedView, name: string) => put(name, view.content, view.id),
    pin: (view: NamedView, isPinned: boolean) => put(view.name, { ...view.content, isPinned }, view.id),
    remove: (view: NamedView) => remove.mutateAsync({ workspaceId, id: view.id }),
  };
}
