/** Ranges of row indexes with inclusive ends: sorted, without overlaps, and merged where they touch. */
export type RowRanges = readonly (readonly [first: number, last: number])[];

export const noRows: RowRanges = [];

export function addRows(ranges: RowRanges, first: number, last: number): RowRanges {
  const [from, to] = first <= last ? [first, last] : [last, first];
  const before = ranges.filter(([, end]) => end < from - 1);
  const after = ranges.filter(([start]) => start > to + 1);
  const touched = ranges.filter(([start, end]) => end >= from - 1 && start <= to + 1);
  const start = Math.min(from, touched[0]?.[0] ?? from);
  const end = Math.max(to, touched.at(-1)?.[1] ?? to);
  return [...before, [start, end], ...after];
}

export function removeRows(ranges: RowRanges, first: number, last: number): RowRanges {
  const [from, to] = first <= last ? [first, last] : [last, first];
  return ranges.flatMap(([start, end]) => {
    if (end < from || start > to) return [[start, end] as const];
    const left = start < from ? [[start, from - 1] as const] : [];
    const right = end > to ? [[to + 1, end] as const] : [];
    return [...left, ...right];
  });
}

export const hasRow = (ranges: RowRanges, row: number): boolean =>
  ranges.some(([first, last]) => first <= row && row <= last);

export const countRows = (ranges: RowRanges): number =>
  ranges.reduce((count, [first, last]) => count + last - first + 1, 0);

/** Splits ranges into windows of at most this many rows; close ranges share a window. */
export function windowsOf(ranges: RowRanges, maxRows: number): { offset: number; limit: number }[] {
  const windows: { offset: number; limit: number }[] = [];
  for (const [first, last] of ranges) {
    for (let offset = first; offset <= last; offset += maxRows) {
      const limit = Math.min(maxRows, last - offset + 1);
      const before = windows.at(-1);
      if (before !== undefined && offset + limit - before.offset <= maxRows) {
        before.limit = offset + limit - before.offset;
      } else windows.push({ offset, limit });
    }
  }
  return windows;
}
