const counts = new Intl.NumberFormat('en-US');

/** "2,000". */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** "1 claim", "2,000 claims". */
export function formatCountOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
