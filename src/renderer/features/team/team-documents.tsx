import { Switch } from '@mantine/core';
import { formatCountOf } from '../../../rules/count.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { reportOfCode } from '../../lib/desk-error.ts';
import { useDeskMutation, useWorkspaceMutation } from '../../lib/desk-query.ts';
import { useSettings } from '../../lib/use-settings.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import type { OwnTeam } from './describe-team.ts';

/** The documents that are not sent yet, and whether all of the team's are kept on this computer. */
export function TeamDocuments({ team }: { team: OwnTeam }) {
  const { id: workspaceId } = useWorkspace();
  const { unsent, isFull } = team.documents;
  const { keepsTeamDocuments } = useSettings();
  const change = useDeskMutation('settings:set');
  const fetchAll = useWorkspaceMutation('team:sync');
  const others = keepsTeamDocuments.filter((id) => id !== workspaceId);
  return (
    <>
      <Switch
        label="Keep all documents of the team on this computer"
        description="Otherwise each is fetched when you open it."
        checked={others.length < keepsTeamDocuments.length}
        onChange={({ currentTarget: { checked } }) =>
          change.mutate(
            { keepsTeamDocuments: checked ? [...others, workspaceId] : others },
            { onSuccess: () => fetchAll.mutate({}) },
          )
        }
      />
      <ErrorNotice error={change.error} />
      {unsent > 0 && <SmallPrint>{formatCountOf(unsent, 'document')} of this computer to send.</SmallPrint>}
      {isFull && <ReportNotice report={reportOfCode('team.documentsFull', null)} />}
    </>
  );
}
