import { Text } from '@mantine/core';
import { formatCount } from '../../../rules/count.ts';
import type { FeedWarning } from '../../../rules/review/duplicates.ts';
import { Notice } from '../../components/notice.tsx';
import { formatDateTime } from '../../lib/format-date.ts';

/** Warns that a sync brought far too many duplicates, which is a fault of the feed. */
export function FeedWarningNotice({ warning }: { warning: FeedWarning | null }) {
  if (warning === null) return null;
  return (
    <Notice tone="caution" title="The feed may be sending claims twice">
      <Text size="sm">
        {formatCount(warning.duplicates)} of {formatCount(warning.claims)} claims of the sync on{' '}
        {formatDateTime(warning.at)} look like duplicates, so they aren’t listed one by one. Ask your claims
        vendor whether a connection was added twice.
      </Text>
    </Notice>
  );
}
