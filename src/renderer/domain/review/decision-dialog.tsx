import { Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Decision } from '../../../contract/review.ts';
import { FormEnd } from '../../components/form-end.tsx';

/** Those that claims usually wait on; anybody else can be typed. */
const usualWhom = ['Carrier', 'Member', 'Provider', 'Employer'];

/** Asks on whom a claim waits, or to whom it is escalated, and why. Null for `state`: closed. */
export function DecisionDialog(props: {
  state: 'waiting' | 'escalated' | null;
  title: string;
  onClose: () => void;
  onDecide: (decision: Decision) => void;
}) {
  const { state } = props;
  return (
    <Modal
      opened={state !== null}
      onClose={props.onClose}
      title={props.title}
      size="md"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {state !== null && <DecisionForm {...props} state={state} />}
    </Modal>
  );
}

function DecisionForm(props: {
  state: 'waiting' | 'escalated';
  onClose: () => void;
  onDecide: (decision: Decision) => void;
}) {
  const { state } = props;
  const [onWhom, setOnWhom] = useState('');
  const [reason, setReason] = useState('');
  const [reminder, setReminder] = useState('');
  const listId = useId();
  const isReady = onWhom.trim() !== '' && reason.trim() !== '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        props.onDecide({
          kind: 'decision',
          state,
          outcome: null,
          onWhom: onWhom.trim(),
          reason: reason.trim(),
          reminder: state === 'waiting' && reminder !== '' ? reminder : null,
        });
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={state === 'waiting' ? 'Waiting on' : 'Escalate to'}
          data-autofocus
          autoComplete="off"
          maxLength={200}
          list={listId}
          value={onWhom}
          onChange={(event) => setOnWhom(event.currentTarget.value)}
        />
        <datalist id={listId}>
          {state === 'waiting' && usualWhom.map((whom) => <option key={whom} value={whom} />)}
        </datalist>
        <Textarea
          label="Reason"
          autosize
          minRows={2}
          maxLength={10_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }
          }}
        />
        {state === 'waiting' && (
          <TextInput
            type="date"
            label="Reminder"
            description="The claim comes back on this day, or when it changes."
            value={reminder}
            onChange={(event) => setReminder(event.currentTarget.value)}
          />
        )}
        <FormEnd
          action={state === 'waiting' ? 'Mark as waiting' : 'Escalate'}
          isReady={isReady}
          isPending={false}
          onCancel={props.onClose}
        />
      </Stack>
    </form>
  );
}
