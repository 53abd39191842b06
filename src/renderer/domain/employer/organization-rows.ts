import type { Totals } from '../../../contract/query.ts';

/** An employer or a tenant with what it comes to. */
export interface OrganizationRow {
  readonly id: number;
  readonly name: string | null;
  readonly members: number;
  readonly archivedMembers: number;
  /** Of a tenant. */
  readonly employers?: number;
  readonly claims: Totals;
}

export type OrganizationOrder = 'name' | 'members' | 'employers' | 'count' | 'billed' | 'paid';

type Value = bigint | string | null;

function sortValueOf(row: OrganizationRow, by: OrganizationOrder): Value {
  switch (by) {
    case 'name':
      return row.name?.toLowerCase() ?? null;
    case 'members':
      return BigInt(row.members - row.archivedMembers);
    case 'employers':
      return BigInt(row.employers ?? 0);
    case 'count':
      return BigInt(row.claims.count);
    default: {
      const sum = row.claims[by];
      return sum === null ? null : BigInt(sum);
    }
  }
}

/** Those whose name has every word that was typed, the names that begin with it first. */
export function findOrganizations<R extends Pick<OrganizationRow, 'id' | 'name'>>(
  rows: readonly R[],
  typed: string,
  most: number,
): R[] {
  const wanted = typed.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const isBehind = ({ name }: R) => (name?.toLowerCase().startsWith(wanted) ? 0 : 1);
  return rows
    .filter(({ name }) => name !== null && words.every((word) => name.toLowerCase().includes(word)))
    .sort(
      (left, right) =>
        isBehind(left) - isBehind(right) ||
        (left.name ?? '').localeCompare(right.name ?? '') ||
        left.id - right.id,
    )
    .slice(0, most);
}

/** Rows whose name or id holds the text, in the wanted order; what has no value comes last, ties by id. */
export function arrangeOrganizations(
  rows: readonly OrganizationRow[],
  options: { readonly search: string; readonly by: OrganizationOrder; readonly isDescending: boolean },
): OrganizationRow[] {
  const wanted = options.search.trim().toLowerCase();
  const direction = options.isDescending ? -1 : 1;
  return rows
    .filter((row) => `${row.name ?? ''} ${row.id}`.toLowerCase().includes(wanted))
    .sort((left, right) => {
      const [a, b] = [sortValueOf(left, options.by), sortValueOf(right, options.by)];
      if (a === b) return left.id - right.id;
      if (a === null) return 1;
      if (b === null) return -1;
      return (a < b ? -1 : 1) * direction;
    });
}
