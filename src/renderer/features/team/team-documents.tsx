import { Switch } from '@mantine/core';
import { formatCountOf } from '../../../rules/count.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { reportOfCode } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useSettings } from '../../lib/use-settings.ts';
import type { OwnTeam } from './describe-team.ts';

/** The documents that are not sent yet, and whether all of the team's are kept on this computer. */
export function TeamDocuments({ workspaceId, team }: { workspaceId: string; team: OwnTeam }) {
  const { unsent, isFull } = team.documents;
  const { keepsTeamDocuments } = useSettings();
  const change = useDeskMutation('settings:set');
  const fetchAll = useDeskMutation('team:sync');
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
            { onSuccess: () => fetchAll.mutate({ workspaceId }) },
          )
        }
      />
      <ErrorNotice error={change.error} />
      {unsent > 0 && <SmallPrint>{formatCountOf(unsent, 'document')} of this computer to send.</SmallPrint>}
      {isFull && <ReportNotice report={reportOfCode('team.documentsFull', null)} />}
    </>
  );
}
