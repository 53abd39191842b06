import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { ConfirmButton, DialogButton, DialogForm } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { useNow } from '../../lib/use-now.ts';

/** Undoes decisions of a rule: those of one day, or all that were not worked on since. */
export function RuleUndo({ id }: { id: string }) {
  const undo = useWorkspaceMutation('rules:undo');
  const run = (day?: string) =>
    undo.mutateAsync({ id, ...(day !== undefined && { day }) }).then(({ claims }) =>
      showNotice('review', {
        title: claims === 0 ? 'Nothing to undo' : 'Rule undone',
        message:
          claims === 0
            ? 'The rule decided no claim that can be undone.'
            : `${formatCountOf(claims, 'claim')} decided by the rule ${claims === 1 ? 'is' : 'are'} open again.`,
      }),
    );
  return (
    <Group gap="xs">
      <DialogButton
        label="Undo a day…"
        button={{ size: 'compact-sm' }}
        title="Undo the decisions of a day"
        size="sm"
      >
        {(close) => <UndoDay isPending={undo.isPending} error={undo.error} onUndo={run} onClose={close} />}
      </DialogButton>
      <ConfirmButton
        label="Undo all unconfirmed…"
        button={{ size: 'compact-sm' }}
        title="Undo all unconfirmed decisions"
        action="Undo decisions"
        errorTitle="Couldn’t undo the decisions"
        onConfirm={() => run()}
      >
        <Text size="sm">
          Undoes every decision of this rule that you and your team haven’t confirmed, changed, or paid since.
          The claims are open again.
        </Text>
      </ConfirmButton>
    </Group>
  );
}

function UndoDay(props: {
  isPending: boolean;
  error: unknown;
  onUndo: (day: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [day, setDay] = useState(localDayOf(useNow()));
  return (
    <DialogForm
      action="Undo decisions"
      isReady={day !== ''}
      isPending={props.isPending}
      error={props.error}
      errorTitle="Couldn’t undo the decisions"
      onCancel={props.onClose}
      onSubmit={() => props.onUndo(day).then(props.onClose, () => undefined)}
    >
      <TextField
        type="date"
        label="Day"
        description="Claims that the rule decided on this day are open again."
        value={day}
        onChange={setDay}
        data-autofocus
      />
    </DialogForm>
  );
}
