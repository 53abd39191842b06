import { Checkbox } from '@mantine/core';
import type { Entity } from '../../../../contract/fields.ts';
import type { ListSettings } from '../list-settings.ts';

interface Props {
  entity: Entity;
  settings: ListSettings;
  onChange: (part: Partial<ListSettings>) => void;
}

export const missingWords = 'records no longer in the service';

/** Whether a list of members has those who left; beside the filters, since it is often wanted. */
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

/** Whether a list has what the service stopped returning; a choice among the new filters. */
export function IncludeMissing({ settings, onChange }: Omit<Props, 'entity'>) {
  return (
    <Checkbox
      size="xs"
      label={`Include ${missingWords}`}
      checked={settings.includesMissing}
      onChange={(event) => onChange({ includesMissing: event.currentTarget.checked })}
    />
  );
}
