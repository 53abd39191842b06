import type { DeskBridge } from '../../../contract/bridge.ts';
import type { ExportSource } from '../../../contract/export.ts';
import { type ExportColumn, needsReason } from '../../../contract/export-columns.ts';
import { maskTypedSsns } from '../../../contract/filter-words.ts';
import type { ListQuery, Row } from '../../../rules/query.ts';
import { fullNameOf, type WorklistId } from '../../../rules/worklists/worklist-table.ts';
import type { ExportRequest } from '../../lib/app-actions.tsx';
import { ask } from '../../lib/desk-error.ts';

/** The most rows that can be printed; longer lists are exported to a file. */
export const maxPrintedRows = 2_000;
const rowsPerWindow = 1_000;

/** A list on paper: every row, as the engine sends it, with SSNs masked. */
export interface Printed {
  readonly title: string;
  /** The search and the filters in words; '' without any. */
  readonly filters: string;
  readonly columns: readonly ExportColumn[];
  readonly rows: readonly Row[];
}

/**
 * Describes the worklist, the search and the filters. Paper that identifies no one has neither the search nor
 * a filter by a field that is not one of its columns: their values may name an individual.
 */
function describeFilters({ filters = [], source }: ExportRequest, columns: readonly ExportColumn[]): string {
  const isShown = (field: string) =>
    needsReason(columns) || columns.some(({ path }) => fieldOf(path) === field);
  const search =
    source.kind === 'list' && needsReason(columns) ? (maskTypedSsns(source.query).search ?? '') : '';
  const filterTexts = filters.filter(({ field }) => isShown(field)).map(({ text }) => text);
  const query = 'query' in source ? source.query : undefined;
  const worklist = query?.conditions?.find(({ field }) => field === 'worklist')?.values[0];
  const name = worklist === undefined ? [] : [fullNameOf(worklist as WorklistId)];
  return [...name, ...(search === '' ? [] : [`Search “${search}”`]), ...filterTexts].join(' · ');
}

/** The path of a column in its record: without the prefix `claim.` or `line.`. */
export const fieldOf = (path: string): string => path.replace(/^(claim|line)\./, '');

/**
 * Reads every row of a list, or the selected ones, and records in the audit log that they are printed. Of claims with
 * lines each line is a row, and the claim's columns are on the first one.
 */
export async function readPrinted(
  bridge: DeskBridge,
  request: ExportRequest,
  printRequest: {
    source: ExportSource;
    columns: readonly ExportColumn[];
    isSelection: boolean;
    reason: string | undefined;
    title: string;
  },
): Promise<Printed> {
  const { workspaceId, selected } = request;
  const { source, columns, isSelection, reason, title } = printRequest;
  const filters = describeFilters(request, columns);
  if (source.kind !== 'list' && source.kind !== 'claimLines') return { title, filters, columns, rows: [] };
  const isOwn = !isSelection || selected === undefined;
  const { snapshotId, total } = isOwn
    ? await ask(bridge, 'records:open', { workspaceId, query: source.query })
    : { snapshotId: selected.snapshotId, total: selected.count };
  const places = isOwn ? [[0, total - 1] as const] : selected.places;
  await ask(bridge, 'export:auditPrinted', {
    workspaceId,
    list: source.kind === 'list' ? source.query.entity : source.kind,
    rows: total,
    columns: columns.map(({ path }) => path),
    ...(reason === undefined ? {} : { reason }),
  });
  const list = { bridge, workspaceId, snapshotId };
  const rows: Row[] = [];
  for (const place of places) {
    if (source.kind === 'list')
      for await (const some of readWindows(list, place, columns)) rows.push(...some);
    else rows.push(...(await readClaimsWithLines(list, place, columns, source.query)));
  }
  if (isOwn) void ask(bridge, 'records:close', { workspaceId, snapshotId }).catch(() => undefined);
  return { title, filters, columns, rows };
}

interface OpenedList {
  readonly bridge: DeskBridge;
  readonly workspaceId: string;
  readonly snapshotId: string;
}

async function* readWindows(
  { bridge, workspaceId, snapshotId }: OpenedList,
  [first, last]: readonly [number, number],
  columns: readonly Pick<ExportColumn, 'path'>[],
): AsyncGenerator<Row[]> {
  const fields = columns.map(({ path }) => fieldOf(path));
  for (let offset = first; offset <= last; offset += rowsPerWindow) {
    const limit = Math.min(rowsPerWindow, last - offset + 1);
    const request = { workspaceId, snapshotId, offset, limit, fields };
    yield (await ask(bridge, 'records:getWindow', request)).rows;
  }
}

const withPrefix = (prefix: string, row: Row | undefined): Row =>
  Object.fromEntries(Object.entries(row ?? {}).map(([path, cell]) => [prefix + path, cell]));

async function readClaimsWithLines(
  list: OpenedList,
  place: readonly [number, number],
  columns: readonly ExportColumn[],
  { includesMissing = false }: ListQuery,
): Promise<Row[]> {
  const { bridge, workspaceId } = list;
  const ofClaim = columns.filter(({ path }) => path.startsWith('claim.'));
  const ofLine = [...columns.filter(({ path }) => path.startsWith('line.')), { path: '$claim_id' }];
  const rows: Row[] = [];
  for await (const claims of readWindows(list, place, ofClaim)) {
    const { snapshotId, total } = await ask(bridge, 'records:open', {
      workspaceId,
      query: {
        entity: 'lines',
        conditions: [
          { field: '$claim_id', operator: 'isOneOf', values: claims.map(({ $key }) => Number($key)) },
        ],
        sort: [{ field: '$claim_id', direction: 'asc' }],
        includesMissing,
      },
    });
    const linesOf = new Map<number, Row[]>();
    for await (const lines of readWindows({ ...list, snapshotId }, [0, total - 1], ofLine))
      for (const line of lines) {
        const claimId = Number(line.$claim_id);
        linesOf.set(claimId, [...(linesOf.get(claimId) ?? []), line]);
      }
    void ask(bridge, 'records:close', { workspaceId, snapshotId }).catch(() => undefined);
    for (const claim of claims) {
      const [first, ...others] = linesOf.get(Number(claim.$key)) ?? [];
      rows.push({ ...withPrefix('claim.', claim), ...withPrefix('line.', first), $key: `${claim.$key}` });
      for (const [index, line] of others.entries())
        rows.push({ ...withPrefix('line.', line), $key: `${claim.$key}.${index}` });
    }
  }
  return rows;
}
