import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { Total } from '../../components/amount.tsx';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { NotLoaded } from '../../components/error-notice.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { FrozenClaims } from '../review/bulk-dialog.tsx';
import type { DealRequest } from '../review/deal-dialog.tsx';
import { leftOutLabels } from './describe-run.ts';
import { EmployerTotals, MemberTotals } from './run-totals.tsx';

/** `corrections`: the run has only what differs from what was sent, unless you choose otherwise. */
export type RunRequest = DealRequest & { readonly corrections: boolean };

interface Props {
  /** Null: closed. */
  request: RunRequest | null;
  onClose: () => void;
}

/** Puts the claims of a list into a reimbursement run, after it was shown what that comes to. */
export const MakeRunDialog = ({ request, ...props }: Props) => (
  <Dialog isOpen={request !== null} onClose={props.onClose} title="Make reimbursement run" size="lg">
    {request !== null && (
      <FrozenClaims from={request.from}>
        {({ selectionId }) => <MakeRun {...props} selectionId={selectionId} request={request} />}
      </FrozenClaims>
    )}
  </Dialog>
);

function MakeRun(props: { selectionId: string; request: RunRequest; onClose: () => void }) {
  const { selectionId, request, onClose } = props;
  const navigate = useNavigate();
  const [corrections, setCorrections] = useState(request.corrections);
  const estimate = useWorkspaceQuery('runs:estimate', { selectionId, corrections }, { keepsPrevious: true });
  const make = useWorkspaceMutation('runs:make');
  if (estimate.error !== null || estimate.data === undefined)
    return <NotLoaded query={estimate} what="the claims" />;
  return (
    <RunForm
      estimate={estimate.data}
      isEstimated={!estimate.isPlaceholderData}
      corrections={corrections}
      onCorrections={setCorrections}
      isPending={make.isPending}
      error={make.error}
      onClose={onClose}
      onMake={(values) =>
        make.mutate(
          { selectionId, corrections, ...values },
          {
            onSuccess: ({ eventId }) => {
              request.onDone();
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
  /** Whether the estimate is of what is chosen now. */
  isEstimated: boolean;
  corrections: boolean;
  onCorrections: (corrections: boolean) => void;
  isPending: boolean;
  error: unknown;
  onClose: () => void;
  onMake: (values: { name: string; account: string; offsets: boolean }) => void;
}) {
  const { estimate, corrections } = props;
  const [name, setName] = useState(`Run ${formatDay(localDayOf(new Date()))}`);
  const [account, setAccount] = useState('');
  const { claims, amount, employers, members, leftOut, offsets } = estimate;
  const [isLowered, setIsLowered] = useState(true);
  return (
    <DialogForm
      action={`Make run of ${formatCountOf(claims, 'claim')}`}
      isReady={props.isEstimated && claims > 0 && name.trim() !== ''}
      isPending={props.isPending}
      error={props.error}
      errorTitle="Couldn’t make the run"
      onCancel={props.onClose}
      onSubmit={() =>
        props.onMake({
          name: name.trim(),
          account: account.trim(),
          offsets: offsets.claims > 0 && isLowered,
        })
      }
    >
      <Status>
        <b>
          <Total amount={amount} />
        </b>{' '}
        {corrections ? 'differ from what was sent, in' : 'open of'} {formatCountOf(claims, 'claim')}. The
        amounts stay as they are now, whatever a sync changes. Claimdesk moves no money.
      </Status>
      <Checkbox
        checked={corrections}
        onChange={(event) => props.onCorrections(event.currentTarget.checked)}
        label="Only what differs from what was sent"
        description="Each claim has its eligible amount minus what earlier runs paid, also below zero, so that whoever receives the files only adds up the rows of a claim."
      />
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
      <TextField label="Run name" maxLength={80} value={name} onChange={setName} data-autofocus autoFocus />
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
