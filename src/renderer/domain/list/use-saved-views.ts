import { useMemo } from 'react';
import { toViewFile, type ViewContent } from '../../../contract/views.ts';
import type { TeamChange } from '../../../rules/review/team-settings.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { type NamedView, namedViews } from './view-settings.ts';

/** The saved views of a workspace and the operations on them. */
export function useSavedViews(isOn = true) {
  const answer = useWorkspaceQuery('views:list', {}, { enabled: isOn });
  const save = useWorkspaceMutation('views:save');
  const remove = useWorkspaceMutation('views:remove');
  const views = useMemo(() => namedViews(answer.data?.views ?? []), [answer.data]);
  const changeTeam = useWorkspaceMutation('team:changeSettings');
  const putOwn = (name: string, content: ViewContent, id?: string) =>
    save.mutateAsync({ name, query: JSON.stringify(content), ...(id === undefined ? {} : { id }) });
  /** Shares a view without filters that name an individual, because colleagues may have other rights. */
  const toTeam = (name: string, content: ViewContent): TeamChange => ({
    setting: 'view',
    name,
    value: JSON.stringify({ ...content, view: toViewFile(name, content).view }),
  });
  const putTeam = async (changes: TeamChange[]): Promise<void> => {
    await changeTeam.mutateAsync({ changes });
  };
  const putView = async (view: NamedView, name: string, content: ViewContent): Promise<{ name: string }> => {
    if (!view.isOfTeam) return putOwn(name, content, view.id);
    const removed: TeamChange[] = name === view.name ? [] : [{ setting: 'view', name: view.name }];
    await putTeam([...removed, toTeam(name, content)]);
    return { name };
  };
  const removeOwn = (id: string) => remove.mutateAsync({ id });
  return {
    views,
    error: save.error ?? remove.error ?? changeTeam.error ?? answer.error,
    isBusy: save.isPending || remove.isPending || changeTeam.isPending,
    put: putOwn,
    change: (view: NamedView, content: ViewContent) => putView(view, view.name, content),
    rename: (view: NamedView, name: string) => putView(view, name, view.content),
    pin: (view: NamedView, isPinned: boolean) => putView(view, view.name, { ...view.content, isPinned }),
    remove: async (view: NamedView): Promise<void> => {
      if (view.isOfTeam) await putTeam([{ setting: 'view', name: view.name }]);
      else await removeOwn(view.id);
    },
    /** Makes an own view one of the team, or the other way round. */
    async share(view: NamedView, isOfTeam: boolean): Promise<void> {
      if (isOfTeam) {
        await putTeam([toTeam(view.name, view.content)]);
        await removeOwn(view.id);
      } else {
        await putOwn(view.name, view.content);
        await putTeam([{ setting: 'view', name: view.name }]);
      }
    },
  };
}
