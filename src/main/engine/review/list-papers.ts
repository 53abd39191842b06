import { type Paper, papersOfClaims } from '../../../contract/papers.ts';
import { letterTable } from '../../../rules/letters/letter-kinds.ts';
import { findCurrent } from '../../../rules/letters/letter-said.ts';
import type { Row } from '../../../rules/query.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';

/** The documents of a claim, and its letters; its facts list the kinds of letters that are no longer true. */
function papersOf({ letters, documents }: FoldedReview, row: Row): Paper[] {
  const ofClaim = { claimId: Number(row.id), patient: (row.patient_name ?? null) as string | null };
  const untrue = String(row['facts.letter_untrue'] ?? '').split(', ');
  const current = findCurrent(letters);
  return [
    ...letters.map((made): Paper => {
      const { id, at, author, letter, digest } = made;
      const isUntrue = current.includes(made) && untrue.includes(letterTable[letter].label);
      return { ...ofClaim, id, at, author, letter, document: null, name: null, digest, isUntrue };
    }),
    ...documents.map(
      ({ id, at, author, document, name, sha256 }): Paper => ({
        ...{ ...ofClaim, id, at, author, letter: null, document, name, digest: sha256, isUntrue: false },
      }),
    ),
  ];
}

/**
 * The letters about all claims, or the letters and documents of a member's claims, the newest first. `isWhole` is false
 * where there are more than `claims` claims; then they are those of the claims with the newest letters, or of the
 * newest claims.
 */
export async function listPapers(
  ports: ReviewPorts,
  workspaceId: string,
  memberId: number | null,
  claims: number = papersOfClaims,
) {
  const [store, userData] = await Promise.all([ports.getStore(workspaceId), ports.getUserData(workspaceId)]);
  if (!userData.isThere()) return { papers: [], isWhole: true };
  const { rows } = await store.read('readFirst', {
    query: {
      entity: 'claims',
      conditions: [
        memberId === null
          ? { field: 'review.letter', operator: 'isNotEmpty', values: [] }
          : { field: 'members.id', operator: 'is', values: [memberId] },
      ],
      sort: [{ field: memberId === null ? 'review.letter_day' : 'date_of_service', direction: 'desc' }],
      includesMissing: true,
    },
    limit: claims + 1,
    fields: ['id', 'patient_name', 'facts.letter_untrue'],
  });
  const byId = new Map(rows.slice(0, claims).map((row) => [Number(row.id), row]));
  const ids = [...byId.keys()];
  const papers: Paper[] = [];
  for (let at = 0; at < ids.length; at += readAtOnce) {
    const claimIds = ids.slice(at, at + readAtOnce);
    for (const review of await userData.call('foldReviews', { workspaceId, claimIds }))
      papers.push(...papersOf(review, byId.get(review.claimId) as Row));
  }
  const listed = memberId === null ? papers.filter(({ letter }) => letter !== null) : papers;
  return { papers: listed.sort((a, b) => (a.at < b.at ? 1 : -1)), isWhole: rows.length <= claims };
}
