import { recordsIn } from './decompose.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** Columns of `claims` that are made of the record, in the order of `namesOfClaim`; no part of it as it was sent. */
export const claimNameColumns = ['member_names', 'employer_names'] as const;

/** Stored between two names; a name has none of it. */
const between = '\t';
/** Stored between the last and the first name of a member. */
const afterLast = '\n';

const clean = (value: JsonValue | undefined): string =>
  typeof value === 'string' && value.isWellFormed()
    ? value.replace(/[\t\n]/g, ' ').replace(/^ +| +$/g, '')
    : '';

/** A column of names (`member_names`, `employer_names`) as SQL reads one name: as `clean` does. */
export const cleanSql = (column: string): string =>
  `trim(replace(replace(coalesce(${column}, ''), char(9), ' '), char(10), ' '))`;

const orNull = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(between));

/**
 * The names of a claim's members, last name first so that they sort by it, and of their employers, each employer
 * once; in the order of the members, null where there are none. Blank names are left out.
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

/** The names in such a column, as people read them: first name, last name. */
export function readNames(stored: string): string[] {
  return stored.split(between).map((name) => {
    const [last = '', first = ''] = name.split(afterLast);
    return first === '' || last === '' ? first + last : `${first} ${last}`;
  });
}
