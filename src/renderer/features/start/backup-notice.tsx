import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';

/** A warning where a backup folder is set, and nothing was backed up there for seven days. */
export function BackupNotice() {
  const { data } = useDeskQuery('backup:getState', {});
  if (data?.isOverdue !== true) return null;
  return (
    <Notice tone="caution" title="No backup for seven days">
      {data.last === null ? 'None was made yet' : `The last one was made on ${formatDateTime(data.last.at)}`}.{' '}
      {data.sealedBy === null && 'Make a recovery code or set a backup passphrase first. '}
      <AnchorLink to="/settings/$section" params={{ section: 'data' }}>
        Open backups
      </AnchorLink>
    </Notice>
  );
}
