import { Checkbox } from '@mantine/core';
import { type Entity, fieldsOf } from '../../../../rules/fields.ts';
import type { Row } from '../../../../rules/query.ts';
import { SmallPrint } from '../../../components/text.tsx';
import type { ListSettings } from '../list-settings.ts';
import { formatCell } from './grid-columns.ts';

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
export function IncludeMissing({ settings, onChange }: Omit<Props, 'entity'>) {
  return (
    <Checkbox
      size="xs"
      label={`Include ${missingLabel}`}
      checked={settings.includesMissing}
      onChange={(event) => onChange({ includesMissing: event.currentTarget.checked })}
    />
  );
}

/** The values of columns that are hidden because all rows have the same one; a blank one says nothing. */
export function SameValues({ entity, same }: { entity: Entity; same: Row }) {
  const said = fieldsOf[entity].flatMap((spec) => {
    const value = same[spec.path] ?? null;
    return value === null ? [] : [`${spec.label}: ${formatCell(spec, value)}`];
  });
  return said.length === 0 ? null : <SmallPrint>{said.join(' · ')}, in all rows</SmallPrint>;
}
