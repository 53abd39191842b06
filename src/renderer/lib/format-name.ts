import { listNames } from '../../rules/list-fields.ts';
import { formatPersonName } from '../../rules/person-names.ts';

interface NamedPerson {
  readonly first_name?: unknown;
  readonly middle_name?: unknown;
  readonly last_name?: unknown;
}

/** Returns first, middle and last name of a record in the form of `formatPersonName`, or `otherwise`. */
export function fullNameOf(person: NamedPerson | null | undefined, otherwise = ''): string {
  const sent = [person?.first_name, person?.middle_name, person?.last_name].filter(Boolean).join(' ');
  return formatPersonName(sent) || otherwise;
}

/**
 * The cell of a list with a name for each of a claim's members: the first, and how many more ("Margaret Edwards +1").
 * `format` brings a name into the form that screens show.
 */
export function formatNames(cell: string, format: (name: string) => string = (name) => name): string {
  const [first = '', ...more] = listNames(cell);
  return more.length === 0 ? format(first) : `${format(first)} +${more.length}`;
}
