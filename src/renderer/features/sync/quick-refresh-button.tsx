import { Button, Tooltip } from '@mantine/core';
import { useId } from 'react';
import type { QuickRefresh } from '../../../contract/sync.ts';

/** Fetches new records. Where it would find none it is disabled but can be focused, so that its reason can be read. */
export function QuickRefreshButton(props: {
  offer: QuickRefresh;
  onRefresh: () => void;
  isStarting: boolean;
}) {
  const { offer } = props;
  const reasonId = useId();
  return (
    <>
      <Tooltip label={offer.reason} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
        <Button
          variant="default"
          {...(offer.isOffered ? {} : { 'data-disabled': true })}
          aria-disabled={!offer.isOffered}
          aria-describedby={reasonId}
          loading={props.isStarting}
          onClick={() => offer.isOffered && props.onRefresh()}
        >
          Quick refresh
        </Button>
      </Tooltip>
      <span id={reasonId} hidden>
        {offer.reason}
      </span>
    </>
  );
}
