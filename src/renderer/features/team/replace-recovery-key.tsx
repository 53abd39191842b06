import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { KeptSecret } from '../../components/kept-secret.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';

/** Replaces the team's recovery key: make one, print it, type it from paper. Nothing changes before the last step. */
export const ReplaceRecoveryKey = () => (
  <DialogButton label="Replace recovery key…" title="Replace recovery key" closeOnClickOutside={false}>
    {(close) => <Steps onClose={close} />}
  </DialogButton>
);

function Steps({ onClose }: { onClose: () => void }) {
  const make = useWorkspaceSecret('team:makeRecoveryKey');
  const [made, setMade] = useState<Output<'team:makeRecoveryKey'> | null>(null);
  const [isKept, setIsKept] = useState(false);
  if (made === null)
    return (
      <DialogForm
        action="Make new key"
        isPending={make.isPending}
        error={make.error}
        errorTitle="Couldn’t make a recovery key"
        onSubmit={async () => setMade(await make.call({}))}
        onCancel={onClose}
      >
        <Text size="sm">
          Do this if the printed recovery key is lost, or someone else may have seen it. You print a new one
          and type it from paper; until then the old one remains valid.
        </Text>
        <Text size="sm">
          The old key can then no longer admit computers or decrypt new entries. It can still decrypt older
          entries for anyone who also has a copy of the team’s data.
        </Text>
      </DialogForm>
    );
  if (!isKept)
    return (
      <KeptSecret
        secret={made.recoveryKey}
        kind="key"
        usedWith={`Server ${made.server}, team ${made.team}`}
        about="It isn’t shown again. Whoever has it can read the team’s reviews: store it where only team admins can get it, away from the computers."
        printed="Claimdesk team recovery key. Store it where only team admins can get it. It replaces every earlier one."
        onKept={() => setIsKept(true)}
      />
    );
  return <TypedKey shown={made.recoveryKey} onClose={onClose} />;
}

function TypedKey(props: { shown: string; onClose: () => void }) {
  const { shown, onClose } = props;
  const replace = useWorkspaceSecret('team:replaceRecoveryKey');
  const [typed, setTyped] = useState('');
  const [isDone, setIsDone] = useState(false);
  if (isDone)
    return (
      <Stack gap="sm">
        <Notice tone="good" role="status" title="Recovery key replaced">
          Destroy every printed copy of the old one.
        </Notice>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  return (
    <DialogForm
      action="Replace recovery key"
      isReady={typed.trim() !== ''}
      isPending={replace.isPending}
      error={replace.error}
      errorTitle="Couldn’t replace the recovery key"
      onSubmit={async () => setIsDone((await replace.call({ shown, recoveryKey: typed.trim() })) !== null)}
      onCancel={onClose}
    >
      <TextField
        label="New recovery key"
        description="As you printed it, so that a wrong copy is noticed now."
        value={typed}
        onChange={setTyped}
        maxLength={100}
        data-autofocus
      />
    </DialogForm>
  );
}
