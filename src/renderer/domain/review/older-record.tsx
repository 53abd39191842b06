import { Button } from '@mantine/core';
import type { ClaimReview } from '../../../contract/review.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatDateTime, formatDayOf } from '../../lib/format-date.ts';
import styles from './review-panel.module.css';

/** The record here is older than the one that was reviewed: says so, and reads the claim again. */
export function OlderRecord(props: {
  workspaceId: string;
  claimId: number;
  older: NonNullable<ClaimReview['olderRecord']>;
}) {
  const { workspaceId, claimId, older } = props;
  const { here, reviewed } = older;
  const fetch = useDeskMutation('sync:refreshRecord');
  const isSameDay = here !== null && formatDayOf(here) === formatDayOf(reviewed);
  const format = isSameDay ? formatDateTime : formatDayOf;
  return (
    <div className={styles.older}>
      <SmallPrint>
        Reviewed on a newer record ({format(reviewed)}) than yours{here !== null && ` (${format(here)})`}
      </SmallPrint>
      <Button
        size="compact-xs"
        variant="default"
        loading={fetch.isPending}
        onClick={() => fetch.mutate({ workspaceId, what: { kind: 'claim', claimId } })}
      >
        Refresh claim
      </Button>
      <ErrorNotice error={fetch.error} title="Couldn’t refresh the claim" />
    </div>
  );
}
