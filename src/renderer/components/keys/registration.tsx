import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { KeyProof, SshKey, Workspace } from '../../../contract/workspace.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { describeOffset } from '../../lib/key-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { AnchorLink } from '../links.tsx';
import { OpenKeyPage } from './open-key-page.tsx';
import { PublicKey } from './public-key.tsx';

/** Registration at the service: key copied, page opened, and one signed request that proves it. */
export function Registration(props: {
  workspace: Workspace;
  sshKey: SshKey;
  /** Where the public key is on the same page already. */
  hidesKey?: boolean;
}) {
  const { workspace, sshKey } = props;
  const check = useDeskMutation('keys:check');
  const isProvenNow = check.data?.keyId === sshKey.id;
  return (
    <Stack gap="sm">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>Copy the public key and open the service’s page for SSH keys.</List.Item>
        <List.Item>Sign in there as {workspace.email}, paste the key and save it.</List.Item>
        <List.Item>Come back and check the registration.</List.Item>
      </List>
      {props.hidesKey !== true && <PublicKey sshKey={sshKey} />}
      <OpenKeyPage workspace={workspace} copies={sshKey}>
        {workspace.isSample && <FillSamplePage sshKey={sshKey} />}
        <Button
          variant="default"
          onClick={() => check.mutate({ workspaceId: workspace.id, keyId: sshKey.id })}
          loading={check.isPending}
        >
          Check registration
        </Button>
      </OpenKeyPage>
      {check.error !== null && (
        <ErrorNotice
          error={check.error}
          title="The key is not accepted yet"
          action={
            <AnchorLink
              to="/settings/$section"
              params={{ section: 'doctor' }}
              search={{ workspaceId: workspace.id }}
            >
              Ask the connection doctor
            </AnchorLink>
          }
        />
      )}
      {isProvenNow && check.data !== undefined && <Proven proof={check.data} workspace={workspace} />}
    </Stack>
  );
}

/** What one signed request showed, and when. */
function Proven({ proof, workspace }: { proof: KeyProof; workspace: Workspace }) {
  const now = useNow();
  return (
    <Alert
      role="status"
      color="green"
      variant="light"
      icon={<IconCircleCheck aria-hidden />}
      title="Proven: the service accepts this key"
    >
      <Text size="sm">
        A request signed with it for {workspace.email} was answered by {workspace.name},{' '}
        {formatWhen(proof.provenAt, now)}. {describeOffset(proof.clockOffsetSeconds)}
        {proof.requestId !== null && (
          <>
            {' '}
            Request id <Code>{proof.requestId}</Code>.
          </>
        )}
      </Text>
    </Alert>
  );
}

/** The sample's page is ours: the app can do there what a person does at a real service. */
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
        Fill the sample’s page for me
      </Button>
      {filledId === sshKey.id && (
        <Text size="sm" role="status">
          The key is on the sample’s page now.
        </Text>
      )}
      {fill.error !== null && <ErrorNotice error={fill.error} />}
    </>
  );
}
