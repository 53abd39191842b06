import { useDeskQuery, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { type ConnectStep, unfinishedStepOf } from './connect-steps.ts';

/** The step at which setting up a workspace stopped; null: it is set up, the sample, or not known yet. */
export function useUnfinishedStep(): ConnectStep | null {
  const workspace = useWorkspace();
  const info = useDeskQuery('app:getInfo', {});
  const keys = useDeskQuery('keys:list', {});
  const status = useWorkspaceQuery('sync:getStatus');
  if (info.data === undefined || keys.data === undefined || status.data === undefined) return null;
  const facts = { secrets: info.data.secrets, workspace, keys: keys.data.keys, status: status.data };
  return unfinishedStepOf(facts);
}
