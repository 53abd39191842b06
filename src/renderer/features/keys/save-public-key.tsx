import { Code } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
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
      <SmallButton onClick={() => save.mutate()} loading={save.isPending}>
        Save as .pub…
      </SmallButton>
      {save.data && (
        <Status>
          Saved as <Code>{save.data.displayPath}</Code>
        </Status>
      )}
      <ErrorNotice error={save.error} title="Couldn’t save the public key" />
    </>
  );
}
