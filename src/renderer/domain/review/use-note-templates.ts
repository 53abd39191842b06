import { findTemplates, toStored } from '../../../contract/note-templates.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';

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
export function useNoteTemplates() {
  const views = useWorkspaceQuery('views:list');
  const save = useWorkspaceMutation('views:save');
  const saveOfTeam = useWorkspaceMutation('team:changeSettings');
  const { id, texts, isOfTeam } = findTemplates(views.data?.views ?? []);
  return {
    texts,
    isOfTeam,
    isReady: views.data !== undefined,
    isSaving: save.isPending || saveOfTeam.isPending,
    error: save.error ?? saveOfTeam.error ?? views.error,
    save: (templates: readonly string[]) =>
      isOfTeam
        ? saveOfTeam.mutate({ changes: [{ setting: 'noteTemplates', value: [...templates] }] })
        : save.mutate({ ...toStored(templates), ...(id === null ? {} : { id }) }),
  };
}
