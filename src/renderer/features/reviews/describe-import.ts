import type { Output } from '../../../contract/procedures.ts';
import { paymentLabels } from '../../../contract/review-labels.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';
import { formatCountOf } from '../../lib/format-value.ts';

type Report = Output<'reviews:import'>;
type Person = Report['people'][number];

const kindLabels: Readonly<Record<string, readonly [one: string, many?: string]>> = {
  decision: ['decision'],
  accept: ['accepted change'],
  check: ['quality check'],
  note: ['note'],
  editNote: ['edited note'],
  deleteNote: ['deleted note'],
  tag: ['change of tags', 'changes of tags'],
  flag: ['flag'],
  owner: ['change of owner', 'changes of owner'],
  reminder: ['reminder'],
  payment: ['payment'],
  judgeDuplicate: ['checked duplicate'],
  undo: ['undo', 'undone acts'],
  reopened: ['reopened review'],
  newer: ['entry by a newer version of Claimdesk', 'entries by a newer version of Claimdesk'],
};

function countKind(kind: string, count: number): string {
  const [one, many] = kindLabels[kind] ?? [kind];
  return formatCountOf(count, one, many);
}

/** How many claims are named by ID before the rest is counted. */
const namedClaims = 10;

function listClaims({ claims, claimIds }: Person): string {
  const named = claimIds.slice(0, namedClaims);
  const more = claims > named.length ? ` and ${claims - named.length} more` : '';
  return `${formatCountOf(claims, 'claim')} (${named.join(', ')}${more})`;
}

/** What a person in the file did: name, and counts of each kind, with payments and claims. */
export function describePerson(person: Person): [string, string] {
  const { author, isYou, byKind, furtherClaims, paid } = person;
  const parts = Object.entries(byKind).map(([kind, count]) => countKind(kind, count));
  if (furtherClaims > 0) parts.push(`${formatCountOf(furtherClaims, 'claim')} added to entries already here`);
  const sums = paid.map(({ payment, amount }) => `${paymentLabels[payment]} ${formatTenThousandths(amount)}`);
  return [
    isYou ? `You (${author}), not on this computer` : author,
    `${[parts.join(', '), ...sums].join('; ')}; on ${listClaims(person)}`,
  ];
}

/** What of the file was left out, because it would change what others wrote, or what was made here; null: nothing. */
export function describeLeftOut({ actsLeftOut, ownClaimsLeftOut }: Report): string | null {
  const parts = actsLeftOut.map(({ author, kind, events }) => `${countKind(kind, events)} by ${author}`);
  if (ownClaimsLeftOut > 0)
    parts.push(`${formatCountOf(ownClaimsLeftOut, 'claim')} of reviews made on this computer`);
  if (parts.length === 0) return null;
  return `Left out, because only their author can change reviews, and those made on this computer change only here: ${parts.join(', ')}.`;
}
