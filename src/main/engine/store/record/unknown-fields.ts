import { type Shape, shapesOf } from './record-columns.ts';

/** Paths of fields that are in no shape; lists are marked by `[]`. Such fields are stored and shown. */
export function findUnknownFields(entity: keyof typeof shapesOf, record: object): string[] {
  const paths = new Set<string>();
  collect(shapesOf[entity], record as Record<string, unknown>, '', paths);
  return [...paths].sort();
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function collect(shape: Shape, record: Record<string, unknown>, prefix: string, paths: Set<string>): void {
  const columns = new Set(shape.columns.map((column) => column.key));
  for (const [key, value] of Object.entries(record)) {
    if (columns.has(key)) continue;
    const inline = shape.inline.find((object) => object.key === key);
    const shared = shape.shared.find((object) => object.key === key);
    const list = shape.lists.find((candidate) => candidate.key === key);
    if (inline !== undefined) {
      const innerKeys = new Set(inline.columns.map((column) => column.key));
      for (const inner of isObject(value) ? Object.keys(value) : []) {
        if (!innerKeys.has(inner)) paths.add(`${prefix}${key}.${inner}`);
      }
    } else if (shared !== undefined) {
      if (isObject(value)) collect(shared.shape(), value, `${prefix}${key}.`, paths);
    } else if (list !== undefined) {
      if (list.kind === 'map') continue;
      for (const item of Array.isArray(value) ? value : [value])
        if (isObject(item)) collect(list.shape(), item, `${prefix}${key}[].`, paths);
    } else paths.add(`${prefix}${key}`);
  }
}
