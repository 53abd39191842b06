import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, Output } from '../../../contract/procedures.ts';
import type { ReviewAct } from '../../../contract/review.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import { spellKeys } from '../../lib/shortcuts.ts';
import { describeFact } from './describe-event.ts';
import { useBulkAct } from './use-review.ts';

/** An act that is about to be done with many claims. `onDone`: called when it is. */
export interface BulkRequest {
  readonly from: Input<'reviews:freeze'>['from'];
  readonly act: ReviewAct;
  readonly onDone: () => void;
}

/** Freezes the claims of an act, says how many they are and what they amount to, and does it when confirmed. */
export function BulkDialog(props: { workspaceId: string; request: BulkRequest | null; onClose: () => void }) {
  const { workspaceId, request, onClose } = props;
  return (
    <Modal
      opened={request !== null}
      onClose={onClose}
      title={request === null ? '' : `Review claims: ${describeFact(request.act)}`}
      size="md"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {request !== null && <Frozen workspaceId={workspaceId} request={request} onClose={onClose} />}
    </Modal>
  );
}

function Frozen(props: { workspaceId: string; request: BulkRequest; onClose: () => void }) {
  const { workspaceId, request, onClose } = props;
  const bridge = useBridge();
  const frozen = useQuery({
    // Frozen once for each time it is asked.
    queryKey: ['reviews frozen', workspaceId, request],
    queryFn: () => ask(bridge, 'reviews:freeze', { workspaceId, from: request.from }),
    gcTime: 0,
  });
  const bulk = useBulkAct(workspaceId);
  if (frozen.error !== null) return <ErrorNotice error={frozen.error} title="Couldn’t select the claims" />;
  if (frozen.data === undefined) return <LoadingState what="the claims" />;
  if (bulk.data !== undefined && bulk.data.leftOut.length > 0)
    return <LeftOut done={bulk.data} act={request.act} onClose={onClose} />;
  return (
    <>
      {bulk.error !== null && <ErrorNotice error={bulk.error} title="Couldn’t save the review" />}
      <ConfirmForm
        frozen={frozen.data}
        act={request.act}
        isPending={bulk.isPending}
        onClose={onClose}
        onConfirm={(act) =>
          bulk.mutate(
            { selectionId: frozen.data.selectionId, act },
            {
              onSuccess: (done) => {
                request.onDone();
                notifications.show({
                  id: 'review-bulk',
                  title: describeFact(act),
                  message: `${formatCountOf(done.claims, 'claim')} saved. Press ${spellKeys('Ctrl Z', navigator.platform)} to undo.`,
                  closeButtonProps: { 'aria-label': 'Dismiss' },
                });
                if (done.leftOut.length === 0) onClose();
              },
            },
          )
        }
      />
    </>
  );
}

function ConfirmForm(props: {
  frozen: Output<'reviews:freeze'>;
  act: ReviewAct;
  isPending: boolean;
  onClose: () => void;
  onConfirm: (act: ReviewAct) => void;
}) {
  const { act, frozen } = props;
  const [reason, setReason] = useState('');
  const wantsReason = act.kind === 'decision' && act.reason === null;
  const { totals } = frozen;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onConfirm(
          act.kind === 'decision' && wantsReason && reason.trim() !== ''
            ? { ...act, reason: reason.trim() }
            : act,
        );
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          <b>{formatCountOf(frozen.claims, 'claim')}</b>, patient responsibility{' '}
          <b>{formatTenThousandths(totals.patientResponsibility)}</b>, billed{' '}
          {formatTenThousandths(totals.billed)}. Claims that change before you confirm are left out.
        </Text>
        {wantsReason && (
          <TextInput
            label="Reason (optional)"
            autoComplete="off"
            maxLength={10_000}
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <FormEnd
          action={`Review ${formatCountOf(frozen.claims, 'claim')}`}
          isReady={frozen.claims > 0}
          isPending={props.isPending}
          onCancel={props.onClose}
        />
      </Stack>
    </form>
  );
}

/** More claims are counted, not named. */
const maxNamed = 20;

function LeftOut(props: { done: Output<'reviews:act'>; act: ReviewAct; onClose: () => void }) {
  const { done, act } = props;
  const { leftOut } = done;
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {describeFact(act)}: {formatCountOf(done.claims, 'claim')} saved.{' '}
        {formatCountOf(leftOut.length, 'claim')} left out, changed since you selected them:
      </Text>
      <List size="sm">
        {leftOut.slice(0, maxNamed).map((id) => (
          <List.Item key={id}>Claim {id}</List.Item>
        ))}
        {leftOut.length > maxNamed && (
          <List.Item>and {formatCount(leftOut.length - maxNamed)} more</List.Item>
        )}
      </List>
      <Group justify="flex-end">
        <Button data-autofocus onClick={props.onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
