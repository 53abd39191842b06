import { useDeskQuery } from '../../lib/desk-query.ts';

/** The reason why controls are off for readers of the team. */
export const readerReason =
  'Your role in the team is reader, so you can’t change reviews. Ask an admin for another role.';

/** Whether this computer's role in the workspace's team lets it only read, as far as is known. */
export function useIsReader(workspaceId: string): boolean {
  const { data } = useDeskQuery('team:getStatus', { workspaceId });
  return data?.role === 'reader';
}
