import { Badge } from '@mantine/core';
import type { GoneMark } from '../../contract/sync.ts';
import { formatDateTime } from '../lib/format-date.ts';

/** Says that the service no longer returns a record; what is shown is what came last. */
export function GoneBadge({ gone }: { gone: GoneMark | null | undefined }) {
  if (gone == null) return null;
  return (
    <Badge size="lg" variant="default" tt="none">
      No longer returned since {formatDateTime(gone.since)}
      {gone.confirmedAt === null ? ', to be confirmed by the next sync' : ''}
    </Badge>
  );
}
