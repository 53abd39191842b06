import type { Row } from '../../../contract/query.ts';

/** What sets a row apart from what the service has today; null where nothing does. */
export function serviceStatusOf(row: Row): string | null {
  const words = [
    ...(row.archived === true ? ['Archived'] : []),
    ...(typeof row.$missingSince === 'string' ? ['No longer in the service'] : []),
  ];
  const [first, second] = words;
  return first === undefined
    ? null
    : [first, ...(second === undefined ? [] : [second.toLowerCase()])].join(', ');
}
