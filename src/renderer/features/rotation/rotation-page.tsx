import { useNavigate } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { BeginRotation } from './begin-rotation.tsx';
import { RotationView } from './rotation-view.tsx';
import { useRotation } from './use-rotation.ts';

/** Replaces the key of a workspace without a moment in which no key works; it can be left and continued any time. */
export function RotationPage({ workspaceId }: { workspaceId: string }) {
  const navigate = useNavigate();
  const { workspaces, isLoading } = useWorkspaces();
  const rotation = useRotation(workspaceId);
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  const toWorkspace = () =>
    void navigate({ to: '/settings/workspaces/$workspaceId', params: { workspaceId } });
  const content = () => {
    if (rotation.error !== null) {
      return <ErrorNotice error={rotation.error} title="Couldn’t load the rotation" />;
    }
    if (isLoading || rotation.isLoading) return <LoadingState what="the rotation" />;
    if (workspace === undefined) {
      return (
        <EmptyState
          title="This workspace doesn’t exist"
          text="It was removed."
          action={
            <ButtonLink to="/settings/$section" params={{ section: 'workspaces' }}>
              Go to workspaces
            </ButtonLink>
          }
        />
      );
    }
    if (rotation.state !== null) {
      return <RotationView rotation={rotation} state={rotation.state} workspace={workspace} />;
    }
    return <BeginRotation rotation={rotation} workspace={workspace} />;
  };
  return (
    <Page
      title={workspace === undefined ? 'Rotate key' : `Rotate key of ${workspace.name}`}
      documentTitle="Rotate key"
      actions={<BackButton label="Workspace" onBack={toWorkspace} />}
      isNarrow
    >
      {content()}
    </Page>
  );
}
