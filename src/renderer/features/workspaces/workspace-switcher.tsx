import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { SmallPrint } from '../../components/text.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { WorkspaceDot } from '../../domain/workspace/workspace-dot.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import styles from './workspace-switcher.module.css';

/** The open workspace, with a menu to open another. */
export function WorkspaceSwitcher() {
  const { workspaces, active } = useWorkspaces();
  const activate = useDeskMutation('workspaces:activate');
  const navigate = useNavigate();
  if (active === null) return null;
  const open = (workspaceId: string) => {
    if (workspaceId === active.id) return;
    // The page on screen belongs to the previous workspace.
    activate.mutate({ workspaceId }, { onSuccess: () => void navigate({ to: '/start' }) });
  };
  return (
    <Menu position="bottom-start" width={260} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={styles.switcher ?? ''} aria-label={`Workspace: ${active.name}`}>
          <WorkspaceDot color={active.color} />
          <span className={styles.name}>{active.name}</span>
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.id}
            leftSection={<WorkspaceDot color={workspace.color} />}
            rightSection={workspace.id === active.id && <IconCheck size={14} aria-label="open now" />}
            onClick={() => open(workspace.id)}
          >
            <Text size="sm">{workspace.name}</Text>
            <SmallPrint truncate>{workspace.isSample ? 'Sample data' : workspace.email}</SmallPrint>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => void navigate({ to: '/welcome/connect', search: { isNew: true } })}
        >
          Add workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
