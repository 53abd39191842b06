import { Button, Code, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { suggestKeyFileName } from '../../domain/key/key-labels.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';

/** Saves the public half as a `.pub` file. */
export function SavePublicKey({ sshKey }: { sshKey: SshKey }) {
  const bridge = useBridge();
  const save = useMutation({
    mutationFn: async () => {
      const suggestedName = suggestKeyFileName(sshKey.name, '.pub');
      const target = await ask(bridge, 'files:chooseSaveTarget', { purpose: 'publicKey', suggestedName });
      if (target === null) return null;
      return ask(bridge, 'keys:savePublic', { keyId: sshKey.id, targetId: target.targetId });
    },
  });
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => save.mutate()} loading={save.isPending}>
        Save as .pub…
      </Button>
      {save.data && (
        <Text size="sm" role="status">
          Saved as <Code>{save.data.displayPath}</Code>
        </Text>
      )}
      <ErrorNotice error={save.error} title="Couldn’t save the public key" />
    </>
  );
}
