import { Popover } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Condition, ListQuery } from '../../../../rules/query.ts';
import { findFilterField } from '../describe-filter.ts';
import styles from './filter-editor.module.css';
import { FilterEditor } from './filter-editor.tsx';
import { FilterPicker } from './filter-picker.tsx';

/** The filter being made or changed, and the element beside which its editor opens. */
export interface OpenFilter {
  /** The column of the filter; null: the person picks one first. */
  readonly path: string | null;
  /** Its index among the list's filters; null: a new one. */
  readonly index: number | null;
  readonly anchor: HTMLElement | null;
}

/**
 * The picker of filters or the editor of one, below the header, chip or button that opened it. The focus returns
 * there.
 */
export function FilterPopover(props: {
  entity: Entity;
  open: OpenFilter | null;
  /** The only columns that are offered; all, where absent. */
  only?: readonly string[];
  conditions: readonly Condition[];
  /** The list without the filters on this column, for counts of its values. */
  queryWithout: (path: string) => Omit<ListQuery, 'sort'>;
  onConditions: (conditions: readonly Condition[], labels?: ReadonlyMap<string, string>) => void;
  /** Content at the end of the picker. */
  more: ReactNode;
  onApply: (condition: Condition, index: number | null, labels: ReadonlyMap<string, string>) => void;
  onRemove: (index: number) => void;
  onClose: () => void;
}) {
  const { open, entity } = props;
  const target = useRef<HTMLSpanElement>(null);
  const [picked, setPicked] = useState<{ open: OpenFilter; path: string } | null>(null);
  const path = picked !== null && picked.open === open ? picked.path : (open?.path ?? null);
  // Set by script, because the content security policy allows no style attribute.
  useEffect(() => {
    if (!open?.anchor?.isConnected) return;
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
  const dropdown = useRef<HTMLDivElement>(null);
  // The picker, which had the focus, is replaced.
  useEffect(() => {
    if (path !== null && open?.path === null)
      dropdown.current?.querySelector<HTMLElement>('form :is(select, input, button)')?.focus();
  }, [path, open]);
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
      <Popover.Dropdown aria-label="Filter" className={styles.dropdown ?? ''} ref={dropdown}>
        {open !== null && field === undefined && (
          <FilterPicker
            entity={entity}
            {...(props.only && { only: props.only })}
            conditions={props.conditions}
            queryWithout={props.queryWithout}
            onConditions={props.onConditions}
            onColumn={(column) => setPicked({ open, path: column })}
            onClose={close}
            more={props.more}
          />
        )}
        {open !== null && field !== undefined && (
          <FilterEditor
            key={`${field.path} ${open.index ?? 'new'}`}
            entity={entity}
            field={field}
            condition={condition}
            query={props.queryWithout(field.path)}
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
      </Popover.Dropdown>
    </Popover>
  );
}
