import { Badge, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Workspace } from '../../../contract/workspace.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { AnchorLink, ButtonLink, SmallButtonLink } from '../../components/links.tsx';
import { FieldList, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { EmptyState } from '../../components/states.tsx';
import { MakeKey } from '../../domain/key/make-key.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { WorkspaceDot } from '../../domain/workspace/workspace-dot.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { NameAndColor } from './name-and-color.tsx';
import { RemoveWorkspace } from './remove-workspace.tsx';
import { TokenHeader } from './token-header.tsx';

/** One workspace: its address, its key, its name and color, its removal. */
export function WorkspacePage({ workspaceId }: { workspaceId: string }) {
  const state = useWorkspaces();
  const navigate = useNavigate();
  const toList = () => void navigate({ to: '/settings/$section', params: { section: 'workspaces' } });
  const workspace = state.workspaces.find(({ id }) => id === workspaceId);
  return (
    <Page
      title={workspace?.name ?? 'Workspace'}
      documentTitle="Workspace"
      beside={
        workspace !== undefined && (
          <Group gap="xs">
            <WorkspaceDot color={workspace.color} />
            {workspace.isSample && <Badge variant="default">Sample</Badge>}
          </Group>
        )
      }
      actions={<BackButton label="Workspaces" onBack={toList} />}
      isNarrow
    >
      {workspace !== undefined ? (
        <Sections workspace={workspace} />
      ) : state.error !== null || state.isLoading ? (
        <NotLoaded query={state} what="the workspace" />
      ) : (
        <EmptyState
          title="This workspace doesn’t exist"
          text="It was removed."
          action={
            <ButtonLink to="/settings/$section" params={{ section: 'workspaces' }}>
              Go to workspaces
            </ButtonLink>
          }
        />
      )}
    </Page>
  );
}

function Sections({ workspace }: { workspace: Workspace }) {
  const now = useNow();
  const navigate = useNavigate();
  const keys = useDeskQuery('keys:list', {});
  const key = keys.data?.keys.find(({ id }) => id === workspace.keyId);
  const params = { workspaceId: workspace.id };
  return (
    <Stack gap={10}>
      <Section
        title="Connection"
        actions={
          <SmallButtonLink to="/settings/$section" params={{ section: 'doctor' }} search={params}>
            Doctor
          </SmallButtonLink>
        }
      >
        <FieldList
          fields={[
            ['Service', workspace.baseUrl],
            ['Account', workspace.email],
            ['Added', formatWhen(workspace.createdAt, now)],
          ]}
        />
      </Section>
      <Section
        title="Key"
        actions={
          <>
            <MakeKey
              label={key === undefined ? 'Make key…' : 'Make another key…'}
              workspaceId={workspace.id}
              onMade={({ id }) => void navigate({ to: '/settings/keys/$keyId', params: { keyId: id } })}
              isQuiet
            />
            {key !== undefined && (
              <SmallButtonLink to="/settings/workspaces/$workspaceId/rotate" params={params}>
                Rotate key
              </SmallButtonLink>
            )}
          </>
        }
      >
        <FieldList
          fields={[
            [
              'SSH key',
              key === undefined ? (
                <AnchorLink key="none" to="/settings/$section" params={{ section: 'keys' }}>
                  No key yet. Make or import one.
                </AnchorLink>
              ) : (
                <AnchorLink key="key" to="/settings/keys/$keyId" params={{ keyId: key.id }}>
                  {key.name}
                </AnchorLink>
              ),
            ],
            ['Fingerprint', key === undefined ? undefined : <code key="print">{key.fingerprint}</code>],
            [
              'Registration',
              key === undefined
                ? undefined
                : key.provenAt === null
                  ? 'Not verified'
                  : `Verified ${formatWhen(key.provenAt, now)}`,
            ],
          ]}
        />
      </Section>
      <Section title="Name and color">
        <NameAndColor key={`${workspace.name} ${workspace.color}`} workspace={workspace} />
      </Section>
      <Section title="Authentication header (Advanced)">
        <TokenHeader key={`${workspace.header} ${workspace.scheme}`} workspace={workspace} />
      </Section>
      <Section title={workspace.isSample ? 'Exit sample' : 'Remove'}>
        <RemoveWorkspace workspace={workspace} sshKey={key} />
      </Section>
    </Stack>
  );
}
