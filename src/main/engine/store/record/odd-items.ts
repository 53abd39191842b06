import type { SetAsideItem } from '../../../../contract/records.ts';
import type { ListKind } from './list-kind.ts';
import { shapesOf } from './record-columns.ts';

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Prepares a record for display: its lists contain only records, and other items or values are returned separately,
 * unchanged. A single record instead of a list becomes a list of one (docs/service.md, "Lists and values").
 */
export function setOddItemsAside<R extends object>(
  kind: ListKind,
  record: R,
): { record: R; setAside: SetAsideItem[] } {
  const whole = { ...record } as Record<string, unknown>;
  const setAside: SetAsideItem[] = [];
  for (const list of shapesOf[kind].lists) {
    const sent = whole[list.key];
    if (list.kind === 'map' || sent === null || sent === undefined) continue;
    const items: unknown[] = Array.isArray(sent) ? sent : [sent];
    whole[list.key] = items.filter(isRecord);
    for (const value of items) if (!isRecord(value)) setAside.push({ list: list.key, value });
  }
  return { record: whole as R, setAside };
}
