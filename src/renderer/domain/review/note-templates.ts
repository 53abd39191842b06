import { z } from 'zod';
import type { SavedView } from '../../../contract/store.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** Common texts, offered until a workspace has its own. */
export const usualTemplates: readonly string[] = [
  'Asked the member for an itemized receipt.',
  'Asked the carrier for the split of patient responsibility.',
  'Called the provider: ',
  'EOB received and checked.',
  'Paid with the card. Receipt matches.',
];

/** Stored as a saved view, so that they are encrypted: a template may name a person. */
const storedName = '$noteTemplates';
const storedSchema = z.object({
  version: z.literal(1),
  kind: z.literal('noteTemplates'),
  texts: z.array(z.string().max(10_000)).max(100),
});

/** One template per line; blank lines are ignored. A space at the end is kept, for text that is typed after it. */
export const readTemplates = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '');

/** The templates of a workspace; templates that this version cannot read are ignored. */
export function findTemplates(views: readonly SavedView[]): { id: string | null; texts: readonly string[] } {
  const found = views.find(({ name }) => name === storedName);
  if (found === undefined) return { id: null, texts: usualTemplates };
  try {
    return { id: found.id, texts: storedSchema.parse(JSON.parse(found.query)).texts };
  } catch {
    return { id: found.id, texts: usualTemplates };
  }
}

/** These templates in the form that `views:save` needs. */
export const toStored = (texts: readonly string[]) => ({
  name: storedName,
  query: JSON.stringify({ version: 1, kind: 'noteTemplates', texts }),
});

/**
 * The note templates of a workspace on this computer, and a function to change them. They are not part of a reviews
 * file.
 */
export function useNoteTemplates(workspaceId: string) {
  const views = useDeskQuery('views:list', { workspaceId });
  const save = useDeskMutation('views:save');
  const { id, texts } = findTemplates(views.data?.views ?? []);
  return {
    texts,
    isReady: views.data !== undefined,
    isSaving: save.isPending,
    error: save.error ?? views.error,
    save: (wanted: readonly string[]) =>
      save.mutate({ workspaceId, ...toStored(wanted), ...(id === null ? {} : { id }) }),
  };
}
