import type { DeskBridge } from '../../../contract/bridge.ts';
import { fieldsOf, splitRanges } from '../../../rules/list-fields.ts';
import { ask } from '../../lib/desk-error.ts';
import { putOnClipboard } from '../../lib/put-on-clipboard.ts';
import type { RememberedList } from './list-memory.tsx';
import { orderColumns } from './list-settings.ts';
import type { RowRanges } from './row-ranges.ts';

/** The columns to copy: the visible ones, a date range as its first and its last day. */
export function columnsToCopy(list: RememberedList): string[] {
  const { entity } = list.plan;
  const { columns, frozen } = list.getSettings();
  const shown = orderColumns(columns, frozen);
  const knownPaths = new Set(fieldsOf[entity].map((spec) => spec.path));
  return splitRanges(
    entity,
    shown.filter((path) => knownPaths.has(path)),
  );
}

/**
 * Copies rows to the clipboard as the engine writes them: SSNs masked, guarded against spreadsheets, recorded in the
 * audit log. Returns how many.
 * @throws DeskError `copy.tooMany`, `export.reasonMissing`, `policy.reasonNeeded`, `snapshot.expired`, `store.*`
 */
export async function copyRows(
  bridge: DeskBridge,
  list: RememberedList,
  ranges: RowRanges,
  { cell, reason }: { cell?: string | undefined; reason?: string | undefined } = {},
): Promise<number> {
  const { workspaceId } = list.source;
  const snapshotId = list.rowsOf ?? (await list.source.current()).snapshotId;
  const { text, rows } = await ask(bridge, 'records:copy', {
    workspaceId,
    snapshotId,
    places: ranges.map(([first, last]) => [first, last]),
    fields: cell === undefined ? columnsToCopy(list) : [cell],
    ...(reason === undefined ? {} : { reason }),
  });
  await putOnClipboard(bridge, text);
  return rows;
}
