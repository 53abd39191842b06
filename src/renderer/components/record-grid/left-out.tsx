import { Checkbox, Group } from '@mantine/core';
import type { Entity } from '../../../contract/fields.ts';
import type { ListSettings } from '../../lib/list-settings.ts';

/** Switches for what a list leaves out unless it is asked for. */
export function LeftOut(props: {
  entity: Entity;
  settings: ListSettings;
  onChange: (part: Partial<ListSettings>) => void;
}) {
  const { settings, onChange } = props;
  return (
    <Group gap={14}>
      {props.entity === 'members' && (
        <Checkbox
          size="xs"
          label="Show archived"
          checked={settings.includesArchived}
          onChange={(event) => onChange({ includesArchived: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        size="xs"
        label="Show no longer returned"
        checked={settings.includesGone}
        onChange={(event) => onChange({ includesGone: event.currentTarget.checked })}
      />
    </Group>
  );
}
