import type { Output } from '../../../contract/procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { findKind } from '../../../rules/review/event-kinds.ts';
import { paymentLabels } from '../../../rules/review/review-labels.ts';

type Report = Output<'reviews:import'>;
type Person = Report['people'][number];

const ofNewer = ['entry by a newer version of Claimdesk', 'entries by a newer version of Claimdesk'] as const;

function countKind(kind: string, count: number): string {
  const [singular, plural] = findKind(kind)?.counted ?? ofNewer;
  return formatCountOf(count, singular, plural);
}

/** How many claims are named by ID before the rest is counted. */
const namedClaims = 10;

function listClaims({ claims, claimIds }: Person): string {
  const named = claimIds.slice(0, namedClaims);
  const more = claims > named.length ? ` and ${claims - named.length} more` : '';
  return `${formatCountOf(claims, 'claim')} (${named.join(', ')}${more})`;
}

/** Describes what an author did in the file: name, and counts of each kind, with payments and claims. */
export function describePerson(person: Person): [string, string] {
  const { author, isYou, byKind, furtherClaims, paid, notSigned, keys } = person;
  const parts = Object.entries(byKind).map(([kind, count]) => countKind(kind, count));
  if (furtherClaims > 0) parts.push(`${formatCountOf(furtherClaims, 'claim')} added to entries already here`);
  const signatures = keys.map(({ fingerprint, isKnown }) =>
    isKnown
      ? `signed with the same key as before, ${fingerprint}`
      : `signed with a key new here, ${fingerprint}`,
  );
  if (notSigned > 0) signatures.push(keys.length === 0 ? 'not signed' : `${notSigned} not signed`);
  const sums = paid.map(({ payment, amount }) => `${paymentLabels[payment]} ${formatTenThousandths(amount)}`);
  return [
    isYou ? `You (${author}), not on this computer` : author,
    [
      parts.join(', '),
      ...sums,
      ...(person.claims === 0 ? [] : [`on ${listClaims(person)}`]),
      ...signatures,
    ].join('; '),
  ];
}

/** Describes what to verify before relying on the names in a file; null: nothing. */
export function describeDoubt({ people }: Report): string | null {
  const isAny = (has: (person: Person) => boolean): boolean => people.some(has);
  const doubts = [
    ...(isAny(({ keys }) => keys.some(({ isKnown }) => !isKnown))
      ? [
          'Compare the fingerprint of a key that is new here with the one on that person’s page of the key (Settings, Connection, Keys).',
        ]
      : []),
    ...(isAny(({ notSigned }) => notSigned > 0)
      ? ['The file’s author chose the names of unsigned entries. Check them with the sender.']
      : []),
  ];
  return doubts.length === 0 ? null : doubts.join(' ');
}

/** Lists what an import left out, as it would change entries of others or those made here; null: nothing. */
export function describeLeftOut({ actsLeftOut, ownClaimsLeftOut }: Report): string | null {
  const parts = actsLeftOut.map(({ author, kind, events }) => `${countKind(kind, events)} by ${author}`);
  if (ownClaimsLeftOut > 0)
    parts.push(`${formatCountOf(ownClaimsLeftOut, 'claim')} of reviews made on this computer`);
  if (parts.length === 0) return null;
  return `Left out, because only their author can change reviews, and those made on this computer change only here: ${parts.join(', ')}.`;
}
