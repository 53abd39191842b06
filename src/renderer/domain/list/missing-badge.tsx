import { Badge } from '@mantine/core';
import type { MissingSince } from '../../../contract/sync.ts';
import { formatDateTime } from '../../lib/format-date.ts';

/** Says that the service no longer returns a record; the last version is shown. */
export function MissingBadge({ missing }: { missing: MissingSince | null | undefined }) {
  if (missing == null) return null;
  return (
    <Badge size="lg" variant="default" tt="none">
      No longer in the service since {formatDateTime(missing.since)}
      {missing.confirmedAt === null ? ' (next sync will confirm)' : ''}
    </Badge>
  );
}
