import type { Output } from '../../../contract/procedures.ts';
import { editDistance } from '../../../rules/edit-distance.ts';

/** An employer, or a tenant with its number of employers. */
export type OrganizationRow = Output<'records:listEmployers'>['employers'][number] & { employers?: number };

export type OrganizationOrder = 'name' | 'members' | 'employers' | 'count' | 'billed' | 'paid';

type Value = bigint | string | null;

function sortValueOf(row: OrganizationRow, order: OrganizationOrder): Value {
  switch (order) {
    case 'name':
      return row.name?.toLowerCase() ?? null;
    case 'members':
      return BigInt(row.members - row.archivedMembers);
    case 'employers':
      return BigInt(row.employers ?? 0);
    case 'count':
      return BigInt(row.claims.count);
    default: {
      const sum = row.claims[order];
      return sum === null ? null : BigInt(sum);
    }
  }
}

/** Whether a word of the name is spelled like the typed one: one letter is wrong, in a long word two. */
function hasWordLike(name: string, typed: string): boolean {
  if (typed.length < 4 || /\d/.test(typed)) return false;
  const limit = typed.length < 7 ? 1 : 2;
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => editDistance(word, typed, limit) <= limit);
}

/**
 * Organizations whose name contains every typed word, those first that begin with the text; where there are none, those
 * whose names are spelled like it.
 */
export function findOrganizations<R extends Pick<OrganizationRow, 'id' | 'name'>>(
  rows: readonly R[],
  typed: string,
  limit: number,
): R[] {
  const search = typed.trim().toLowerCase();
  const words = search.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const isBehind = ({ name }: R) => (name?.toLowerCase().startsWith(search) ? 0 : 1);
  const findBy = (isIn: (name: string, word: string) => boolean): R[] =>
    rows.filter(({ name }) => name !== null && words.every((word) => isIn(name.toLowerCase(), word)));
  const containing = findBy((name, word) => name.includes(word));
  const matches =
    containing.length > 0
      ? containing
      : findBy((name, word) => name.includes(word) || hasWordLike(name, word));
  return matches
    .sort(
      (left, right) =>
        isBehind(left) - isBehind(right) ||
        (left.name ?? '').localeCompare(right.name ?? '') ||
        left.id - right.id,
    )
    .slice(0, limit);
}

/** Rows whose name or ID contains the text, in the requested order; rows without a value come last, ties by ID. */
export function arrangeOrganizations(
  rows: readonly OrganizationRow[],
  options: { readonly search: string; readonly by: OrganizationOrder; readonly isDescending: boolean },
): OrganizationRow[] {
  const searchText = options.search.trim().toLowerCase();
  const direction = options.isDescending ? -1 : 1;
  return rows
    .filter((row) => `${row.name ?? ''} ${row.id}`.toLowerCase().includes(searchText))
    .sort((left, right) => {
      const [a, b] = [sortValueOf(left, options.by), sortValueOf(right, options.by)];
      if (a === b) return left.id - right.id;
      if (a === null) return 1;
      if (b === null) return -1;
      return (a < b ? -1 : 1) * direction;
    });
}
