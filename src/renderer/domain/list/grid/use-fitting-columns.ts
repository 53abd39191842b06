import { type RefObject, useEffect, useMemo, useState } from 'react';
import { type Entity, fieldsOf } from '../../../../rules/list-fields.ts';
import { type ListSettings, orderColumns } from '../list-settings.ts';
import { columnsThatFit } from '../split-view.ts';
import { type ColumnLayout, fittingWidth } from './grid-columns.ts';

/**
 * The columns of a list; while a record or groups are beside it, those that fit without scrolling sideways, the one that
 * the list is sorted by before others.
 */
export function useFittingColumns(options: {
  isOn: boolean;
  frame: RefObject<HTMLElement | null>;
  entity: Entity;
  layouts: readonly ColumnLayout[];
  settings: Pick<ListSettings, 'columns' | 'frozen' | 'widths' | 'sort'>;
  /** The width that is not available for columns. */
  usedPx: number;
}): readonly string[] {
  const { isOn, frame, entity, layouts, settings, usedPx } = options;
  const { columns, frozen, widths } = settings;
  const sortedBy = settings.sort[0]?.field;
  const [spacePx, setSpacePx] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!isOn || element === null) return;
    const observer = new ResizeObserver(() => setSpacePx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOn, frame]);
  return useMemo(() => {
    if (!isOn || spacePx === 0) return columns;
    const widthOf = (path: string): number => {
      const spec = fieldsOf[entity].find((field) => field.path === path);
      const layout = layouts.find((columnLayout) => columnLayout.path === path);
      return spec === undefined ? 0 : fittingWidth(spec, layout, widths[path]);
    };
    const rankOf = (path: string) =>
      path === sortedBy ? 0 : (layouts.find((columnLayout) => columnLayout.path === path)?.besideRank ?? 3);
    return columnsThatFit(orderColumns(columns, frozen), widthOf, spacePx - usedPx, rankOf);
  }, [isOn, spacePx, usedPx, entity, layouts, columns, frozen, widths, sortedBy]);
}
