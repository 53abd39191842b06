import { NativeSelect, Stack } from '@mantine/core';
import { IconArrowsSort, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { type Entity, fieldsOf } from '../../../../rules/list-fields.ts';
import type { Sort } from '../../../../rules/query.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { Hint } from '../../../components/text.tsx';
import { changeSort, directionLabel, findSortChoices, firstDirection, maxSorts } from '../describe-sort.ts';
import styles from './sort-chooser.module.css';
import { ToolPopover } from './tool-popover.tsx';

/** Chooses the columns, direction and position of rows without a value by which a list is sorted, also by keyboard. */
export function SortChooser(props: {
  entity: Entity;
  sort: readonly Sort[];
  onChange: (sort: readonly Sort[]) => void;
}) {
  const { sort, onChange } = props;
  const specs = new Map(fieldsOf[props.entity].map((spec) => [spec.path, spec]));
  const free = findSortChoices(props.entity, sort);
  const change = (field: string, part: Parameters<typeof changeSort>[1]) =>
    onChange(sort.map((criterion) => (criterion.field === field ? changeSort(criterion, part) : criterion)));
  // The pressed button disappears with its row; the focus stays in the popover.
  const adder = useRef<HTMLSelectElement>(null);
  const remove = (field: string) => {
    onChange(sort.filter((criterion) => criterion.field !== field));
    adder.current?.focus();
  };
  return (
    <ToolPopover label="Sort" icon={<IconArrowsSort size={16} aria-hidden />}>
      <Stack gap={8} className={styles.chooser ?? ''}>
        {sort.length === 0 && <Hint>Default order (by ID)</Hint>}
        <ol className={styles.list}>
          {sort.map((criterion) => {
            const spec = specs.get(criterion.field);
            if (spec === undefined) return null;
            const label = spec.label;
            return (
              <li key={criterion.field} className={styles.row}>
                <span className={styles.name}>{label}</span>
                <NativeSelect
                  size="xs"
                  aria-label={`Order of ${label}`}
                  data={(['asc', 'desc'] as const).map((value) => ({
                    value,
                    label: directionLabel(spec.kind, value),
                  }))}
                  value={criterion.direction}
                  onChange={({ currentTarget }) =>
                    change(criterion.field, { direction: currentTarget.value as Sort['direction'] })
                  }
                />
                <NativeSelect
                  size="xs"
                  aria-label={`Blanks in ${label}`}
                  data={[
                    { value: 'last', label: 'Blanks last' },
                    { value: 'first', label: 'Blanks first' },
                  ]}
                  value={criterion.nulls ?? 'last'}
                  onChange={({ currentTarget }) =>
                    change(criterion.field, { nulls: currentTarget.value as 'first' | 'last' })
                  }
                />
                <IconButton
                  label={`Remove sort by ${label}`}
                  icon={<IconX size={14} aria-hidden />}
                  size={24}
                  onClick={() => remove(criterion.field)}
                />
              </li>
            );
          })}
        </ol>
        {free.length > 0 && (
          <NativeSelect
            ref={adder}
            size="xs"
            disabled={sort.length >= maxSorts}
            label={sort.length === 0 ? 'Sort by' : 'Then by'}
            data={[
              { value: '', label: 'Choose column' },
              ...free.map((spec) => ({ value: spec.path, label: spec.label })),
            ]}
            value=""
            onChange={({ currentTarget }) => {
              const chosen = free.find(({ path }) => path === currentTarget.value);
              if (chosen === undefined) return;
              onChange([...sort, { field: chosen.path, direction: firstDirection(chosen.kind) }]);
            }}
          />
        )}
      </Stack>
    </ToolPopover>
  );
}
