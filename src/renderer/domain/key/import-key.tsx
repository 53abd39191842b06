import { Stack, Text } from '@mantine/core';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { DialogButton } from '../../components/dialog.tsx';
import { ImportForm } from './import-form.tsx';

/** The button that imports a key, and its dialog. */
export const ImportKey = (props: { workspaceId?: string; onImported: (key: SshKey) => void }) => (
  <DialogButton label="Import key…" title="Import SSH key" closeOnClickOutside={false}>
    {(close) => (
      <Stack gap="sm">
        <Text size="sm">
          OpenSSH, PKCS#1, PKCS#8, SEC1, or PuTTY private key. After import, the keychain protects it. The
          file’s passphrase isn’t saved or needed again.
        </Text>
        <ImportForm
          workspaceId={props.workspaceId}
          onImported={(key) => {
            close();
            props.onImported(key);
          }}
          onCancel={close}
        />
      </Stack>
    )}
  </DialogButton>
);
