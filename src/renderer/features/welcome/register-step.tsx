import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SshKey, Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PublicKey, useCopyPublicKey } from '../../components/public-key.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

/** Registration at the service: key copied, page opened, and one signed request that proves it. */
export function RegisterStep({ workspace, sshKey }: { workspace: Workspace; sshKey: SshKey }) {
  const copyKey = useCopyPublicKey();
  const openPage = useDeskMutation('keys:openRegistration');
  const check = useDeskMutation('keys:check');
  const [isCopied, setIsCopied] = useState<boolean | null>(null);
  const copyAndOpen = async () => {
    setIsCopied(await copyKey(sshKey));
    openPage.mutate({ workspaceId: workspace.id });
  };
  const opened = openPage.data;
  return (
    <Stack gap="sm">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>Copy the public key and open the service’s page for SSH keys.</List.Item>
        <List.Item>Sign in there as {workspace.email}, paste the key and save it.</List.Item>
        <List.Item>Come back and check the registration.</List.Item>
      </List>
      <PublicKey sshKey={sshKey} />
      <Group gap="xs">
        <Button onClick={() => void copyAndOpen()} loading={openPage.isPending}>
          Copy key and open the page
        </Button>
        <Button
          variant="default"
          onClick={() => check.mutate({ workspaceId: workspace.id, keyId: sshKey.id })}
          loading={check.isPending}
        >
          Check registration
        </Button>
      </Group>
      {opened !== undefined && (
        <Alert color="blue" variant="light" role="status">
          <Text size="sm">
            {opened.isOpened ? 'The page was opened in your browser: ' : 'Open this page in your browser: '}
            <Code>{opened.url}</Code>
            {isCopied === true && ' The public key is on the clipboard.'}
            {isCopied === false && ' The key could not be copied; select it above.'}
          </Text>
        </Alert>
      )}
      {openPage.error !== null && <ErrorNotice error={openPage.error} />}
      {check.error !== null && <ErrorNotice error={check.error} title="The key is not accepted yet" />}
    </Stack>
  );
}
