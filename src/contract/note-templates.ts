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

/** Stored as a saved view, so that they are encrypted: a template may name a person. */
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
  const found = views.find(({ name }) => name === templatesName);
  if (found === undefined) return { id: null, texts: usualTemplates, isOfTeam: false };
  const { id, isOfTeam = false } = found;
  try {
    return { id, isOfTeam, texts: storedSchema.parse(JSON.parse(found.query)).texts };
  } catch {
    return { id, isOfTeam, texts: usualTemplates };
  }
}

/** These templates in the form that `views:save` needs. */
export const toStored = (texts: readonly string[]) => ({
  name: templatesName,
  query: JSON.stringify({ version: 1, kind: 'noteTemplates', texts }),
});
