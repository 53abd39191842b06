import { Code, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { roleChoices, type TeamRole } from './describe-team.ts';
import styles from './team.module.css';

type Join = Output<'team:listJoins'>['joins'][number];

/** No event reports a request to join, so they are polled. */
const everyMs = 5_000;

/** People who asked to join by an invitation of this computer, to be approved. */
export function JoinRequests({ workspaceId }: { workspaceId: string }) {
  const joins = useDeskQuery('team:listJoins', { workspaceId }, { everyMs });
  const members = useDeskQuery('team:listMembers', { workspaceId });
  if (joins.data === undefined) return <NotLoaded query={joins} what="who asked to join" />;
  return (
    <Stack gap="xs">
      <Text fw={600}>Asked to join</Text>
      {joins.data.joins.length === 0 ? (
        <Hint>Nobody who was invited from this computer is waiting.</Hint>
      ) : (
        <Hint>Approve only if the person tells you the same code, best by phone.</Hint>
      )}
      <ul className={styles.list} aria-label="Asked to join">
        {joins.data.joins.map((join) => {
          // All computers of a person have one role.
          const known = members.data?.members.find(({ email }) => email === join.email)?.role;
          return (
            <JoinRequest
              key={join.computer}
              workspaceId={workspaceId}
              join={join}
              knownRole={known ?? null}
            />
          );
        })}
      </ul>
    </Stack>
  );
}

function JoinRequest(props: { workspaceId: string; join: Join; knownRole: TeamRole | null }) {
  const { workspaceId, join, knownRole } = props;
  const now = useNow();
  const approve = useDeskMutation('team:approve');
  const [chosen, setChosen] = useState<TeamRole>('reviewer');
  const role = knownRole ?? chosen;
  return (
    <li className={styles.entry}>
      <Stack gap={6}>
        <Text fw={600}>{join.email}</Text>
        <Group gap="xs">
          <Code fz="md">{join.code}</Code>
          <Select
            size="xs"
            w={120}
            aria-label={`Role of ${join.email}`}
            data={roleChoices}
            value={role}
            disabled={knownRole !== null}
            allowDeselect={false}
            onChange={(value) => setChosen(value as TeamRole)}
          />
          <SmallButton
            aria-label={`Approve ${join.email}`}
            loading={approve.isPending}
            onClick={() => approve.mutate({ workspaceId, computer: join.computer, role })}
          >
            Approve
          </SmallButton>
        </Group>
        <SmallPrint>
          Asked {formatWhen(join.at, now)}, SSH key {join.fingerprint}
        </SmallPrint>
        <ErrorNotice error={approve.error} title={`Couldn’t approve ${join.email}`} />
      </Stack>
    </li>
  );
}
