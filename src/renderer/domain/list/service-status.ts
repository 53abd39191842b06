import type { Row } from '../../../rules/query.ts';

/** How a row differs from what the service has today; null where it does not. */
export function serviceStatusOf(row: Row): string | null {
  const labels = [
    ...(row.archived === true ? ['Archived'] : []),
    ...(typeof row.$missingSince === 'string' ? ['No longer in the service'] : []),
  ];
  const [first, second] = labels;
  return first === undefined
    ? null
    : [first, ...(second === undefined ? [] : [second.toLowerCase()])].join(', ');
}
