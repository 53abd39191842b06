import { ActionIcon, Button, Checkbox, ScrollArea, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconColumns3, IconPinned, IconPinnedOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type Entity, fieldsOf } from '../../../../rules/list-fields.ts';
import { TextField } from '../../../components/text-field.tsx';
import { type ListSettings, moveColumn, orderColumns } from '../list-settings.ts';
import styles from './column-chooser.module.css';
import { ToolPopover } from './tool-popover.tsx';

type Columns = Pick<ListSettings, 'columns' | 'frozen' | 'widths'>;

/** A row moves to the other list with its checkbox; the focus goes to the neighbor of that checkbox. */
function focusNeighbor(box: HTMLElement): void {
  const row = box.closest('li');
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
  neighbor?.querySelector('input')?.focus();
}

/** Chooses the visible columns, their order, and which are frozen, also by keyboard. */
export function ColumnChooser(props: {
  entity: Entity;
  columns: Columns;
  initial: Columns;
  onChange: (columns: Partial<Columns>) => void;
}) {
  const { columns, frozen } = props.columns;
  const [search, setSearch] = useState('');
  const labels = new Map(fieldsOf[props.entity].map((spec) => [spec.path, spec.label] as const));
  const fits = (path: string) =>
    (labels.get(path) ?? path).toLowerCase().includes(search.trim().toLowerCase());
  const shown = orderColumns(columns, frozen).filter((path) => labels.has(path));
  const others = [...labels.keys()].filter((path) => !columns.includes(path));

  const hide = (path: string) => {
    if (columns.length === 1) return;
    props.onChange({
      columns: columns.filter((other) => other !== path),
      frozen: frozen.filter((other) => other !== path),
    });
  };
  const freeze = (path: string) =>
    props.onChange({
      frozen: frozen.includes(path) ? frozen.filter((other) => other !== path) : [...frozen, path],
    });
  const move = (path: string, step: 1 | -1) =>
    props.onChange({ columns: moveColumn(columns, frozen, path, step) });

  return (
    <ToolPopover label="Columns" icon={<IconColumns3 size={16} aria-hidden />}>
      <Stack gap={8} className={styles.chooser ?? ''}>
        <TextField
          size="xs"
          aria-label="Find column"
          placeholder="Find column"
          value={search}
          onChange={setSearch}
        />
        <ScrollArea.Autosize mah={380} type="auto" offsetScrollbars>
          <Text size="xs" fw={600} id="shown-columns">
            Visible columns
          </Text>
          <ul className={styles.list} aria-labelledby="shown-columns">
            {shown.filter(fits).map((path) => (
              <li key={path} className={styles.row}>
                <Checkbox
                  size="xs"
                  className={styles.name ?? ''}
                  label={labels.get(path)}
                  checked
                  onChange={({ currentTarget }) => {
                    if (columns.length > 1) focusNeighbor(currentTarget);
                    hide(path);
                  }}
                />
                <Tool
                  label={`${frozen.includes(path) ? 'Unfreeze' : 'Freeze'} ${labels.get(path)}`}
                  isOn={frozen.includes(path)}
                  onClick={() => freeze(path)}
                >
                  {frozen.includes(path) ? (
                    <IconPinned size={14} aria-hidden />
                  ) : (
                    <IconPinnedOff size={14} aria-hidden />
                  )}
                </Tool>
                <Tool label={`Move ${labels.get(path)} up`} onClick={() => move(path, -1)}>
                  <IconChevronUp size={14} aria-hidden />
                </Tool>
                <Tool label={`Move ${labels.get(path)} down`} onClick={() => move(path, 1)}>
                  <IconChevronDown size={14} aria-hidden />
                </Tool>
              </li>
            ))}
          </ul>
          <Text size="xs" fw={600} id="other-columns" mt={8}>
            Hidden columns
          </Text>
          <ul className={styles.list} aria-labelledby="other-columns">
            {others.filter(fits).map((path) => (
              <li key={path} className={styles.row}>
                <Checkbox
                  size="xs"
                  className={styles.name ?? ''}
                  label={labels.get(path)}
                  checked={false}
                  onChange={({ currentTarget }) => {
                    focusNeighbor(currentTarget);
                    props.onChange({ columns: [...columns, path] });
                  }}
                />
              </li>
            ))}
          </ul>
        </ScrollArea.Autosize>
        <Button size="compact-xs" variant="subtle" onClick={() => props.onChange(props.initial)}>
          Reset columns
        </Button>
      </Stack>
    </ToolPopover>
  );
}

const Tool = (props: { label: string; isOn?: boolean; onClick: () => void; children: ReactNode }) => (
  <ActionIcon
    size={24}
    variant={props.isOn ? 'light' : 'subtle'}
    color="gray"
    aria-label={props.label}
    title={props.label}
    {...(props.isOn === undefined ? {} : { 'aria-pressed': props.isOn })}
    onClick={props.onClick}
  >
    {props.children}
  </ActionIcon>
);
