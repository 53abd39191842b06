import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { FeedWarning } from '../../../contract/duplicates.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';

/** Says once that a sync brought far too many duplicates, which is a fault of the feed. */
export function FeedWarningNotice({ warning }: { warning: FeedWarning | null }) {
  if (warning === null) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="The feed may be sending claims twice"
    >
      <Text size="sm">
        {formatCount(warning.duplicates)} of {formatCount(warning.claims)} claims of the sync on{' '}
        {formatDateTime(warning.at)} look like duplicates, so they aren’t listed one by one. Ask your claims
        vendor whether a connection was added twice.
      </Text>
    </Alert>
  );
}
