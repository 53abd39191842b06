import { Badge, Group, Select, Stack, Text } from '@mantine/core';
import type { Input, Output } from '../../../contract/procedures.ts';
import { ConfirmButton } from '../../components/dialog.tsx';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { type RoleInTeam, roleChoices, roleLabels } from './describe-team.ts';
import styles from './team.module.css';

type Member = Output<'team:listMembers'>['members'][number];

/** The members by person, each with their computers; admins change roles and remove others. */
export function TeamMembers({ isAdmin }: { isAdmin: boolean }) {
  const list = useWorkspaceQuery('team:listMembers');
  if (list.data === undefined) return <NotLoaded query={list} what="the members" />;
  return (
    <Stack gap="xs">
      <Text fw={600}>Members</Text>
      <ul className={styles.list} aria-label="Members">
        {list.data.members.map((member) => (
          <MemberEntry key={member.email} member={member} isAdmin={isAdmin} />
        ))}
      </ul>
    </Stack>
  );
}

function MemberEntry(props: { member: Member; isAdmin: boolean }) {
  const { member, isAdmin } = props;
  const { email, role, isYou, computers } = member;
  const setRole = useWorkspaceMutation('team:setRole');
  const canChange = isAdmin && !isYou;
  return (
    <li className={styles.entry}>
      <Stack gap={6}>
        <Group gap="xs">
          <Text fw={600}>{email}</Text>
          {isYou && <Badge variant="default">You</Badge>}
          {canChange ? (
            <>
              <Select
                size="xs"
                w={120}
                aria-label={`Role of ${email}`}
                data={roleChoices}
                value={role}
                disabled={setRole.isPending}
                allowDeselect={false}
                onChange={(value) => setRole.mutate({ email, role: value as RoleInTeam })}
              />
              <RemoveButton of={{ email }} name={email} />
            </>
          ) : (
            <Text size="sm">{roleLabels[role]}</Text>
          )}
        </Group>
        <ul className={styles.list} aria-label={`Computers of ${email}`}>
          {computers.map(({ computer, fingerprint, isThis }) => (
            <li key={computer}>
              <Group gap="xs">
                <SmallPrint>
                  {isThis ? 'This computer' : `Computer ${computer.slice(0, 6)}`},{' '}
                  {fingerprint === null
                    ? 'not verified, so what it writes is refused'
                    : `SSH key ${fingerprint}`}
                </SmallPrint>
                {isAdmin && !isThis && computers.length > 1 && (
                  <RemoveButton of={{ computer }} name={`computer ${computer.slice(0, 6)}`} />
                )}
              </Group>
            </li>
          ))}
        </ul>
        <ErrorNotice error={setRole.error} title={`Couldn’t change the role of ${email}`} />
      </Stack>
    </li>
  );
}

function RemoveButton(props: { of: Pick<Input<'team:revoke'>, 'computer' | 'email'>; name: string }) {
  const { of, name } = props;
  const revoke = useWorkspaceMutation('team:revoke');
  const whose = of.email === undefined ? 'This computer' : 'Each computer of this person';
  return (
    <ConfirmButton
      label="Remove…"
      title={`Remove ${name}?`}
      button={{ size: 'compact-sm', 'aria-label': `Remove ${name}…` }}
      action="Remove from team"
      isDestructive
      errorTitle={`Couldn’t remove ${name}`}
      onConfirm={() => revoke.mutateAsync({ ...of })}
    >
      <Text size="sm">
        {whose} keeps its data. It can no longer send anything to the team, or read new entries, because the
        team’s key is renewed.
      </Text>
    </ConfirmButton>
  );
}
