import { Button, Group, Stack, Text } from '@mantine/core';
import type { TeamComputer } from '../../../contract/team.ts';
import { isLeftOut } from '../../../rules/review/team-settings.ts';
import { ConfirmButton } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import styles from './team.module.css';

/** The minimum version of Claimdesk that sends to the team; admins raise it to theirs, after seeing who is left out. */
export function MinimumVersion(props: {
  least: string | null;
  computers: readonly TeamComputer[];
  isAdmin: boolean;
}) {
  const { least, computers, isAdmin } = props;
  const change = useWorkspaceMutation('team:changeSettings');
  const save = (value?: string) =>
    change.mutateAsync({ changes: [{ setting: 'minVersion', ...(value === undefined ? {} : { value }) }] });
  const ownVersion = computers.find(({ isThis }) => isThis)?.version?.match(/^\d+\.\d+\.\d+/)?.[0] ?? null;
  const isBehind = ownVersion !== null && least !== null && isLeftOut(ownVersion, least);
  const mayRaise = ownVersion !== null && !isBehind && ownVersion !== least;
  return (
    <Stack gap={4}>
      {isBehind && (
        <Notice tone="caution" title={`Update to ${least}`}>
          This computer has version {ownVersion}. What you do here is kept and not sent until Claimdesk is
          updated.
        </Notice>
      )}
      <Group gap="xs">
        <Text size="sm">
          {least === null
            ? 'Computers with any version of Claimdesk can send to the team.'
            : `Computers need version ${least} of Claimdesk or a newer one to send to the team.`}
        </Text>
        {isAdmin && mayRaise && (
          <ConfirmButton
            label={`Require version ${ownVersion}…`}
            title={`Require version ${ownVersion}?`}
            button={{ size: 'compact-sm' }}
            action={`Require version ${ownVersion}`}
            errorTitle="Couldn’t save the minimum version"
            onConfirm={() => save(ownVersion)}
          >
            <LeftOut computers={computers} least={ownVersion} />
          </ConfirmButton>
        )}
        {isAdmin && least !== null && (
          <Button variant="default" size="compact-sm" loading={change.isPending} onClick={() => save()}>
            Allow any version
          </Button>
        )}
      </Group>
      <ErrorNotice error={change.error} title="Couldn’t save the minimum version" />
    </Stack>
  );
}

function LeftOut({ computers, least }: { computers: readonly TeamComputer[]; least: string }) {
  const leftOut = computers.filter(({ version }) => isLeftOut(version, least));
  if (leftOut.length === 0)
    return <Text size="sm">Every computer of the team has this version or a newer one.</Text>;
  return (
    <>
      <Text size="sm">
        These computers can’t send what is done on them until Claimdesk is updated there. They still receive.
      </Text>
      <ul className={styles.list} aria-label="Computers left out">
        {leftOut.map(({ computer, email, version }) => (
          <li key={computer}>
            <Text size="sm">
              {email}, computer {computer.slice(0, 6)}: {version === null ? 'version not reported' : version}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}
