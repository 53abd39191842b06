import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { type Entity, fieldsOf } from '../../../contract/fields.ts';
import { type ColumnLayout, columnLabel } from './grid-columns.ts';

/** Which columns a list shows. A column put in takes the place it has among the service's fields. */
export function ColumnChooser(props: {
  entity: Entity;
  layouts: readonly ColumnLayout[];
  shown: readonly string[];
  onChange: (shown: string[]) => void;
}) {
  const { shown } = props;
  const toggle = (path: string) => {
    if (!shown.includes(path)) props.onChange([...shown, path]);
    else if (shown.length > 1) props.onChange(shown.filter((other) => other !== path));
  };
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="default" leftSection={<IconColumns3 size={14} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <ScrollArea.Autosize mah={360} type="auto" offsetScrollbars>
          <Stack gap={9}>
            {fieldsOf[props.entity].map((spec) => (
              <Checkbox
                key={spec.path}
                size="xs"
                label={columnLabel(spec, props.layouts)}
                checked={shown.includes(spec.path)}
                onChange={() => toggle(spec.path)}
              />
            ))}
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => props.onChange(props.layouts.map((layout) => layout.path))}
            >
              Back to the usual columns
            </Button>
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
