import { useSearch } from '@tanstack/react-router';
import { WorkspaceSection } from '../../domain/workspace/workspace-section.tsx';
import { DoctorRun } from './doctor-run.tsx';

/** The connection check in the settings, for one workspace at a time. */
export function DoctorSettings() {
  const askedId = useSearch({ strict: false, select: ({ workspaceId }) => workspaceId });
  return (
    <WorkspaceSection
      about="Tests the connection step by step and explains any problem in plain English. Takes at most five seconds and changes nothing."
      askedId={askedId}
    >
      {(workspace) => <DoctorRun key={workspace.id} workspace={workspace} />}
    </WorkspaceSection>
  );
}
