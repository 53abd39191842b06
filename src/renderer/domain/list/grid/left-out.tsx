import { Checkbox } from '@mantine/core';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { ListSettings } from '../list-settings.ts';

interface Props {
  entity: Entity;
  settings: ListSettings;
  onChange: (part: Partial<ListSettings>) => void;
}

export const missingLabel = 'records no longer in the service';

/** The checkbox for archived members; beside the filters, since it is often used. */
export function ShowArchived({ entity, settings, onChange }: Props) {
  if (entity !== 'members') return null;
  return (
    <Checkbox
      size="xs"
      label="Show archived"
      checked={settings.includesArchived}
      onChange={(event) => onChange({ includesArchived: event.currentTarget.checked })}
    />
  );
}

/** The checkbox for records that the service no longer returns, in the menu of new filters. */
export const IncludeMissing = ({ settings, onChange }: Omit<Props, 'entity'>) => (
  <Checkbox
    size="xs"
    label={`Include ${missingLabel}`}
    checked={settings.includesMissing}
    onChange={(event) => onChange({ includesMissing: event.currentTarget.checked })}
  />
);
