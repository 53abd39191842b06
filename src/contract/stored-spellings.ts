import { z } from 'zod';
import type { Spellings } from '../rules/review/spellings.ts';
import type { SavedView } from './store.ts';

/** The saved view that stores the spellings, so that they are encrypted: they may name individuals. */
export const spellingsName = '$spellings';
const text = z.string().min(1).max(200);
const storedSchema = z.object({
  version: z.literal(1),
  kind: z.literal('spellings'),
  /** Each name as written and as shown; both are the same where two names are kept apart. */
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
  const view = stored.find(({ isOfTeam }) => isOfTeam === true) ?? stored[0];
  if (view === undefined) return { id: null, spellings: new Map(), isReadable: true };
  try {
    const { pairs } = storedSchema.parse(JSON.parse(view.query));
    return { id: view.id, spellings: new Map(pairs), isReadable: true };
  } catch {
    return { id: view.id, spellings: new Map(), isReadable: false };
  }
}

/** Returns spellings in the form that `views:save` needs. */
export const toStoredSpellings = (spellings: Spellings) => ({
  name: spellingsName,
  query: JSON.stringify({ version: 1, kind: 'spellings', pairs: [...spellings] }),
});
