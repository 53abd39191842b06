import { Select, Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { useWorkspaces } from '../../lib/use-workspaces.ts';
import { DoctorRun } from './doctor-run.tsx';

/** Why a connection does not work and what to do, for one workspace at a time. */
export function DoctorSettings() {
  const { workspaces, active, isLoading, error } = useWorkspaces();
  const asked = useSearch({ strict: false, select: ({ workspaceId }) => workspaceId });
  const [chosenId, setChosenId] = useState<string | null>(null);
  if (error !== null) return <ErrorNotice error={error} title="The workspaces cannot be listed" />;
  if (isLoading) return null;
  const workspace =
    workspaces.find(({ id }) => id === (chosenId ?? asked)) ?? active ?? workspaces[0] ?? null;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Tries the way to the service step by step and says in plain words what is wrong. It takes at most five
        seconds and changes nothing.
      </Text>
      {workspace === null ? (
        <ButtonLink to="/welcome/connect">Connect to your service</ButtonLink>
      ) : (
        <>
          {workspaces.length > 1 && (
            <Select
              label="Workspace"
              data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
              value={workspace.id}
              onChange={setChosenId}
              allowDeselect={false}
              maw={340}
            />
          )}
          <DoctorRun key={workspace.id} workspace={workspace} />
        </>
      )}
    </Stack>
  );
}
