import { findTemplates, toStored } from '../../../contract/note-templates.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** One template per line; blank lines are ignored. A space at the end is kept, for text that is typed after it. */
export const readTemplates = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '');

/**
 * The note templates of a workspace on this computer, and a function to change them. They are not part of a reviews
 * file.
 */
export function useNoteTemplates(workspaceId: string) {
  const views = useDeskQuery('views:list', { workspaceId });
  const save = useDeskMutation('views:save');
  const saveOfTeam = useDeskMutation('team:changeSettings');
  const { id, texts, isOfTeam } = findTemplates(views.data?.views ?? []);
  return {
    texts,
    isOfTeam,
    isReady: views.data !== undefined,
    isSaving: save.isPending || saveOfTeam.isPending,
    error: save.error ?? saveOfTeam.error ?? views.error,
    save: (templates: readonly string[]) =>
      isOfTeam
        ? saveOfTeam.mutate({ workspaceId, changes: [{ setting: 'noteTemplates', value: [...templates] }] })
        : save.mutate({ workspaceId, ...toStored(templates), ...(id === null ? {} : { id }) }),
  };
}
