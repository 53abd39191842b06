import type { DeskBridge } from '../../contract/bridge.ts';
import { fieldsOf } from '../../contract/fields.ts';
import { ask } from './desk-error.ts';
import type { RememberedList } from './list-memory.tsx';
import { orderColumns } from './list-settings.ts';
import type { Places } from './places.ts';

/** The columns to copy: a range of days is only unambiguous with its end and its bounds. */
export function columnsToCopy(list: RememberedList, shown: readonly string[]): string[] {
  const known = new Set(fieldsOf[list.plan.entity].map((spec) => spec.path));
  return shown
    .flatMap((path) =>
      path === 'date_of_service.start' ? [path, 'date_of_service.end', 'date_of_service.bounds'] : [path],
    )
    .filter((path, index, all) => known.has(path) && all.indexOf(path) === index);
}

/**
 * Puts rows on the clipboard as the engine writes them: SSNs masked, guarded against spreadsheets, noted in the
 * audit log. Returns how many. @throws DeskError `copy.tooMany`, `snapshot.gone`, `store.*`
 */
export async function copyRows(
  bridge: DeskBridge,
  list: RememberedList,
  places: Places,
  cell?: string,
): Promise<number> {
  const { workspaceId } = list.source;
  const { snapshotId } = await list.source.current();
  const { columns, frozen } = list.getSettings();
  const { text, rows } = await ask(bridge, 'records:copy', {
    workspaceId,
    snapshotId,
    places: places.map(([first, last]) => [first, last]),
    fields: cell === undefined ? columnsToCopy(list, orderColumns(columns, frozen)) : [cell],
  });
  await navigator.clipboard.writeText(text);
  return rows;
}
