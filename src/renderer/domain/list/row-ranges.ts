/** Places of a list, as ranges with both ends: sorted, apart, and never touching. */
export type Places = readonly (readonly [first: number, last: number])[];

export const noPlaces: Places = [];

export function addPlaces(places: Places, first: number, last: number): Places {
  const [from, to] = first <= last ? [first, last] : [last, first];
  const before = places.filter(([, end]) => end < from - 1);
  const after = places.filter(([start]) => start > to + 1);
  const touched = places.filter(([start, end]) => end >= from - 1 && start <= to + 1);
  const start = Math.min(from, touched[0]?.[0] ?? from);
  const end = Math.max(to, touched.at(-1)?.[1] ?? to);
  return [...before, [start, end], ...after];
}

export function removePlaces(places: Places, first: number, last: number): Places {
  const [from, to] = first <= last ? [first, last] : [last, first];
  return places.flatMap(([start, end]) => {
    if (end < from || start > to) return [[start, end] as const];
    const left = start < from ? [[start, from - 1] as const] : [];
    const right = end > to ? [[to + 1, end] as const] : [];
    return [...left, ...right];
  });
}

export function hasPlace(places: Places, place: number): boolean {
  return places.some(([first, last]) => first <= place && place <= last);
}

export function countPlaces(places: Places): number {
  return places.reduce((count, [first, last]) => count + last - first + 1, 0);
}

/** The places cut into windows of at most this many rows; what lies close together comes in one. */
export function windowsOf(places: Places, most: number): { offset: number; limit: number }[] {
  const windows: { offset: number; limit: number }[] = [];
  for (const [first, last] of places) {
    for (let offset = first; offset <= last; offset += most) {
      const limit = Math.min(most, last - offset + 1);
      const before = windows.at(-1);
      if (before !== undefined && offset + limit - before.offset <= most) {
        before.limit = offset + limit - before.offset;
      } else windows.push({ offset, limit });
    }
  }
  return windows;
}
