import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { PassphrasePair } from '../../components/passphrase-fields.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { suggestKeyFileName } from '../../domain/key/key-labels.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts';
import { useSaveLabel } from '../../lib/use-save-label.ts';
import { useSaveFile } from '../../lib/use-secret-call.ts';

/** Writes the private key to a file, always with a passphrase. */
export const BackUpKey = ({ sshKey }: { sshKey: SshKey }) => (
  <DialogButton
    label="Back up…"
    button={{ size: 'compact-sm' }}
    title={`Back up “${sshKey.name}”`}
    closeOnClickOutside={false}
  >
    {(close) => <BackUp sshKey={sshKey} onClose={close} />}
  </DialogButton>
);

function BackUp({ sshKey, onClose }: { sshKey: SshKey; onClose: () => void }) {
  const bridge = useBridge();
  const saveLabel = useSaveLabel();
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const { saved, save, isPending, error } = useSaveFile<Output<'keys:backUp'>>({
    purpose: 'keyBackup',
    suggestedName: suggestKeyFileName(sshKey.name, '-backup.key'),
  });
  if (saved !== null)
    return <SavedBackup path={saved.displayPath} fingerprint={saved.fingerprint} onClose={onClose} />;
  return (
    <DialogForm
      action={saveLabel}
      isReady={passphrase !== null}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t save the backup"
      onSubmit={() => {
        if (passphrase === null) return;
        void save((targetId) => ask(bridge, 'keys:backUp', { keyId: sshKey.id, passphrase, targetId }));
      }}
      onCancel={onClose}
    >
      <Text size="sm">
        Saves the private key as an OpenSSH file, encrypted with this passphrase. Keep the file and the
        passphrase apart. A lost passphrase can’t be recovered.
      </Text>
      <PassphrasePair label="Backup passphrase" onChange={setPassphrase} isFirst />
    </DialogForm>
  );
}

function SavedBackup(props: { path: string; fingerprint: string; onClose: () => void }) {
  const done = useArrivalFocus<HTMLButtonElement>();
  return (
    <Stack gap="sm">
      <Notice tone="good" role="status" title="Backup saved and verified">
        <Text size="sm">
          Saved as <SavedPath path={props.path} />
        </Text>
        <Text size="sm">
          Key fingerprint: <Code>{props.fingerprint}</Code>
        </Text>
      </Notice>
      <Group justify="flex-end">
        <Button ref={done} onClick={props.onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
