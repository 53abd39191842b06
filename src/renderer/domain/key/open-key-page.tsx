import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SshKey, Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
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
  const [isCopied, setIsCopied] = useState<boolean | null>(null);
  const open = async () => {
    if (copies !== null) setIsCopied(await copyKey(copies));
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
        <Alert color="blue" variant="light" role="status">
          <Text size="sm">
            {opened.isOpened ? 'Opened in your browser: ' : 'Open this page in your browser: '}
            <Code>{opened.url}</Code>
            {isCopied === true && ' The public key is on the clipboard.'}
            {isCopied === false && ' Couldn’t copy the key. Select it above.'}
          </Text>
        </Alert>
      )}
      {openPage.error !== null && <ErrorNotice error={openPage.error} />}
    </>
  );
}
