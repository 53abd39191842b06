import type { Row } from '../../contract/query.ts';

/** What sets a row apart from what the service has today; null where nothing does. */
export function standingOf(row: Row): string | null {
  const words = [
    ...(row.archived === true ? ['Archived'] : []),
    ...(typeof row.$goneSince === 'string' ? ['No longer returned'] : []),
  ];
  const [first, second] = words;
  return first === undefined
    ? null
    : [first, ...(second === undefined ? [] : [second.toLowerCase()])].join(', ');
}
