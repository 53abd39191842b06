import type { DeskBridge } from '../../../contract/bridge.ts';
import type { Input } from '../../../contract/procedures.ts';
import type { Row } from '../../../rules/query.ts';
import { ask } from '../../lib/desk-error.ts';

/** Reads only the first rows of a list. @throws DeskError `store.*`, `query.*` */
export const readFirstRows = async (bridge: DeskBridge, input: Input<'records:readFirst'>): Promise<Row[]> =>
  (await ask(bridge, 'records:readFirst', input)).rows;
