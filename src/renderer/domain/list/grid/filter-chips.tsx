import { IconFilterPlus, IconX } from '@tabler/icons-react';
import type { RefObject } from 'react';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Condition } from '../../../../rules/query.ts';
import { decidedByField } from '../../../../rules/review/decided-by.ts';
import { idFields } from '../../../../rules/review/id-filter.ts';
import { SmallButton } from '../../../components/small-button.tsx';
import type { RememberedList } from '../list-memory.tsx';
import styles from './filter-chips.module.css';
import type { OpenFilter } from './filter-popover.tsx';
import { missingLabel } from './left-out.tsx';
import { useFilterLabels } from './use-filter-labels.ts';

/** The filters of a list as text, each with buttons to change and remove it. */
export function FilterChips(props: {
  list: Pick<RememberedList, 'labels'>;
  entity: Entity;
  conditions: readonly Condition[];
  includesMissing: boolean;
  adder: RefObject<HTMLButtonElement | null>;
  onOpen: (open: OpenFilter) => void;
  onRemove: (index: number) => void;
  onLeaveOutMissing: () => void;
}) {
  const { list, entity, conditions } = props;
  const describe = useFilterLabels(list, entity);
  return (
    <>
      <ul className={styles.chips} aria-label="Filters">
        {conditions.map((condition, index) => (
          <li key={JSON.stringify(condition)} className={styles.chip}>
            {[decidedByField, ...idFields].includes(condition.field) ? (
              <span className={styles.fixed} title={describe(condition)}>
                {describe(condition)}
              </span>
            ) : (
              <button
                type="button"
                className={styles.text}
                title="Edit filter"
                onClick={(event) =>
                  props.onOpen({ path: condition.field, index, anchor: event.currentTarget })
                }
              >
                {describe(condition)}
              </button>
            )}
            <button
              type="button"
              className={styles.remove}
              aria-label={`Remove filter: ${describe(condition)}`}
              onClick={() => props.onRemove(index)}
            >
              <IconX size={13} aria-hidden />
            </button>
          </li>
        ))}
        {props.includesMissing && (
          <li className={styles.chip}>
            <span className={styles.included}>Includes {missingLabel}</span>
            <button
              type="button"
              className={styles.remove}
              aria-label={`Leave out ${missingLabel}`}
              onClick={props.onLeaveOutMissing}
            >
              <IconX size={13} aria-hidden />
            </button>
          </li>
        )}
      </ul>
      <SmallButton
        leftSection={<IconFilterPlus size={14} aria-hidden />}
        ref={props.adder}
        aria-haspopup="dialog"
        aria-keyshortcuts="Shift+F"
        onClick={(event) => props.onOpen({ path: null, index: null, anchor: event.currentTarget })}
      >
        Add filter
      </SmallButton>
    </>
  );
}
