import { Code, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { Details } from '../../components/details.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import styles from './public-key.module.css';

/** Copies the public key through the shell if possible, else through the browser. */
export function useCopyPublicKey(): (key: SshKey) => Promise<boolean> {
  const bridge = useBridge();
  return async (key) => {
    const result = await bridge.call['keys:copyPublic']({ keyId: key.id });
    return (result.ok && result.value.isCopied) || copyText(key.publicKey);
  };
}

/** The public half of a key, to compare and to copy. The private half is never in the window. */
export function PublicKey(props: { sshKey: SshKey; beside?: ReactNode; foldsFingerprint?: boolean }) {
  const { sshKey, beside } = props;
  const copyKey = useCopyPublicKey();
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const copy = async () => setState((await copyKey(sshKey)) ? 'copied' : 'refused');
  const fingerprint = (
    <>
      <SmallPrint>Fingerprint</SmallPrint>
      <Code className={styles.line ?? ''}>{sshKey.fingerprint}</Code>
    </>
  );
  return (
    <Stack gap={6}>
      {props.foldsFingerprint !== true && fingerprint}
      <SmallPrint>Public key</SmallPrint>
      <Code className={styles.line ?? ''}>{sshKey.publicKey}</Code>
      <Group gap="xs">
        <SmallButton
          onClick={copy}
          leftSection={
            state === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
          }
        >
          {state === 'copied' ? 'Copied' : 'Copy public key'}
        </SmallButton>
        {beside}
        <SmallPrint role="status">
          {state === 'refused' && 'Couldn’t copy. Select the key above and copy it.'}
        </SmallPrint>
      </Group>
      {props.foldsFingerprint === true && <Details>{fingerprint}</Details>}
    </Stack>
  );
}
