import { z } from 'zod';
import type { Spellings } from '../rules/review/spellings.ts';
import type { SavedView } from './store.ts';

/** Stored as a saved view, so that they are encrypted: a claim may wait on a person. */
export const spellingsName = '$spellings';
const text = z.string().min(1).max(200);
const storedSchema = z.object({
  version: z.literal(1),
  kind: z.literal('spellings'),
  /** What was written, and what is shown for it; the same where two names are kept apart. */
  pairs: z.array(z.tuple([text, text])).max(1_000),
});

/** The spellings of a workspace, or of its team; those that this version cannot read are ignored. */
export function findSpellings(views: readonly SavedView[]): { id: string | null; spellings: Spellings } {
  const stored = views.filter(({ name }) => name === spellingsName);
  const found = stored.find(({ isOfTeam }) => isOfTeam === true) ?? stored[0];
  if (found === undefined) return { id: null, spellings: new Map() };
  try {
    return { id: found.id, spellings: new Map(storedSchema.parse(JSON.parse(found.query)).pairs) };
  } catch {
    return { id: found.id, spellings: new Map() };
  }
}

/** These spellings in the form that `views:save` needs. */
export const toStoredSpellings = (spellings: Spellings) => ({
  name: spellingsName,
  query: JSON.stringify({ version: 1, kind: 'spellings', pairs: [...spellings] }),
});
