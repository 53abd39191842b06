import type { PaymentKind } from '../../../rules/money/reimbursement.ts';
import { readFact } from '../../../rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../rules/review/folded-review.ts';
import type { ReviewImport } from '../../../rules/review/review.ts';
import type { AddedEntry, ReviewEntry } from '../store/user-data/reviews.ts';
import type { CheckedFile, FiledEvent } from './check-file.ts';
import type { ReadCertificate } from './signed-entry.ts';

type Person = ReviewImport['people'][number];

/** At most this many claims of a person are named by ID. */
const maxNamed = 200;

/** What is paid of a claim by an event, in ten-thousandths of a dollar, at most the largest safe integer. */
function paidBy({ fact, claims }: ReviewEntry, claimIds: ReadonlySet<number>) {
  const read = readFact(fact);
  if (read?.kind !== 'payment') return null;
  const amounts = claims.flatMap(([claimId, , , detail]) => {
    if (!claimIds.has(claimId)) return [];
    if (read.amount !== null) return [read.amount];
    const { payments = [] } = (detail === null ? {} : JSON.parse(detail)) as ReviewDetail;
    return payments.map(({ amount }) => amount);
  });
  return { payment: read.payment, amounts };
}

const makeCounts = () => ({
  events: 0,
  byKind: {} as Record<string, number>,
  claims: new Set<number>(),
  further: new Set<number>(),
  /** Events by the fingerprint of the SSH key behind their signature; '' for those without. */
  signed: new Map<string, number>(),
  paid: new Map<PaymentKind, Omit<Person['paid'][number], 'payment'>>(),
});

/**
 * Counts what the entries of a file added: by person and kind, with claims and payments. `known`: the certificates that
 * were here before.
 */
export function createImportReport(
  { events, leftOut }: CheckedFile,
  ownAuthor: string,
  known: readonly Pick<ReadCertificate, 'email' | 'signer'>[],
) {
  const people = new Map<string, ReturnType<typeof makeCounts>>();
  const claimIds = new Set<number>();
  const added = new Set<string>();
  const byKind: Record<string, number> = {};
  return {
    claimIds,
    /** Entries of the file, and what the store added of each. */
    add(entries: readonly ReviewEntry[], of: readonly AddedEntry[]): void {
      for (const [index, entry] of entries.entries()) {
        const { isNew, claimIds: given } = of[index] as AddedEntry;
        if (!isNew && given.length === 0) continue;
        const { kind, author, signer } = events.get(entry.id) as FiledEvent;
        const person = people.get(author) ?? makeCounts();
        people.set(author, person);
        if (isNew) {
          added.add(entry.id);
          person.events += 1;
          const fingerprint = signer?.fingerprint ?? '';
          person.signed.set(fingerprint, (person.signed.get(fingerprint) ?? 0) + 1);
          for (const counts of [person.byKind, byKind]) counts[kind] = (counts[kind] ?? 0) + 1;
        }
        for (const claimId of given) {
          claimIds.add(claimId);
          person.claims.add(claimId);
          if (!added.has(entry.id)) person.further.add(claimId);
        }
        const paid = paidBy(entry, new Set(given));
        if (paid === null) continue;
        const { payments = 0, amount = 0 } = person.paid.get(paid.payment) ?? {};
        person.paid.set(paid.payment, {
          payments: payments + paid.amounts.length,
          amount: Math.min(
            paid.amounts.reduce((sum, part) => sum + part, amount),
            Number.MAX_SAFE_INTEGER,
          ),
        });
      }
    },
    read(): Omit<ReviewImport, 'known' | 'unknownClaims' | 'removedClaims' | 'ownClaimsLeftOut'> {
      const acts = new Map<string, ReviewImport['actsLeftOut'][number]>();
      for (const id of leftOut) {
        const { author, kind } = events.get(id) as FiledEvent;
        const name = `${kind} ${author}`;
        acts.set(name, { author, kind, events: (acts.get(name)?.events ?? 0) + 1 });
      }
      return {
        events: added.size,
        byKind,
        claims: claimIds.size,
        people: [...people]
          .map(([author, { claims, further, signed, paid, ...counts }]) => ({
            author,
            isYou: author === ownAuthor,
            ...counts,
            claims: claims.size,
            furtherClaims: further.size,
            claimIds: [...claims].slice(0, maxNamed),
            notSigned: signed.get('') ?? 0,
            keys: [...signed.keys()].filter(Boolean).map((fingerprint) => ({
              fingerprint,
              isKnown: known.some(
                ({ email, signer }) => email === author && signer.fingerprint === fingerprint,
              ),
            })),
            paid: [...paid].map(([payment, sums]) => ({ payment, ...sums })),
          }))
          .sort((a, b) => b.events - a.events || (a.author < b.author ? -1 : 1)),
        actsLeftOut: [...acts.values()],
      };
    },
  };
}
