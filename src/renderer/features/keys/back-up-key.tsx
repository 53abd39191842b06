import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { Notice } from '../../components/notice.tsx';
import { PassphrasePair } from '../../components/passphrase-pair.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { suggestKeyFileName } from '../../domain/key/key-labels.ts';
import { agreedPassphrase, minLengthOf } from '../../lib/agreed-passphrase.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts';

/** Writes the private key to a file, always with a passphrase. */
export function BackUpKey({ sshKey }: { sshKey: SshKey }) {
  const bridge = useBridge();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState({ first: '', second: '' });
  const passphrase = agreedPassphrase(typed, minLengthOf.backup);
  const backUp = useMutation({
    mutationFn: async (chosen: string) => {
      const suggestedName = suggestKeyFileName(sshKey.name, '-backup.key');
      const target = await ask(bridge, 'files:chooseSaveTarget', { purpose: 'keyBackup', suggestedName });
      if (target === null) return null;
      const { targetId } = target;
      return ask(bridge, 'keys:backUp', { keyId: sshKey.id, passphrase: chosen, targetId });
    },
    onSuccess: (saved) => {
      if (saved !== null) setTyped({ first: '', second: '' });
    },
  });
  const close = () => {
    setIsOpen(false);
    setTyped({ first: '', second: '' });
    backUp.reset();
  };
  const saved = backUp.data ?? null;
  return (
    <>
      <SmallButton onClick={() => setIsOpen(true)}>Back up…</SmallButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Back up “${sshKey.name}”`}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {saved !== null ? (
          <SavedBackup path={saved.displayPath} fingerprint={saved.fingerprint} onClose={close} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (passphrase !== null) backUp.mutate(passphrase);
            }}
          >
            <Stack gap="sm">
              <Text size="sm">
                Saves the private key as an OpenSSH file, encrypted with this passphrase. Keep the file and
                the passphrase apart. A lost passphrase can’t be recovered.
              </Text>
              <PassphrasePair
                label="Backup passphrase"
                value={typed}
                onChange={setTyped}
                minLength={minLengthOf.backup}
                isFirst
              />
              <ErrorNotice error={backUp.error} title="Couldn’t save the backup" />
              <FormEnd
                action="Save as…"
                isReady={passphrase !== null}
                isPending={backUp.isPending}
                onCancel={close}
              />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

function SavedBackup(props: { path: string; fingerprint: string; onClose: () => void }) {
  const done = useArrivalFocus<HTMLButtonElement>();
  return (
    <Stack gap="sm">
      <Notice tone="good" role="status" title="Backup saved and verified">
        <Text size="sm">
          Saved as <Code>{props.path}</Code>. Key fingerprint: <Code>{props.fingerprint}</Code>.
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
