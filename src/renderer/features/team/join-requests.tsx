import { Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { roleLabels } from './describe-team.ts';
import styles from './team.module.css';

type Join = Output<'team:listJoins'>['joins'][number];

/** No event reports a request to join, so they are polled. */
const everyMs = 5_000;

/** People who asked to join by an invitation of this computer, to be approved. */
export function JoinRequests() {
  const joins = useWorkspaceQuery('team:listJoins', {}, { everyMs });
  if (joins.data === undefined) return <NotLoaded query={joins} what="who asked to join" />;
  return (
    <Stack gap="xs">
      <Text fw={600}>Asked to join</Text>
      {joins.data.joins.length === 0 ? (
        <Hint>No one you invited from this computer is waiting.</Hint>
      ) : (
        <Hint>
          Approve only if the person tells you the same code, best by phone. Never approve another code: then
          someone else has the invitation.
        </Hint>
      )}
      <ul className={styles.list} aria-label="Asked to join">
        {joins.data.joins.map((join) => (
          <JoinRequest key={join.computer} join={join} />
        ))}
      </ul>
    </Stack>
  );
}

function JoinRequest({ join }: { join: Join }) {
  const now = useNow();
  const approve = useWorkspaceMutation('team:approve');
  const [acceptsOtherKey, setAccepts] = useState(false);
  const isKnown = join.otherKeys.length > 0;
  return (
    <li className={styles.entry}>
      <Stack gap={6}>
        <Text fw={600}>{join.email}</Text>
        <Group gap="xs">
          {join.code === null ? (
            <Hint>Getting the code from their computer, which has to be on…</Hint>
          ) : (
            <Code fz="md">{join.code}</Code>
          )}
          <Text size="sm">{roleLabels[join.role]}</Text>
          <SmallButton
            aria-label={`Approve ${join.email}`}
            loading={approve.isPending}
            disabled={join.code === null || (isKnown && !acceptsOtherKey)}
            onClick={() => approve.mutate({ computer: join.computer, acceptsOtherKey })}
          >
            Approve
          </SmallButton>
        </Group>
        {isKnown && (
          <Checkbox
            label={`${join.email} told me on the phone that this SSH key is theirs. In the team they have another: ${join.otherKeys.join(', ')}`}
            checked={acceptsOtherKey}
            onChange={(event) => setAccepts(event.currentTarget.checked)}
          />
        )}
        <SmallPrint>
          Asked {formatWhen(join.at, now)}, SSH key {join.fingerprint}
        </SmallPrint>
        <ErrorNotice error={approve.error} title={`Couldn’t approve ${join.email}`} />
      </Stack>
    </li>
  );
}
