import { NativeSelect, Popover, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../../contract/fields.ts';
import type { Condition } from '../../../../contract/query.ts';
import { filterFields, findFilterField } from '../describe-filter.ts';
import styles from './filter-editor.module.css';
import { FilterEditor } from './filter-editor.tsx';

/** The filter being made or changed, and the element beside which its editor opens. */
export interface OpenFilter {
  /** null: the column is to be chosen first. */
  readonly path: string | null;
  /** Its index among the list's filters; null: a new one. */
  readonly index: number | null;
  readonly anchor: HTMLElement;
}

/** The editor of one filter, below the header, chip or button that opened it. The focus returns there. */
export function FilterPopover(props: {
  workspaceId: string;
  entity: Entity;
  open: OpenFilter | null;
  conditions: readonly Condition[];
  /** Shown for a new filter, below the choice of its column. */
  more: ReactNode;
  onApply: (condition: Condition, index: number | null, labels: ReadonlyMap<string, string>) => void;
  onRemove: (index: number) => void;
  onClose: () => void;
}) {
  const { open, entity } = props;
  const target = useRef<HTMLSpanElement>(null);
  const [path, setPath] = useState<string | null>(null);
  // Set in code: the content security policy allows no style attribute.
  useEffect(() => {
    if (open === null) return;
    setPath(open.path);
    const box = open.anchor.getBoundingClientRect();
    target.current?.style.setProperty('left', `${box.left}px`);
    target.current?.style.setProperty('top', `${box.bottom}px`);
  }, [open]);
  const close = () => {
    const anchor = open?.anchor;
    props.onClose();
    if (anchor?.isConnected) setTimeout(() => anchor.focus(), 0);
  };
  const field = path === null ? undefined : findFilterField(entity, path);
  const condition = open?.index == null ? null : (props.conditions[open.index] ?? null);
  return (
    <Popover
      opened={open !== null}
      onDismiss={close}
      position="bottom-start"
      withinPortal
      trapFocus
      keepMounted={false}
      middlewares={{ shift: { padding: 8 }, flip: true, size: { padding: 8 } }}
    >
      <Popover.Target>
        <span ref={target} className={styles.anchor} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown aria-label="Filter">
        <Stack gap={8}>
          {open?.path === null && (
            <NativeSelect
              size="xs"
              label="Column"
              data={[
                { value: '', label: 'Choose column' },
                ...filterFields(entity).map(({ path: value, label }) => ({ value, label })),
              ]}
              value={path ?? ''}
              onChange={(event) => setPath(event.currentTarget.value || null)}
            />
          )}
          {open?.path === null && path === null && props.more}
          {open !== null && field !== undefined && (
            <FilterEditor
              key={`${field.path} ${open.index ?? 'new'}`}
              workspaceId={props.workspaceId}
              entity={entity}
              field={field}
              condition={condition}
              onApply={(made, labels) => {
                props.onApply(made, open.index, labels);
                close();
              }}
              onRemove={() => {
                if (open.index !== null) props.onRemove(open.index);
                close();
              }}
            />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
