import type { DeskBridge } from '../../../contract/bridge.ts';
import type { Input } from '../../../contract/procedures.ts';
import type { Row } from '../../../contract/query.ts';
import { ask } from '../../lib/desk-error.ts';

/** Reads only the first rows of a list and closes it. @throws DeskError `store.*`, `query.*` */
export async function readFirstRows(bridge: DeskBridge, wanted: Input<'records:begin'>): Promise<Row[]> {
  const { snapshotId, rows } = await ask(bridge, 'records:begin', wanted);
  void bridge.call['records:close']({ workspaceId: wanted.workspaceId, snapshotId });
  return rows;
}
