import type { Workspace } from '../../../contract/workspace.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { type ConnectStep, unfinishedStepOf } from './connect-steps.ts';

/** The step at which setting up a workspace stopped; null: it is set up, the sample, or not known yet. */
export function useUnfinishedStep(workspace: Workspace): ConnectStep | null {
  const info = useDeskQuery('app:getInfo', {});
  const keys = useDeskQuery('keys:list', {});
  const status = useDeskQuery('sync:getStatus', { workspaceId: workspace.id });
  if (info.data === undefined || keys.data === undefined || status.data === undefined) return null;
  const facts = { secrets: info.data.secrets, workspace, keys: keys.data.keys, status: status.data };
  return unfinishedStepOf(facts);
}
