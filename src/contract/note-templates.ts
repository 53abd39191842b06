import { z } from 'zod';
import type { SavedView } from './store.ts';

/** Common texts, offered until a workspace has its own. */
export const usualTemplates: readonly string[] = [
  'Asked the member for an itemized receipt.',
  'Asked the carrier for the split of patient responsibility.',
  'Called the provider: ',
  'EOB received and checked.',
  'Paid with the card. Receipt matches.',
];

/** The saved view that stores the templates, so that they are encrypted: they may name individuals. */
export const templatesName = '$noteTemplates';
const storedSchema = z.object({
  version: z.literal(1),
  kind: z.literal('noteTemplates'),
  texts: z.array(z.string().max(10_000)).max(100),
});

/** The templates of a workspace; templates that this version cannot read are ignored. */
export function findTemplates(views: readonly SavedView[]): {
  id: string | null;
  texts: readonly string[];
  isOfTeam: boolean;
} {
  const view = views.find(({ name }) => name === templatesName);
  if (view === undefined) return { id: null, texts: usualTemplates, isOfTeam: false };
  const { id, isOfTeam = false } = view;
  try {
    return { id, isOfTeam, texts: storedSchema.parse(JSON.parse(view.query)).texts };
  } catch {
    return { id, isOfTeam, texts: usualTemplates };
  }
}

/** Returns these templates in the form that `views:save` needs. */
export const toStored = (texts: readonly string[]) => ({
  name: templatesName,
  query: JSON.stringify({ version: 1, kind: 'noteTemplates', texts }),
});
