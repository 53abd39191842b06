import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { localDayOf } from '../../../contract/days.ts';
import type { Output } from '../../../contract/procedures.ts';
import { Total } from '../../components/amount.tsx';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { NotLoaded } from '../../components/error-notice.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatDay } from '../../lib/format-date.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { showNotice } from '../../lib/notice.ts';
import type { DealRequest } from '../review/deal-dialog.tsx';
import { leftOutLabels } from './describe-run.ts';
import { EmployerTotals, MemberTotals } from './run-totals.tsx';

interface Props {
  workspaceId: string;
  /** Null: closed. */
  request: DealRequest | null;
  onClose: () => void;
}

/** Puts the claims of a list into a reimbursement run, after it was shown what that comes to. */
export function MakeRunDialog({ request, ...props }: Props) {
  return (
    <Dialog isOpen={request !== null} onClose={props.onClose} title="Make reimbursement run" size="lg">
      {request !== null && <Frozen {...props} request={request} />}
    </Dialog>
  );
}

function Frozen({ workspaceId, request, onClose }: Props & { request: DealRequest }) {
  const bridge = useBridge();
  const navigate = useNavigate();
  const frozen = useQuery({
    queryKey: ['reviews frozen', workspaceId, 'for a run', request],
    queryFn: async () => {
      const { selectionId } = await ask(bridge, 'reviews:freeze', { workspaceId, from: request.from });
      return { selectionId, ...(await ask(bridge, 'runs:estimate', { workspaceId, selectionId })) };
    },
    gcTime: 0,
  });
  const make = useDeskMutation('runs:make');
  if (frozen.error !== null || frozen.data === undefined)
    return <NotLoaded query={frozen} what="the claims" />;
  const { selectionId } = frozen.data;
  return (
    <RunForm
      estimate={frozen.data}
      isPending={make.isPending}
      error={make.error}
      onClose={onClose}
      onMake={(wanted) =>
        make.mutate(
          { workspaceId, selectionId, ...wanted },
          {
            onSuccess: ({ eventId, claims }) => {
              request.onDone();
              showNotice('review', {
                title: 'Run made',
                message: `${wanted.name}: ${formatCountOf(claims, 'claim')}.`,
              });
              onClose();
              if (eventId !== null) void navigate({ to: '/runs/$runId', params: { runId: eventId } });
            },
          },
        )
      }
    />
  );
}

function RunForm(props: {
  estimate: Output<'runs:estimate'>;
  isPending: boolean;
  error: unknown;
  onClose: () => void;
  onMake: (wanted: { name: string; account: string; offsets: boolean }) => void;
}) {
  const { estimate } = props;
  const [name, setName] = useState(`Run ${formatDay(localDayOf(new Date()))}`);
  const [account, setAccount] = useState('');
  const { claims, amount, employers, members, leftOut, offsets } = estimate;
  const [isLowered, setIsLowered] = useState(offsets.claims > 0);
  return (
    <DialogForm
      action={`Make run of ${formatCountOf(claims, 'claim')}`}
      isReady={claims > 0 && name.trim() !== ''}
      isPending={props.isPending}
      error={props.error}
      errorTitle="Couldn’t make the run"
      onCancel={props.onClose}
      onSubmit={() => props.onMake({ name: name.trim(), account: account.trim(), offsets: isLowered })}
    >
      <Status>
        <b>
          <Total amount={amount} />
        </b>{' '}
        open of {formatCountOf(claims, 'claim')}. The amounts stay as they are now, whatever a sync changes.
        Claimdesk moves no money.
      </Status>
      {leftOut.length > 0 && (
        <SmallPrint role="note">
          Left out:{' '}
          {leftOut
            .map(({ reason, claims: count }) => `${formatCountOf(count, 'claim')} (${leftOutLabels[reason]})`)
            .join(', ')}
          .
        </SmallPrint>
      )}
      {claims > 0 && (
        <>
          <EmployerTotals rows={employers} />
          <MemberTotals rows={members} shown={8} />
        </>
      )}
      {offsets.claims > 0 && (
        <Checkbox
          checked={isLowered}
          onChange={(event) => setIsLowered(event.currentTarget.checked)}
          label={
            <>
              Pay <Total amount={offsets.amount} /> less: what these members owe back of{' '}
              {formatCountOf(offsets.claims, 'claim')}
            </>
          }
        />
      )}
      <TextField label="Run name" maxLength={80} value={name} onChange={setName} data-autofocus />
      <TextField
        label="Account or reference"
        description="Optional. Saved with every payment of the run."
        maxLength={200}
        value={account}
        onChange={setAccount}
      />
    </DialogForm>
  );
}
