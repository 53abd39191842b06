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
  pairs: z.array(z.tuple([text, text])),
});

interface FoundSpellings {
  /** The view that has them; null: none yet. */
  readonly id: string | null;
  readonly spellings: Spellings;
  /** False for those of a newer version: they are not applied, and must not be replaced. */
  readonly isReadable: boolean;
}

/** The spellings of a workspace, or of its team. */
export function findSpellings(views: readonly SavedView[]): FoundSpellings {
  const stored = views.filter(({ name }) => name === spellingsName);
  const found = stored.find(({ isOfTeam }) => isOfTeam === true) ?? stored[0];
  if (found === undefined) return { id: null, spellings: new Map(), isReadable: true };
  try {
    const { pairs } = storedSchema.parse(JSON.parse(found.query));
    return { id: found.id, spellings: new Map(pairs), isReadable: true };
  } catch {
    return { id: found.id, spellings: new Map(), isReadable: false };
  }
}

/** Returns spellings in the form that `views:save` needs. */
export const toStoredSpellings = (spellings: Spellings) => ({
  name: spellingsName,
  query: JSON.stringify({ version: 1, kind: 'spellings', pairs: [...spellings] }),
});
