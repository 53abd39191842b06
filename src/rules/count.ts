let counts: Intl.NumberFormat | undefined;

/** Formats "2,000". The formatter takes 6 ms to make, and each process and thread of a start loads this file. */
export function formatCount(count: number): string {
  counts ??= new Intl.NumberFormat('en-US');
  return counts.format(count);
}

/** Formats "1 claim", "2,000 claims". */
export const formatCountOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;

/** `1.4 GB`, `350 KB`: decimal units, as disks are sold. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
