import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { KeyProof, SshKey, Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { describeOffset } from './key-labels.ts';
import { OpenKeyPage } from './open-key-page.tsx';
import { PublicKey } from './public-key.tsx';

/** Registration at the service: copy the key, open the page, and check it with one signed request. */
export function Registration(props: {
  workspace: Workspace;
  sshKey: SshKey;
  /** Where the same page already shows the public key. */
  hidesKey?: boolean;
}) {
  const { workspace, sshKey } = props;
  const check = useDeskMutation('keys:check');
  const isProvenNow = check.data?.keyId === sshKey.id;
  return (
    <Stack gap="sm">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>Copy the public key and open the service’s SSH keys page.</List.Item>
        <List.Item>Sign in as {workspace.email}, paste the key, and save it.</List.Item>
        <List.Item>Come back and verify the key.</List.Item>
      </List>
      {props.hidesKey !== true && <PublicKey sshKey={sshKey} />}
      <OpenKeyPage workspace={workspace} copies={sshKey}>
        {workspace.isSample && <FillSamplePage sshKey={sshKey} />}
        <Button
          variant="default"
          onClick={() => check.mutate({ workspaceId: workspace.id, keyId: sshKey.id })}
          loading={check.isPending}
        >
          Verify key
        </Button>
      </OpenKeyPage>
      {check.error !== null && (
        <ErrorNotice
          error={check.error}
          title="The service didn’t accept the key"
          action={
            <AnchorLink
              to="/settings/$section"
              params={{ section: 'doctor' }}
              search={{ workspaceId: workspace.id }}
            >
              Run connection check
            </AnchorLink>
          }
        />
      )}
      {isProvenNow && check.data !== undefined && <Proven proof={check.data} workspace={workspace} />}
    </Stack>
  );
}

/** The result of one signed request, and when it was sent. */
function Proven({ proof, workspace }: { proof: KeyProof; workspace: Workspace }) {
  const now = useNow();
  return (
    <Alert
      role="status"
      color="green"
      variant="light"
      icon={<IconCircleCheck aria-hidden />}
      title="Key verified"
    >
      <Text size="sm">
        {workspace.name} accepted a request signed by {workspace.email}, {formatWhen(proof.provenAt, now)}.{' '}
        {describeOffset(proof.clockOffsetSeconds)}
        {proof.requestId !== null && (
          <>
            {' '}
            Request ID <Code>{proof.requestId}</Code>.
          </>
        )}
      </Text>
    </Alert>
  );
}

/** The sample's page is local: the app can do there what a person does at a real service. */
function FillSamplePage({ sshKey }: { sshKey: SshKey }) {
  const fill = useDeskMutation('sample:registerKey');
  const [filledId, setFilledId] = useState<string | null>(null);
  return (
    <>
      <Button
        variant="default"
        loading={fill.isPending}
        onClick={() => fill.mutate({ keyId: sshKey.id }, { onSuccess: () => setFilledId(sshKey.id) })}
      >
        Register on sample page
      </Button>
      {filledId === sshKey.id && (
        <Text size="sm" role="status">
          The key is registered on the sample page.
        </Text>
      )}
      {fill.error !== null && <ErrorNotice error={fill.error} />}
    </>
  );
}
