import { useSearch } from '@tanstack/react-router';
import { WorkspaceSection } from '../../components/workspace-section.tsx';
import { DoctorRun } from './doctor-run.tsx';

/** Why a connection does not work and what to do, for one workspace at a time. */
export function DoctorSettings() {
  const askedId = useSearch({ strict: false, select: ({ workspaceId }) => workspaceId });
  return (
    <WorkspaceSection
      about="Tries the way to the service step by step and says in plain words what is wrong. It takes at most five seconds and changes nothing."
      askedId={askedId}
    >
      {(workspace) => <DoctorRun key={workspace.id} workspace={workspace} />}
    </WorkspaceSection>
  );
}
