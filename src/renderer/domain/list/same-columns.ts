import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Entity, type FieldKind, fieldsOf } from '../../../rules/fields.ts';
import type { Row } from '../../../rules/query.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { isMaskedAtDesk } from '../../lib/desk-mask.ts';
import { listQuery } from '../../lib/desk-query.ts';
import type { RememberedList } from './list-memory.tsx';
import type { ListSettings } from './list-settings.ts';
import type { ListSourceState } from './list-source.ts';

/** In so few rows, equal values say little. */
const fewRows = 2;
/** IDs, days and amounts are always shown. */
const hideable: ReadonlySet<FieldKind> = new Set(['text', 'boolean', 'integer', 'number']);

/**
 * The columns that a list may hide where all of its rows have the same value: default ones that a person neither sorts,
 * filters nor searches by, and whose width nobody set. Once a person has changed the columns, all of them are chosen.
 */
export function findHideable(entity: Entity, settings: ListSettings, initial: ListSettings): string[] {
  const { columns, frozen, widths, sort, conditions, search } = settings;
  if (search !== '' || !isSameJson(columns, initial.columns)) return [];
  const used = new Set([
    ...frozen,
    ...Object.keys(widths),
    ...[...sort, ...conditions].map((one) => one.field),
  ]);
  return columns.filter((path) => {
    const spec = fieldsOf[entity].find((one) => one.path === path);
    const isPlain = spec !== undefined && hideable.has(spec.kind) && spec.sensitivity === undefined;
    return isPlain && !used.has(path) && !isMaskedAtDesk(path);
  });
}

/** The values that are the same in all of these rows, by column; none where the rows are few. */
export function findSameValues(rows: readonly Row[], columns: readonly string[]): Row {
  const [first, ...others] = rows;
  if (first === undefined || rows.length <= fewRows) return {};
  const cellIn = (row: Row, path: string) => (row[path] === '' ? null : (row[path] ?? null));
  const same = columns.filter((path) => others.every((row) => cellIn(row, path) === cellIn(first, path)));
  return Object.fromEntries(same.map((path) => [path, cellIn(first, path)]));
}

/**
 * The hidden columns of a list with the value that all of its rows have. `onRows` gets the rows that are loaded; where
 * these are not all, the engine is asked about the columns that are the same in them.
 */
export function useSameColumns(list: RememberedList, settings: ListSettings, state: ListSourceState) {
  const { source, plan } = list;
  const bridge = useBridge();
  const [loaded, setLoaded] = useState<{ values: Row; count: number }>({ values: {}, count: 0 });
  const onRows = useCallback(
    (rows: readonly Row[]) => {
      const now = { values: findSameValues(rows, plan.initial.columns), count: rows.length };
      // While a new list is being read, the columns stay.
      setLoaded((before) => (now.count === 0 || isSameJson(before, now) ? before : now));
    },
    [plan],
  );
  const found = findHideable(plan.entity, settings, plan.initial).filter((path) => path in loaded.values);
  const { sort: _sort, ...query } = source.query ?? { entity: plan.entity };
  const { workspaceId } = source;
  const isCounted = (state.snapshot?.total ?? 0) > loaded.count;
  const snapshotId = isCounted && !state.isOfOlderQuery ? (state.snapshot?.snapshotId ?? null) : null;
  const groups = useQueries({
    queries: found.map((by) =>
      listQuery(bridge, 'records:group', { workspaceId, query, by, order: 'count', limit: 1 }, snapshotId),
    ),
  });
  // Until the engine has answered about a list that is made again, the columns stay.
  const before = useRef<Row | null>(null);
  const isSame = (path: string, at: number): boolean => {
    if (!isCounted) return true;
    if (groups[at]?.isPending) return before.current === null || path in before.current;
    return (groups[at]?.data?.total ?? 2) <= 1;
  };
  const text = JSON.stringify(found.filter(isSame).map((path) => [path, loaded.values[path] ?? null]));
  const same = useMemo<Row>(() => Object.fromEntries(JSON.parse(text)), [text]);
  useEffect(() => {
    if (loaded.count > 0) before.current = same;
  }, [same, loaded]);
  return { same, onRows };
}
