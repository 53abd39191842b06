import { errorTable } from '../../../contract/error-codes.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** The reason why controls are off for readers of the team. */
const readerReason =
  'Your role in the team is reader, so you can’t change reviews. Ask an admin for another role.';

/** Why controls that change reviews are off in this workspace, as far as is known; null: they are on. */
export function useReadOnlyReason(): string | null {
  const { data } = useWorkspaceQuery('team:getStatus');
  if (data?.role === 'reader') return readerReason;
  return data?.earlier === 'reading' ? errorTable['team.stillReading'].message : null;
}

/** Whether this computer's role in the workspace's team lets it only read, as far as is known. */
export function useIsReader(): boolean {
  const { data } = useWorkspaceQuery('team:getStatus');
  return data?.role === 'reader';
}
