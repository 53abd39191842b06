import { Select, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Hint } from '../../components/text.tsx';
import { useWorkspaces } from './use-workspaces.ts';

interface WorkspaceSectionProps {
  /** One or two sentences about the section. */
  readonly about: string;
  /** The workspace shown until the user chooses another; absent: the active one. */
  readonly askedId?: string | undefined;
  readonly children: (workspace: Workspace) => ReactNode;
}

/** A section of the settings about one workspace at a time. Give its content the workspace's id as key. */
export function WorkspaceSection({ about, askedId, children }: WorkspaceSectionProps) {
  const state = useWorkspaces();
  const { workspaces, active } = state;
  const [chosenId, setChosenId] = useState<string | null>(null);
  if (state.error !== null || state.isLoading) return <NotLoaded query={state} what="the workspaces" />;
  const wantedId = chosenId ?? askedId;
  const workspace = workspaces.find(({ id }) => id === wantedId) ?? active ?? workspaces[0] ?? null;
  return (
    <Stack gap="md">
      <Hint>{about}</Hint>
      {workspace === null ? (
        <ButtonLink to="/welcome/connect">Connect to your service</ButtonLink>
      ) : (
        <>
          <WorkspaceSelect workspaces={workspaces} value={workspace.id} onChange={setChosenId} />
          {children(workspace)}
        </>
      )}
    </Stack>
  );
}

/** The choice of a workspace; nothing where there is only one. */
export function WorkspaceSelect(props: {
  workspaces: readonly Workspace[];
  value: string;
  onChange: (workspaceId: string | null) => void;
}) {
  const { workspaces, value, onChange } = props;
  if (workspaces.length <= 1) return null;
  return (
    <Select
      label="Workspace"
      data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      allowDeselect={false}
      maw={340}
    />
  );
}
