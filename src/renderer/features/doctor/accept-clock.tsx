import { Button } from '@mantine/core';
import type { DoctorStep } from '../../../contract/doctor.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

interface AcceptClockProps {
  readonly step: DoctorStep;
  readonly workspaceId: string;
  readonly onAccepted: () => void;
}

/**
 * Accepts a service's clock that is far off. The confirmation is shown outside the page, so not in the browser shell.
 */
export function AcceptClock({ step, workspaceId, onAccepted }: AcceptClockProps) {
  const info = useDeskQuery('app:getInfo', {});
  const accept = useDeskMutation('workspaces:acceptClock');
  const { offsetSeconds } = step.facts;
  if (info.data?.shell !== 'electron' || offsetSeconds === undefined) return null;
  return (
    <>
      <Button
        variant="default"
        loading={accept.isPending}
        onClick={() => accept.mutate({ workspaceId, offsetSeconds }, { onSuccess: onAccepted })}
      >
        Accept its clock for a day
      </Button>
      <ErrorNotice error={accept.error} title="Couldn’t accept the clock" />
    </>
  );
}
