import { recordsIn } from './decompose.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** Columns of `claims` that are computed from the record, not part of it, in the order of `namesOfClaim`. */
export const claimNameColumns = ['member_names', 'employer_names'] as const;

/** The separator between two names, which no name contains. */
const between = '\t';
/** The separator between the last and the first name of a member. */
const afterLast = '\n';

const clean = (value: JsonValue | undefined): string =>
  typeof value === 'string' && value.isWellFormed()
    ? value.replace(/[\t\n]/g, ' ').replace(/^ +| +$/g, '')
    : '';

/** SQL that cleans one name in a column of names (`member_names`, `employer_names`) like `clean`. */
export const cleanSql = (column: string): string =>
  `trim(replace(replace(coalesce(${column}, ''), char(9), ' '), char(10), ' '))`;

const orNull = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(between));

/**
 * The names of a claim's members, last name first so that they sort by it, and the names of their employers, each
 * employer once. They are in the order of the members; null where there are none. Blank names are left out.
 */
export function namesOfClaim(claim: JsonObject): [members: string | null, employers: string | null] {
  const members = recordsIn(claim.members);
  const names = members.flatMap((member) => {
    const [last, first] = [clean(member.last_name), clean(member.first_name)];
    return last === '' && first === '' ? [] : [`${last}${afterLast}${first}`];
  });
  const employers = members.flatMap(({ employer }) => {
    const name = isJsonObject(employer) ? clean(employer.name) : '';
    return name === '' ? [] : [name];
  });
  return [orNull(names), orNull([...new Set(employers)])];
}

/** Reads one name in such a column as it is shown: first name, last name. */
function readName(stored: string): string {
  const at = stored.indexOf(afterLast);
  const [last, first] = at < 0 ? [stored, ''] : [stored.slice(0, at), stored.slice(at + afterLast.length)];
  return first === '' || last === '' ? first + last : `${first} ${last}`;
}

export const readNames = (stored: string): string[] => stored.split(between).map(readName);

/** Joins the names in such a column into one text. Nearly all have a single name. */
export const joinStoredNames = (stored: string, separator: string): string =>
  stored.includes(between) ? readNames(stored).join(separator) : readName(stored);
