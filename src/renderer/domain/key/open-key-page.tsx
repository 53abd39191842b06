import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import styles from './public-key.module.css';
import { useCopyPublicKey } from './public-key.tsx';

/** Opens the service's page for SSH keys in the browser, with the public key on the clipboard if there is one. */
export function OpenKeyPage(props: {
  workspace: Workspace;
  copies: SshKey | null;
  /** Further buttons beside this one. */
  children?: ReactNode;
}) {
  const { workspace, copies } = props;
  const copyKey = useCopyPublicKey();
  const openPage = useDeskMutation('keys:openRegistration');
  const [copied, setCopied] = useState<'key' | 'address' | 'nothing' | null>(null);
  const copyPublicKey = async (key: SshKey) => setCopied((await copyKey(key)) ? 'key' : 'nothing');
  // The address replaces the key on the clipboard, so copying the key is offered again.
  const copyAddress = async (url: string) => setCopied((await copyText(url)) ? 'address' : 'nothing');
  const open = async () => {
    if (copies !== null) await copyPublicKey(copies);
    openPage.mutate({ workspaceId: workspace.id });
  };
  const opened = openPage.data;
  return (
    <>
      <Group gap="xs">
        <Button onClick={() => void open()} loading={openPage.isPending}>
          {copies === null ? 'Open SSH keys page' : 'Copy key and open SSH keys page'}
        </Button>
        {props.children}
      </Group>
      {opened !== undefined && (
        <Notice tone="open" role="status">
          <Text size="sm">
            {opened.isOpened ? 'Opened in your browser: ' : 'Open this page in your browser: '}
            <Anchor
              href={opened.url}
              target="_blank"
              rel="noopener noreferrer"
              size="sm"
              underline="always"
              className={styles.address ?? ''}
            >
              {opened.url}
            </Anchor>
          </Text>
          {copies !== null && (
            <Text size="sm">
              {copied === 'key' && 'The public key is on the clipboard.'}
              {copied === 'address' && 'The address is on the clipboard. Open it, then copy the key.'}
              {copied === 'nothing' && 'Couldn’t copy. Select what you need and copy it.'}
            </Text>
          )}
          {!opened.isOpened && (
            <Group gap="xs" mt={6}>
              <SmallButton onClick={() => void copyAddress(opened.url)}>Copy address</SmallButton>
              {copies !== null && copied === 'address' && (
                <SmallButton onClick={() => void copyPublicKey(copies)}>Copy key</SmallButton>
              )}
            </Group>
          )}
        </Notice>
      )}
      <ErrorNotice error={openPage.error} />
    </>
  );
}
