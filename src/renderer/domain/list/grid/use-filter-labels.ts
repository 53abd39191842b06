import { describeCondition, maskTypedSsn } from '../../../../contract/filter-words.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Condition } from '../../../../rules/query.ts';
import { deskMask, isMaskedAtDesk } from '../../../lib/desk-mask.ts';
import { useDeskMode } from '../../../lib/use-desk-mode.ts';
import { findFilterField, formatFilterValue } from '../describe-filter.ts';
import type { RememberedList } from '../list-memory.tsx';

/** The text of a filter, with the names that the window knows for IDs. */
export function useFilterLabels(
  { labels }: Pick<RememberedList, 'labels'>,
  entity: Entity,
): (condition: Condition) => string {
  const desk = useDeskMode();
  return (condition) => {
    const field = findFilterField(entity, condition.field);
    if (field === undefined) return condition.field;
    // Where a column is masked, its filter is masked as well.
    const isMasked = desk.isOn && isMaskedAtDesk(condition.field);
    const mask = isMasked ? () => deskMask : field.isSsn ? maskTypedSsn<Condition['values'][number]> : null;
    const shownCondition = mask === null ? condition : { ...condition, values: condition.values.map(mask) };
    return describeCondition(
      field,
      shownCondition,
      (value) => labels.get(`${condition.field} ${value}`) ?? formatFilterValue(field, value),
    );
  };
}
