import { type ReviewFact, reviewFactSchema } from '../../../../contract/review.ts';

/** The fact of an event from its JSON text; null: a newer version of Claimdesk wrote it, and it counts for nothing here. */
export function readFact(text: string): ReviewFact | null {
  const { success, data } = reviewFactSchema.safeParse(JSON.parse(text));
  return success ? data : null;
}
